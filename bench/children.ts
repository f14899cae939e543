import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Usage, UsageQuestion } from './servers/gauge.ts'

/** A process of the bench, which answers questions over its channel one after the other. */
export type Child = {
  readonly pid: number
  ask<Answer>(question: object, deadlineMs: number): Promise<Answer>
  usage(options?: { collect: boolean }): Promise<Usage>
  /** The first line of its standard output that is a JSON object with this member. */
  line(member: string): Promise<Record<string, unknown>>
  stop(): Promise<void>
}

const GAUGE = new URL('servers/gauge.ts', import.meta.url).href
const START_MS = 60_000
const USAGE_MS = 10_000

type StartOptions = {
  readonly args?: readonly string[]
  readonly nodeOptions?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export type Children = {
  start(file: URL, options?: StartOptions): Child
  stop(): Promise<void>
}

/** Starts processes and sees to it that none outlives the bench. */
export function createChildren(): Children {
  // An empty folder, so that no .env file of the operator's takes part.
  const folder = mkdtempSync(join(tmpdir(), 'onoma-bench-'))
  const running = new Set<ChildProcess>()
  const killAll = () => {
    for (const child of running) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', killAll)
  return {
    start(file, { args = [], nodeOptions = [], env = {} } = {}) {
      const options = [...nodeOptions, '--expose-gc', '--import', GAUGE]
      const child = spawn(process.execPath, [...options, fileURLToPath(file), ...args], {
        cwd: folder,
        env: { PATH: process.env['PATH'], ...env },
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      })
      running.add(child)
      child.once('exit', () => running.delete(child))
      return wrap(child, file)
    },
    async stop() {
      await Promise.all([...running].map(ended))
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
  child.once('exit', (code, signal) => fail(new Error(`${name} ended (${signal ?? code}).`)))
  const output = createInterface({ input: child.stdout as Readable })
  const within = <T>(what: Promise<T>, ms: number): Promise<T> => Promise.race([what, failed, late(name, ms)])
  const ask: Child['ask'] = <Answer>(question: object, deadlineMs: number) => {
    const answer = new Promise<Answer>((resolve) => child.once('message', (message) => resolve(message as Answer)))
    child.send(question)
    return within(answer, deadlineMs)
  }
  return {
    pid: child.pid!,
    ask,
    usage: ({ collect } = { collect: false }) => ask({ ask: 'usage', collect } satisfies UsageQuestion, USAGE_MS),
    line(member) {
      const found = new Promise<Record<string, unknown>>((resolve) => {
        output.on('line', (line) => {
          const value: unknown = line.startsWith('{') ? JSON.parse(line) : undefined
          if (typeof value === 'object' && value !== null && member in value) resolve({ ...value })
        })
      })
      return within(found, START_MS)
    },
    stop: () => ended(child),
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), 3_000)
  await exit
  clearTimeout(force)
}

function late(name: string, ms: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`${name} did not answer within ${ms / 1000} seconds.`)), ms).unref()
  })
}
