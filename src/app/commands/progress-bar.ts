import type { Clock } from '../../kernel/clock.ts'
import type { Output } from '../../surfaces/cli/output.ts'

/** How far something is, in whatever it is counted. */
export type Step = {
  /** What is being done. */
  readonly words: string
  readonly done: number
  readonly total: number
  /** To be said beside it, like a count. */
  readonly more: string
}

/** A bar is drawn so often at most; where nobody looks at a terminal, a line is written now and then. */
const DRAW_MS = 100
const LINE_MS = 5_000
/** The time to go is told from what was done in this time: what was long ago says little about what comes. */
const RECENT_MS = 30_000
const BAR = 24

/** Shows how far it is: as a bar that stays on its line of a terminal, or as plain lines. */
export function createProgressBar(output: Output, clock: Clock) {
  const isTerminal = output.isTTY === true
  let shown = false
  let last = -Infinity
  let words = ''
  let recent: { readonly at: number; readonly done: number }[] = []

  function clear(): void {
    if (shown) output.write('\r\u001b[K')
    shown = false
  }

  /** Milliseconds to go, or null where it cannot be known yet. */
  function timeToGo(now: number, { done, total }: Step): number | null {
    recent = [...recent.filter(({ at }) => now - at <= RECENT_MS), { at: now, done }]
    const [first] = recent
    const [time, gained] = [now - first!.at, done - first!.done]
    return time < 1000 || gained <= 0 ? null : ((total - done) * time) / gained
  }

  return {
    show(step: Step): void {
      const now = clock.monotonic()
      if (step.words !== words) {
        words = step.words
        recent = []
        last = isTerminal ? -Infinity : now
      }
      if (now - last < (isTerminal ? DRAW_MS : LINE_MS)) {
        if (recent.length === 0) recent = [{ at: now, done: step.done }]
        return
      }
      last = now
      const part = step.total === 0 ? 0 : Math.min(1, step.done / step.total)
      const left = timeToGo(now, step)
      const percent = `${Math.floor(part * 100)} %`
      const said = [words, percent, step.more, ...(left === null ? [] : [`about ${durationOf(left)} to go`])]
      if (!isTerminal) return void output.write(`${said.join(', ')}\n`)
      const full = Math.round(part * BAR)
      const line = `[${'#'.repeat(full)}${'.'.repeat(BAR - full)}] ${said.join(', ')}`
      clear()
      // A line that is longer than the terminal could not be taken back.
      output.write(line.slice(0, Math.max(20, output.columns || 80) - 1))
      shown = true
    },
    /** A line that stays. */
    say(line: string): void {
      clear()
      output.write(`${line}\n`)
    },
    clear,
  }
}

/** 45 s, 12 min, 3 h 20 min: rounded up, since it is better to be early. */
export function durationOf(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  if (seconds < 90) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 90) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
