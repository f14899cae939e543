import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import about from '../package.json' with { type: 'json' }
import type { Usage, UsageRequest } from './servers/gauge.ts'

/** A child process of the bench. It answers requests over its IPC channel, one at a time. */
export type Child = {
  readonly pid: number
  ask<Reply>(request: object, timeoutMs: number): Promise<Reply>
  usage(options?: { collect: boolean }): Promise<Usage>
  /** The first line of its standard output that is a JSON object with this key. */
  line(key: string, timeoutMs?: number): Promise<Record<string, unknown>>
  stop(): Promise<void>
}

/** The flags of Node in `npm start`. */
const NODE_FLAGS = about.scripts.start.split(' ').filter((word) => word.startsWith('--'))
const GAUGE = new URL('servers/gauge.ts', import.meta.url).href
const START_TIMEOUT_MS = 60_000
const USAGE_TIMEOUT_MS = 10_000
const KILL_AFTER_MS = 3_000

type StartOptions = {
  readonly args?: readonly string[]
  readonly nodeOptions?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export type Children = {
  start(file: URL, options?: StartOptions): Child
  stop(): Promise<void>
}

/** Starts child processes; none of them outlives the bench. */
export function createChildren(): Children {
  // An empty working directory, so that no .env file of the user is loaded.
  const folder = mkdtempSync(join(tmpdir(), 'onoma-bench-'))
  const running = new Set<ChildProcess>()
  const killAll = () => {
    for (const child of running) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', killAll)
  return {
    start(file, { args = [], nodeOptions = [], env = {} } = {}) {
      // The launcher sets it by starting Node again, which a process with a channel to its parent cannot.
      const launched = file.pathname.endsWith('/bin/onoma.js') ? NODE_FLAGS : []
      const options = [...launched, ...nodeOptions, '--expose-gc', '--import', GAUGE]
      const child = spawn(process.execPath, [...options, fileURLToPath(file), ...args], {
        cwd: folder,
        // No load balancer is to notice the stop of a service.
        env: { PATH: process.env['PATH'], ONOMA_DRAIN_SECONDS: '0', ...env },
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      })
      running.add(child)
      child.once('exit', () => running.delete(child))
      return wrap(child, file)
    },
    async stop() {
      await Promise.all([...running].map(terminate))
      killAll()
      process.off('exit', killAll)
    },
  }
}

function wrap(child: ChildProcess, file: URL): Child {
  const name = file.pathname.split('/').at(-1)!
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  failed.catch(() => {})
  child.once('error', fail)
  child.once('exit', (code, signal) => fail(new Error(`${name} exited (${signal ?? code}).`)))
  const output = createInterface({ input: child.stdout as Readable })
  const withTimeout = <T>(promise: Promise<T>, ms: number): Promise<T> =>
    Promise.race([promise, failed, timeout(name, ms)])
  const ask: Child['ask'] = <Reply>(request: object, timeoutMs: number) => {
    const reply = new Promise<Reply>((resolve) => child.once('message', (message) => resolve(message as Reply)))
    child.send(request)
    return withTimeout(reply, timeoutMs)
  }
  return {
    pid: child.pid!,
    ask,
    usage: ({ collect } = { collect: false }) =>
      ask({ ask: 'usage', collect } satisfies UsageRequest, USAGE_TIMEOUT_MS),
    line(key, timeoutMs = START_TIMEOUT_MS) {
      const found = new Promise<Record<string, unknown>>((resolve) => {
        output.on('line', (line) => {
          const value: unknown = line.startsWith('{') ? JSON.parse(line) : undefined
          if (typeof value === 'object' && value !== null && key in value) resolve({ ...value })
        })
      })
      return withTimeout(found, timeoutMs)
    },
    stop: () => terminate(child),
  }
}

async function terminate(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
  await exit
  clearTimeout(force)
}

function timeout(name: string, ms: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`${name} did not answer within ${ms / 1000} seconds.`)), ms).unref()
  })
}
