import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { openIndex } from '../../trademark/engine/open.ts'
import type { SearchIndex } from '../../trademark/search-index.ts'
import type { Config } from '../settings/config.ts'

/** The trademark index of the configured folder, which may not be there yet, or not usable. */
export type TrademarkIndex = {
  current(): SearchIndex | null
  /** Why there is an index that cannot be searched, as a sentence without paths; null if nothing is known against it. */
  problem(): string | null
  /** Loads it; a search waits until it is loaded. Never rejects. */
  start(): Promise<void>
  close(): Promise<void>
}

type Needs = { readonly config: Pick<Config, 'trademarkIndex'>; readonly clock: Clock; readonly log: Log }

/** How often an index that cannot be used is tried again. */
const RETRY_INTERVAL_MS = 5_000

/** An index that cannot be used disables trademark search, not the rest; it is left as it is, and tried again. */
export function openTrademarkIndex({ config: { trademarkIndex: folder }, clock, log }: Needs): TrademarkIndex {
  let index: ReturnType<typeof openIndex> | null = null
  let problem: string | null = null
  let triedAt = -Infinity
  let isClosed = false

  const fail = (error: unknown, message: string): void => {
    const text = error instanceof Error ? error.message : String(error)
    const why = text.replaceAll(`${folder}/`, '').replaceAll(folder, 'the folder')
    if (why !== problem) log.error({ error }, message)
    problem = why
  }

  const open = (): void => {
    triedAt = clock.monotonic()
    try {
      index = openIndex(folder, {
        onLoadError: (error) =>
          log.error({ error }, 'A newer trademark index cannot be used; the previous one is searched.'),
      })
      problem = null
    } catch (error) {
      fail(error, 'The trademark index cannot be used; trademark search is disabled.')
    }
  }

  const load = async (): Promise<void> => {
    try {
      await index?.ready()
      if (index) problem = null
    } catch (error) {
      fail(error, 'The trademark index cannot be read.')
    }
  }

  const tryAgain = (): void => {
    if (problem === null || isClosed || clock.monotonic() - triedAt < RETRY_INTERVAL_MS) return
    triedAt = clock.monotonic()
    if (!index) open()
    void load()
  }

  open()
  return {
    current() {
      tryAgain()
      return index
    },
    problem() {
      tryAgain()
      return problem
    },
    start: load,
    async close() {
      isClosed = true
      await index?.close()
    },
  }
}
