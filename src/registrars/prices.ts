import * as z from 'zod'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Random } from '../kernel/random.ts'
import { sleep } from '../kernel/sleep.ts'
import { findListProblem, type PriceList, type TldPrice } from './price-list.ts'

/** The prices of one registrar, refreshed once a day. */
export type Prices = {
  /** The last list, also of an earlier process; null before the first. */
  current(): Promise<PriceList | null>
  /** Fetches the list, unless another instance has stored a recent one. A list that cannot be right is rejected. */
  refresh(signal?: AbortSignal): Promise<'replaced' | 'recent' | 'rejected'>
  /** Uses the stored list, then refreshes once a day. */
  start(): Promise<void>
  close(): void
}

type Needs = {
  /** Throws UpstreamError. */
  readonly load: (
    signal: AbortSignal | undefined,
  ) => Promise<{ readonly prices: ReadonlyMap<string, TldPrice>; readonly refused: readonly string[] }>
  /** Where the last list is kept, so that a restart does not fetch it again. */
  readonly store: { read(): Promise<string | undefined>; write(content: string): Promise<void> }
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** True in the sandbox: its registrar may be asked at once, and people look at prices within seconds. */
  readonly isSimulated?: boolean
  /** Sleeps; rejects on abort. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** After this, a stored list is due; a little less than a day, so that a daily restart does not skip one. */
const RECENT_MS = 23 * HOUR_MS

const Stored = z.object({
  fetchedAt: z.number(),
  prices: z.record(z.string(), z.tuple([z.number().positive(), z.number().positive().nullable()])),
})

export function createPrices({ load, store, clock, random, log, ...needs }: Needs): Prices {
  const wait = needs.wait ?? ((ms, signal) => sleep(ms, signal, { keepsProcessAlive: false }))
  const closing = new AbortController()
  let list: PriceList | null = null
  let firstRead: Promise<void> | undefined

  async function readStored(): Promise<void> {
    try {
      const content = await store.read()
      if (content === undefined) return
      const { fetchedAt, prices } = Stored.parse(JSON.parse(content))
      // A clock that was wrong would keep out every later list.
      if (fetchedAt > clock.now() || (list && fetchedAt <= list.asOf)) return
      list = {
        asOf: fetchedAt,
        prices: new Map(
          Object.entries(prices).map(([tld, [registration, renewal]]) => [tld, { registration, renewal }]),
        ),
      }
    } catch (error) {
      log.warn({ error }, 'The stored price list cannot be used; it is fetched again.')
    }
  }

  async function writeStored({ asOf, prices }: PriceList): Promise<void> {
    const rows = [...prices].map(([tld, { registration, renewal }]) => [tld, [registration, renewal]])
    try {
      await store.write(JSON.stringify({ fetchedAt: asOf, prices: Object.fromEntries(rows) }))
    } catch (error) {
      log.warn({ error }, 'The price list could not be written to disk; a restart fetches it again.')
    }
  }

  const ageMs = (): number => (list ? clock.now() - list.asOf : Infinity)

  async function refresh(signal?: AbortSignal): Promise<'replaced' | 'recent' | 'rejected'> {
    await readStored()
    if (ageMs() < RECENT_MS) return 'recent'
    try {
      const fetched = await load(signal)
      const problem = findListProblem(fetched, list?.prices)
      if (problem !== undefined) throw new Error(`The price list is not believed: ${problem}.`)
      const { prices, refused } = fetched
      if (refused.length > 0)
        log.warn({ tlds: refused.slice(0, 10) }, 'Negative or implausible prices were left out of the price list.')
      list = { asOf: clock.now(), prices }
      await writeStored(list)
      return 'replaced'
    } catch (error) {
      if (!signal?.aborted) log.warn({ error }, 'The price list was not refreshed; the last prices stay in use.')
      return 'rejected'
    }
  }

  async function refreshForEver(signal: AbortSignal): Promise<void> {
    // After a random delay: not with the first requests of a new process, nor at the same time as other instances.
    const delayMs = needs.isSimulated === true ? 0 : 10_000 + random.fraction() * 50_000
    let pauseMs = Math.max(RECENT_MS - ageMs(), 0) + delayMs
    while (!signal.aborted) {
      await wait(pauseMs, signal)
      const outcome = await refresh(signal)
      pauseMs = (outcome === 'rejected' ? HOUR_MS : DAY_MS) * (0.9 + 0.2 * random.fraction())
    }
  }

  return {
    async current() {
      // A single command, which starts no background work, shows the stored prices too.
      await (firstRead ??= readStored())
      return list
    },
    refresh,
    async start() {
      await (firstRead ??= readStored())
      refreshForEver(closing.signal).catch((error: unknown) => {
        if (!closing.signal.aborted) log.error({ error }, 'The price list is no longer refreshed.')
      })
    },
    close() {
      closing.abort()
    },
  }
}
