/** How long the program takes to start, what it holds when idle, and how large it is. `npm run bench:start`. */
import { spawn } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import about from '../package.json' with { type: 'json' }
import { printReport, runAsCommand, showProgress } from './run.ts'
import { median } from './speed.ts'
import { table } from './table.ts'
import { megabytes, type Verdict } from './verdicts.ts'

const HELP = `npm run bench:start -- [options]

Measures onoma version, the start of the service with and without a compile cache, its memory when idle, and the size of
its packages. Ratios are to node -e 0 in the same run.

  --runs N    Starts of each kind (default 5)
  --json      Print one JSON object instead of a table

Exit code: 0 all targets met, 1 a target missed, 2 the measurement failed.
`

const TIMEOUT_MS = 10 * 60_000
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const BIN = join(ROOT, 'bin/onoma.js')
const MEGABYTE = 1024 * 1024
const TARGETS = { versionMs: 150, coldMs: 800, cachedMs: 500, idleBytes: 130 * MEGABYTE, installBytes: 60 * MEGABYTE }
/** After the start, for what is still being loaded. */
const IDLE_AFTER_MS = 2_000
/** The flags of `npm start`. */
const NODE_FLAGS = about.scripts.start.split(' ').filter((word) => word.startsWith('--'))

type Start = { readonly ms: number; readonly cpuMs: number; readonly idleBytes: number }

/** Runs Node until it exits, or until a line contains `until`; then it is stopped. */
async function run(argv: readonly string[], env: Readonly<Record<string, string>>, until?: string): Promise<Start> {
  const cwd = mkdtempSync(join(tmpdir(), 'onoma-bench-start-'))
  const startedAt = performance.now()
  const child = spawn(process.execPath, argv, {
    cwd,
    env: { PATH: process.env['PATH'], ONOMA_DATA_DIR: cwd, ONOMA_DRAIN_SECONDS: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  try {
    let output = ''
    let ready: (() => void) | undefined
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (until !== undefined && output.includes(until)) ready?.()
    })
    if (until === undefined) {
      await closed
      return { ms: performance.now() - startedAt, cpuMs: Number.NaN, idleBytes: Number.NaN }
    }
    const isReady = await Promise.race([
      new Promise<boolean>((resolve) => (ready = () => resolve(true))),
      closed.then(() => false),
    ])
    if (!isReady) throw new Error(`onoma ended before it was ready: ${output}`)
    const [ms, cpuMs] = [performance.now() - startedAt, cpuMsOf(child.pid!)]
    await new Promise((resolve) => setTimeout(resolve, IDLE_AFTER_MS))
    return { ms, cpuMs, idleBytes: rssOf(child.pid!) }
  } finally {
    child.kill('SIGINT')
    await closed
    rmSync(cwd, { recursive: true, force: true })
  }
}

const CLOCK_TICK_MS = 10
/** CPU time of all threads; Linux only. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK_MS
}

const rssOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024

type Lock = { readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>> }

/** The files of all packages that `npm ci --omit=dev` installs, without Node itself. */
function installBytes(): number {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true && !/^node_modules\/(?:node-|@typescript\/)/.test(path))
    .reduce((sum, [path]) => sum + sizeOf(join(ROOT, path)), 0)
}

/** Without nested packages, which the lock file lists themselves. Zero for one that is not for this platform. */
function sizeOf(folder: string): number {
  let bytes = 0
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name === 'node_modules') continue
      const path = join(folder, entry.name)
      bytes += entry.isDirectory() ? sizeOf(path) : lstatSync(path).size
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return bytes
}

async function measure(runs: number) {
  const kinds = { bare: [] as Start[], version: [] as Start[], cold: [] as Start[], cached: [] as Start[] }
  const cache = mkdtempSync(join(tmpdir(), 'onoma-bench-cache-'))
  const free = { PORT: '0', ENS_PORT: '0', ONOMA_METRICS: '0' }
  const serve = [...NODE_FLAGS, BIN, 'serve']
  try {
    for (let turn = 0; turn <= runs; turn++) {
      showProgress(`start ${turn} of ${runs}`)
      const bare = await run(['-e', '0'], {})
      const version = await run([BIN, 'version'], {})
      const cold = await run(serve, { ...free, NODE_DISABLE_COMPILE_CACHE: '1' }, 'is ready')
      const cached = await run(serve, { ...free, NODE_COMPILE_CACHE: cache }, 'is ready')
      // The first turn fills the caches of the system and the compile cache.
      if (turn === 0) continue
      kinds.bare.push(bare)
      kinds.version.push(version)
      kinds.cold.push(cold)
      kinds.cached.push(cached)
    }
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
  return kinds
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '5' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const runs = Number(values.runs)
  if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs must be a whole number above 0, not ${values.runs}.`)
  const kinds = await measure(runs)
  const bytes = installBytes()
  const of = (starts: readonly Start[], figure: keyof Start) => median(starts.map((start) => start[figure]))
  const bareMs = of(kinds.bare, 'ms')
  const rows = Object.entries(kinds).map(([name, starts]) => [
    name,
    of(starts, 'ms').toFixed(0),
    (of(starts, 'ms') / bareMs).toFixed(1),
    name === 'cold' || name === 'cached' ? of(starts, 'cpuMs').toFixed(0) : '',
    name === 'cold' || name === 'cached' ? megabytes(of(starts, 'idleBytes')) : '',
  ])
  const atMost = (target: string, value: number, limit: number, format: (value: number) => string): Verdict => ({
    target: `${target} at most ${format(limit)}`,
    measured: format(value),
    met: value <= limit,
  })
  const ms = (value: number) => `${value.toFixed(0)} ms`
  return printReport({
    json: values.json,
    sections: [table([['start', 'ms', '× node -e 0', 'CPU ms', 'idle RSS'], ...rows], 1)],
    data: { ...kinds, installBytes: bytes },
    verdicts: [
      atMost('onoma version', of(kinds.version, 'ms'), TARGETS.versionMs, ms),
      atMost('ready without a compile cache', of(kinds.cold, 'ms'), TARGETS.coldMs, ms),
      atMost('ready with a compile cache', of(kinds.cached, 'ms'), TARGETS.cachedMs, ms),
      atMost('idle RSS', of(kinds.cached, 'idleBytes'), TARGETS.idleBytes, megabytes),
      atMost('packages of a production install, beside Node', bytes, TARGETS.installBytes, megabytes),
    ],
  })
}

await runAsCommand(TIMEOUT_MS, main)
