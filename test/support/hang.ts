import { readdirSync, readFileSync } from 'node:fs'

/** How long a process has been ready to run while the machine was busy with others: time that it cannot answer for. */
export type DelayMeter = { delayMs(): number; stop(): void }

const SAMPLE_INTERVAL_MS = 250
/** A process that never answers is not excused for ever. */
const MAX_EXTENSION = 10

/** Of all threads together; always 0 where the system does not tell. `pid` may change when the process is started again. */
export function createDelayMeter(pid: () => number): DelayMeter {
  let before = 0
  let current = { pid: 0, ms: 0 }
  const sample = () => {
    const now = { pid: pid(), ms: delayOf(pid()) }
    if (now.pid !== current.pid) before += current.ms
    // A thread that ended takes its time with it.
    current = now.pid === current.pid ? { ...now, ms: Math.max(now.ms, current.ms) } : now
  }
  sample()
  const timer = setInterval(sample, SAMPLE_INTERVAL_MS)
  timer.unref()
  return { delayMs: () => before + current.ms, stop: () => clearInterval(timer) }
}

function delayOf(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.reduce((sum, thread) => sum + delayIn(`/proc/${pid}/task/${thread}/schedstat`), 0)
  } catch {
    return 0
  }
}

/** The second number is the time on the run queue, in nanoseconds. */
function delayIn(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

/** Calls `onHang` when `limitMs` are over, without the time in which the process was kept waiting. Returns a way to cancel. */
export function watchForHang(
  limitMs: number,
  { delayMs }: Pick<DelayMeter, 'delayMs'>,
  onHang: () => void,
): () => void {
  const startedAt = performance.now()
  const delayedBefore = delayMs()
  const look = () => {
    const elapsedMs = performance.now() - startedAt
    const leftMs = limitMs - (elapsedMs - (delayMs() - delayedBefore))
    if (leftMs <= 0 || elapsedMs >= limitMs * MAX_EXTENSION) onHang()
    else timer = setTimeout(look, Math.max(leftMs, SAMPLE_INTERVAL_MS))
  }
  let timer = setTimeout(look, limitMs)
  return () => clearTimeout(timer)
}
