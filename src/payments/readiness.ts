import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'

/** Something that payments need, such as a node or the ledger. */
export type Part<Id extends string> = {
  readonly id: Id
  /** One sentence per problem, without secrets: clients see them. Empty if it can be used. */
  check(): Promise<readonly string[]>
}

/** Which parts can be used. A part that cannot is checked again until it can, and stays usable from then on. */
export type Readiness<Id extends string> = {
  /** Empty once the part can be used. */
  problems(id: Id): readonly string[]
  /** Seconds until the next check of a part that cannot be used. */
  retryAfterSeconds(): number
  /** Resolves when every part was checked once. */
  readonly firstCheck: Promise<unknown>
}

type Needs<Id extends string> = {
  readonly parts: readonly Part<Id>[]
  readonly clock: Pick<Clock, 'monotonic'>
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly log: Log
  /** Ends the checks. */
  readonly signal: AbortSignal
}

const MIN_CHECK_INTERVAL_MS = 10_000
const MAX_CHECK_INTERVAL_MS = 60_000
const NOT_CHECKED = ['It is still being checked.'] as const

export function startReadiness<Id extends string>(needs: Needs<Id>): Readiness<Id> {
  const { parts, clock, wait, log, signal } = needs
  const found = new Map<Id, readonly string[]>()
  const nextChecks = new Map<Id, number>()

  const check = async (part: Part<Id>): Promise<readonly string[]> => {
    try {
      return await part.check()
    } catch (error) {
      log.warn({ error, part: part.id }, 'A check of payments failed.')
      return ['It cannot be checked.']
    }
  }

  const update = async (part: Part<Id>): Promise<boolean> => {
    const problems = await check(part)
    const before = found.get(part.id)
    found.set(part.id, problems)
    // Once per change: a node that is down for a day is not a line a minute.
    if (problems.join() !== (before ?? []).join()) {
      if (problems.length > 0) log.warn({ part: part.id, problems }, 'Payments: a part is not ready; it is retried.')
      else log.info({ part: part.id }, 'Payments: a part that was not ready can be used now.')
    }
    return problems.length === 0
  }

  const retry = async (part: Part<Id>): Promise<void> => {
    for (let delayMs = MIN_CHECK_INTERVAL_MS; ; delayMs = Math.min(delayMs * 2, MAX_CHECK_INTERVAL_MS)) {
      nextChecks.set(part.id, clock.monotonic() + delayMs)
      await wait(delayMs, signal)
      if (signal.aborted || (await update(part))) break
    }
    nextChecks.delete(part.id)
  }

  const first = parts.map(async (part) => {
    // Rejects on abort only.
    if (!(await update(part))) retry(part).catch(() => {})
  })
  return {
    problems: (id) => found.get(id) ?? NOT_CHECKED,
    retryAfterSeconds() {
      const at = Math.min(...nextChecks.values())
      const leftMs = Number.isFinite(at) ? at - clock.monotonic() : 0
      return Math.max(1, Math.ceil(leftMs / 1000))
    },
    firstCheck: Promise.all(first),
  }
}
