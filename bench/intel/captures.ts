import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** Sent by the parent over the IPC channel. */
export type CaptureJob = { readonly ask: 'captures'; readonly inFlight: number; readonly seconds: number }

export type Captures =
  | { readonly failed: string }
  | {
      readonly count: number
      readonly perSecond: number
      readonly p50Ms: number
      readonly p95Ms: number
      /** CPU time per capture, in this process and in the browser. */
      readonly nodeCpuMs: number
      readonly browserCpuMs: number
      /** Processors that other programs kept busy. */
      readonly othersBusy: number
      /** Peak unshared memory of all browser processes together. */
      readonly browserMegabytes: number
      /** Peak RSS of this process. */
      readonly nodeMegabytes: number
    }

const SAMPLE_INTERVAL_MS = 1000
const MEGABYTE = 1024 * 1024

/** Captures pages with the concurrency and duration the parent sets. A failed capture ends the bench. */
export function serveCaptures(capture: () => Promise<void>): void {
  process.on('message', (job: Partial<CaptureJob>) => {
    if (job.ask !== 'captures') return
    run(capture, job as CaptureJob).then(
      (captures) => process.send!(captures),
      (error: unknown) => process.send!({ failed: String(error) } satisfies Captures),
    )
  })
  process.channel!.ref()
}

async function run(capture: () => Promise<void>, { inFlight, seconds }: CaptureJob): Promise<Captures> {
  const durationsMs: number[] = []
  const peak = { browser: 0, node: 0 }
  const sample = () => {
    peak.browser = Math.max(peak.browser, descendantsMegabytes())
    peak.node = Math.max(peak.node, process.memoryUsage.rss() / MEGABYTE)
  }
  const sampling = setInterval(sample, SAMPLE_INTERVAL_MS)
  const before = cpuSeconds()
  const started = performance.now()
  const until = started + seconds * 1000
  const one = async () => {
    for (let now = performance.now(); now < until; now = performance.now()) {
      await capture()
      durationsMs.push(performance.now() - now)
    }
  }
  try {
    await Promise.all(Array.from({ length: inFlight }, one))
  } finally {
    clearInterval(sampling)
  }
  const elapsed = (performance.now() - started) / 1000
  const after = cpuSeconds()
  const [node, browser, idle] = (['node', 'browser', 'idle'] as const).map((key) => after[key] - before[key])
  sample()
  durationsMs.sort((a, b) => a - b)
  const quantile = (part: number) =>
    durationsMs[Math.min(durationsMs.length - 1, Math.floor(part * durationsMs.length))]!
  return {
    count: durationsMs.length,
    perSecond: durationsMs.length / elapsed,
    p50Ms: quantile(0.5),
    p95Ms: quantile(0.95),
    nodeCpuMs: (node! * 1000) / durationsMs.length,
    browserCpuMs: (browser! * 1000) / durationsMs.length,
    othersBusy: Math.max(0, cpus().length - (idle! + node! + browser!) / elapsed),
    browserMegabytes: peak.browser,
    nodeMegabytes: peak.node,
  }
}

const PAGES_PER_MEGABYTE = 256
const TICKS_PER_SECOND = 100

/** All descendants of this process; empty without /proc. */
function descendants(): { pid: number; cpuSeconds: number }[] {
  const all = new Map<number, { parent: number; cpuSeconds: number }>()
  for (const name of listProcesses()) {
    const stat = read(`/proc/${name}/stat`)
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    // Its own time, and that of children that have exited.
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0)
    all.set(Number(name), { parent: fields[1]!, cpuSeconds: ticks / TICKS_PER_SECOND })
  }
  const isOurs = (pid: number): boolean => {
    for (let at = all.get(pid)?.parent; at !== undefined && at > 1; at = all.get(at)?.parent) {
      if (at === process.pid) return true
    }
    return false
  }
  return [...all].filter(([pid]) => isOurs(pid)).map(([pid, { cpuSeconds }]) => ({ pid, cpuSeconds }))
}

const descendantsMegabytes = (): number =>
  descendants().reduce((sum, { pid }) => {
    const [, resident = 0, shared = 0] = read(`/proc/${pid}/statm`).split(' ').map(Number)
    return sum + (resident - shared) / PAGES_PER_MEGABYTE
  }, 0)

/** CPU time of this process and of the browser, and idle time of the machine. */
function cpuSeconds(): { node: number; browser: number; idle: number } {
  const { user, system } = process.cpuUsage()
  return {
    node: (user + system) / 1e6,
    browser: descendants().reduce((sum, each) => sum + each.cpuSeconds, 0),
    idle: cpus().reduce((sum, { times }) => sum + times.idle, 0) / 1000,
  }
}

function listProcesses(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
