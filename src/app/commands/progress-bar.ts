import type { Clock } from '../../kernel/clock.ts'
import type { Output } from '../../surfaces/cli/output.ts'

/** Progress of a task, in any unit. */
export type Step = {
  /** What is being done. */
  readonly label: string
  readonly done: number
  readonly total: number
  /** Shown after the percentage, for example a count. */
  readonly detail: string
}

/** Minimum time between two drawings of the bar, or two lines if the output is not a terminal. */
const DRAW_INTERVAL_MS = 100
const LINE_INTERVAL_MS = 5_000
/** The remaining time is estimated from the progress in this period. */
const RECENT_MS = 30_000
const BAR_WIDTH = 24

/** Shows progress: as a bar that is redrawn in place on a terminal, otherwise as plain lines. */
export function createProgressBar(output: Output, clock: Clock) {
  const isTerminal = output.isTTY === true
  let shown = false
  let last = -Infinity
  let label = ''
  let recent: { readonly at: number; readonly done: number }[] = []

  function clear(): void {
    if (shown) output.write('\r\u001b[K')
    shown = false
  }

  /** Remaining milliseconds; null while unknown. */
  function remainingMs(now: number, { done, total }: Step): number | null {
    recent = [...recent.filter(({ at }) => now - at <= RECENT_MS), { at: now, done }]
    const [first] = recent
    const [time, gained] = [now - first!.at, done - first!.done]
    return time < 1000 || gained <= 0 ? null : ((total - done) * time) / gained
  }

  return {
    show(step: Step): void {
      const now = clock.monotonic()
      if (step.label !== label) {
        label = step.label
        recent = []
        last = isTerminal ? -Infinity : now
      }
      if (now - last < (isTerminal ? DRAW_INTERVAL_MS : LINE_INTERVAL_MS)) {
        if (recent.length === 0) recent = [{ at: now, done: step.done }]
        return
      }
      last = now
      const share = step.total === 0 ? 0 : Math.min(1, step.done / step.total)
      const left = remainingMs(now, step)
      const percent = `${Math.floor(share * 100)} %`
      const parts = [label, percent, step.detail, ...(left === null ? [] : [`about ${formatDuration(left)} left`])]
      if (!isTerminal) return void output.write(`${parts.join(', ')}\n`)
      const filled = Math.round(share * BAR_WIDTH)
      const line = `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${parts.join(', ')}`
      clear()
      // A line longer than the terminal would wrap and could not be cleared.
      output.write(line.slice(0, Math.max(20, output.columns || 80) - 1))
      shown = true
    },
    /** Writes a line that stays, above the bar. */
    say(line: string): void {
      clear()
      output.write(`${line}\n`)
    },
    clear,
  }
}

/** 45 s, 12 min, 3 h 20 min; rounded up. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  if (seconds < 90) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 90) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
