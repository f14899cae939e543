/** Restarts three instances under load behind nginx and HAProxy, configured by docs/self-hosting.md. `npm run test:proxies`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { load, startProxy } from '../test/support/rolling-restart.ts'
import { findProgram, freePort } from '../test/support/servers/process.ts'

const HELP = `npm run test:proxies -- [options]

Restarts each of three instances twice under load, behind nginx and behind HAProxy. No request may fail.
Needs the Debian packages nginx and haproxy; installs nothing.

  --requests N   At least this many requests behind each proxy (default 100000)
  --clients N    Concurrent connections (default 20)
  --only NAME    nginx or haproxy
`

const RESTARTS = 2
const ONOMA = new URL('../bin/onoma.js', import.meta.url).pathname

type Instance = { readonly port: number; stop(): Promise<void> }

async function startInstance(port: number, dataDir: string): Promise<Instance> {
  const child = spawn(process.execPath, [ONOMA, 'serve'], {
    cwd: dataDir,
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: String(port),
      ENS_PORT: '0',
      ONOMA_METRICS: 'off',
      ONOMA_RATE_LIMIT: 'off',
      ONOMA_TRUSTED_PROXIES: '127.0.0.1',
      ONOMA_DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes('"url"')) continue
    child.stdout.resume()
    return {
      port,
      async stop() {
        child.kill('SIGTERM')
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
        if (child.exitCode !== 0) throw new Error(`An instance ended with ${child.exitCode ?? child.signalCode}.`)
      },
    }
  }
  throw new Error('An instance ended before it was ready.')
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

async function restartBehind(name: 'nginx' | 'haproxy', program: string, clients: number, min: number) {
  const folders = [1, 2, 3].map(() => mkdtempSync(join(tmpdir(), 'onoma-proxies-')))
  const instances = await Promise.all(folders.map(async (folder) => startInstance(await freePort(), folder)))
  const proxy = await startProxy(
    name,
    program,
    instances.map(({ port }) => port),
  )
  const restarts = async () => {
    for (let round = 0; round < RESTARTS; round++) {
      for (const [at, instance] of instances.entries()) {
        await instance.stop()
        instances[at] = await startInstance(instance.port, folders[at]!)
      }
    }
  }
  const restarted = restarts()
  const result = await load(`${proxy.address}/v1/tlds?category=top20`, { clients, min }, restarted)
  await restarted
  await proxy.stop()
  await Promise.all(instances.map((instance) => instance.stop()))
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  return result
}

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    clients: { type: 'string', default: '20' },
    only: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help) {
  process.stdout.write(HELP)
  process.exit(0)
}
for (const name of ['nginx', 'haproxy'] as const) {
  if (values.only !== undefined && values.only !== name) continue
  const program = findProgram(name)
  if (program === null) {
    process.stderr.write(`${name} is not installed: apt-get install ${name}\n`)
    process.exitCode = 1
    continue
  }
  const { sent, failures } = await restartBehind(name, program, Number(values.clients), Number(values.requests))
  const kinds = Map.groupBy(failures, (failure) => failure)
  process.stdout.write(
    `${failures.length === 0 ? 'PASS' : 'FAIL'}  ${name}: ${failures.length} failed of ${sent}, 3 instances restarted ${RESTARTS} times each` +
      `${[...kinds].map(([kind, all]) => `; ${kind}: ${all.length}`).join('')}\n`,
  )
  if (failures.length > 0) process.exitCode = 1
}
