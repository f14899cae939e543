import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Usage, UsageRequest } from '../../bench/servers/gauge.ts'
import { endingWithUs } from './servers/process.ts'

const ROOT = join(import.meta.dirname, '../..')
const GAUGE = new URL('../../bench/servers/gauge.ts', import.meta.url).href
const START_TIMEOUT_MS = 60_000
const USAGE_TIMEOUT_MS = 20_000
const MAX_LOG_CHARACTERS = 64 * 1024 * 1024

export type ServiceProcess = {
  readonly pid: number
  readonly url: string
  readonly ensUrl: string | null
  readonly metricsUrl: string | null
  /** Standard output and standard error so far. */
  log(): string
  /** Memory after a garbage collection. */
  usage(): Promise<Usage>
  descriptors(): number
  isRunning(): boolean
  signal(name: NodeJS.Signals): void
  /** Resolves to the exit code and the signal. */
  readonly ended: Promise<[code: number | null, signal: string | null]>
  /** Sends SIGTERM and, if the process stays, SIGKILL. */
  stop(timeoutMs?: number): Promise<void>
  kill(): Promise<void>
}

export type ServiceOptions = {
  readonly env: Readonly<Record<string, string>>
  /** The working directory: an empty one, so that no .env file is loaded. */
  readonly cwd: string
  /** Modules loaded before the service. */
  readonly imports?: readonly string[]
  /** The program; by default the launcher, which runs the bundle if there is one. */
  readonly program?: string
  /** A command before the program, such as `prlimit --nofile=256`. */
  readonly wrapper?: readonly string[]
}

/** Starts `onoma serve` in a process of its own, which never outlives this one. Throws with its output if it exits first. */
export async function startServiceProcess(options: ServiceOptions): Promise<ServiceProcess> {
  const { env, cwd, imports = [], program = join(ROOT, 'bin/onoma.js'), wrapper = [] } = options
  const nodeArgs = ['--expose-gc', ...[GAUGE, ...imports].flatMap((file) => ['--import', file])]
  const command = [...wrapper, process.execPath, ...nodeArgs, program, 'serve']
  const [executable, args] = endingWithUs(command[0]!, command.slice(1))
  const child = spawn(executable, args, {
    cwd,
    env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'], ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const output = collect(child)
  const ended = once(child, 'exit') as ServiceProcess['ended']
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const kill = async () => {
    if (isRunning()) child.kill('SIGKILL')
    await ended
  }
  const place = await output.ready.catch(async (error: unknown) => {
    await kill()
    throw error
  })
  return {
    pid: child.pid!,
    url: place.url,
    ensUrl: place.ens,
    metricsUrl: place.metrics,
    log: output.text,
    usage: () => askUsage(child),
    descriptors: () => readdirSync(`/proc/${child.pid}/fd`).length,
    isRunning,
    signal: (name) => void child.kill(name),
    ended,
    async stop(timeoutMs = 20_000) {
      if (!isRunning()) return
      child.kill('SIGTERM')
      const force = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
      await ended
      clearTimeout(force)
    },
    kill,
  }
}

type Place = { readonly url: string; readonly ens: string | null; readonly metrics: string | null }

/** Keeps the output; `ready` resolves with the addresses that the service logs when it is. */
function collect(child: ChildProcess): { text(): string; readonly ready: Promise<Place> } {
  let text = ''
  const { promise, resolve, reject } = Promise.withResolvers<Place>()
  const late = setTimeout(() => reject(new Error(`The service was not ready in time:\n${text}`)), START_TIMEOUT_MS)
  let isReady = false
  const look = () => {
    const line = isReady ? undefined : text.split('\n').find((one) => one.startsWith('{') && one.includes('"mcp":'))
    if (line === undefined || !line.endsWith('}')) return
    isReady = true
    clearTimeout(late)
    resolve(JSON.parse(line) as Place)
  }
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      if (text.length < MAX_LOG_CHARACTERS) text += chunk
      look()
    })
  }
  child.once('error', reject)
  child.once('close', () => {
    clearTimeout(late)
    reject(new Error(`The service ended before it was ready:\n${text}`))
  })
  return { text: () => text, ready: promise }
}

function askUsage(child: ChildProcess): Promise<Usage> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('The service did not report its memory.')), USAGE_TIMEOUT_MS)
    child.once('message', (message) => {
      clearTimeout(late)
      resolve(message as Usage)
    })
    child.send({ ask: 'usage', collect: true } satisfies UsageRequest)
  })
}
