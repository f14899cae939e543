/**
 * Stops one instance under load without a proxy, and restarts three behind nginx and HAProxy, configured by
 * docs/self-hosting.md. `npm run test:proxies`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { load, startProxy } from '../test/support/rolling-restart.ts'
import { sendUntilRefused } from '../test/support/stop-under-load.ts'
import { findProgram, freePort } from '../test/support/servers/process.ts'

const HELP = `npm run test:proxies -- [options]

Stops an instance with SIGTERM while clients send requests to it, as often as it takes; then restarts each of three
instances twice under load, behind nginx and behind HAProxy. No request may be lost.
Needs the Debian packages nginx and haproxy; installs nothing.

  --requests N   At least this many requests (default 100000 behind each proxy, 20000 without)
  --clients N    Concurrent connections (default 20)
  --only NAME    direct (no proxy), nginx or haproxy
`

const RESTARTS = 2
const ONOMA = new URL('../bin/onoma.js', import.meta.url).pathname

const MIN_REQUESTS = { direct: 20_000, nginx: 100_000, haproxy: 100_000 } as const
/** Answers that each client has before the signal is sent. */
const WARM_ANSWERS = 50

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

/** Clients connect to the instance itself, again and again, until it refuses: it is stopped under load, several times. */
async function stopUnderLoad(clients: number, min: number) {
  let sent = 0
  let dropped = 0
  let stops = 0
  for (; sent < min; stops++) {
    const folder = mkdtempSync(join(tmpdir(), 'onoma-proxies-'))
    const instance = await startInstance(await freePort(), folder)
    const work = Array.from({ length: clients }, () => sendUntilRefused(instance.port, { warmAfter: WARM_ANSWERS }))
    await Promise.all(work.map(({ warm }) => warm))
    await instance.stop()
    for (const outcome of await Promise.all(work.map(({ done }) => done))) {
      sent += outcome.answered + outcome.dropped
      dropped += outcome.dropped
    }
    rmSync(folder, { recursive: true, force: true })
  }
  return { sent, dropped, stops }
}

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
    requests: { type: 'string' },
    clients: { type: 'string', default: '20' },
    only: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help) {
  process.stdout.write(HELP)
  process.exit(0)
}
const minRequests = (kind: keyof typeof MIN_REQUESTS) => Number(values.requests ?? MIN_REQUESTS[kind])
if ((values.only ?? 'direct') === 'direct') {
  const { sent, dropped, stops } = await stopUnderLoad(Number(values.clients), minRequests('direct'))
  const verdict = dropped === 0 ? 'PASS' : 'FAIL'
  process.stdout.write(
    `${verdict}  no proxy: ${dropped} lost of ${sent}, an instance stopped under load ${stops} times\n`,
  )
  if (dropped > 0) process.exitCode = 1
}
for (const name of ['nginx', 'haproxy'] as const) {
  if (values.only !== undefined && values.only !== name) continue
  const program = findProgram(name)
  if (program === null) {
    process.stderr.write(`${name} is not installed: apt-get install ${name}\n`)
    process.exitCode = 1
    continue
  }
  const { sent, failures } = await restartBehind(name, program, Number(values.clients), minRequests(name))
  const kinds = Map.groupBy(failures, (failure) => failure)
  process.stdout.write(
    `${failures.length === 0 ? 'PASS' : 'FAIL'}  ${name}: ${failures.length} failed of ${sent}, 3 instances restarted ${RESTARTS} times each` +
      `${[...kinds].map(([kind, all]) => `; ${kind}: ${all.length}`).join('')}\n`,
  )
  if (failures.length > 0) process.exitCode = 1
}
