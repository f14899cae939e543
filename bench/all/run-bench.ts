import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Verdict } from '../verdicts.ts'

/** What a bench printed, in whatever form: as one JSON object, or as text with lines that begin with PASS or FAIL. */
export type BenchOutput = {
  readonly json: Readonly<Record<string, unknown>>
  readonly verdicts: readonly Verdict[]
  readonly text: string
}

export type BenchRun = {
  readonly seconds: number
  /** Why there are no figures; undefined if the bench has measured. */
  readonly failed: string | undefined
  readonly output: BenchOutput
}

const KILL_AFTER_MS = 5_000
const FOLDER = new URL('../', import.meta.url)
/** The last lines of the error output, for a bench that failed. */
const MAX_ERROR_CHARACTERS = 400

/** Runs one bench as a command and ends it, with its children, when its time is up. */
export function runBench(file: string, args: readonly string[], timeoutMs: number): Promise<BenchRun> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, FOLDER)), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = () => child.kill('SIGTERM')
  process.once('exit', stop)
  const parts: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] }
  child.stdout.on('data', (part: Buffer) => parts.stdout.push(part))
  child.stderr.on('data', (part: Buffer) => parts.stderr.push(part))
  const textOf = (name: 'stdout' | 'stderr') => Buffer.concat(parts[name]).toString()
  let isLate = false
  let kill: NodeJS.Timeout | undefined
  const timer = setTimeout(() => {
    isLate = true
    // A bench stops its children when it gets this signal.
    stop()
    kill = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
  }, timeoutMs)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      clearTimeout(kill)
      process.off('exit', stop)
      const output = parseOutput(textOf('stdout'))
      const late = isLate ? `not finished within ${timeoutMs / 1000} seconds` : undefined
      const broken = code === 0 || code === 1 ? undefined : textOf('stderr').trim().slice(-MAX_ERROR_CHARACTERS)
      const failed = late ?? (broken === '' ? `exit code ${code}` : broken)
      resolve({ seconds: (performance.now() - startedAt) / 1000, failed, output })
    })
  })
}

export function parseOutput(text: string): BenchOutput {
  const json = parseObject(text)
  const listed = Array.isArray(json['verdicts']) ? json['verdicts'].filter(isVerdict) : undefined
  return { json, text, verdicts: listed ?? parseVerdictLines(text) }
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  if (!text.trimStart().startsWith('{')) return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

const isVerdict = (value: unknown): value is Verdict =>
  typeof value === 'object' && value !== null && 'target' in value && 'measured' in value && 'met' in value

/** `PASS  target: measured`. A target may contain a colon itself; the last one counts. */
const parseVerdictLines = (text: string): Verdict[] =>
  [...text.matchAll(/^(PASS|FAIL) {2}(.*): (.*)$/gm)].map(([, word, target, measured]) => ({
    met: word === 'PASS',
    target: target!,
    measured: measured!,
  }))
