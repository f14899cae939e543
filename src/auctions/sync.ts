import type { Clock } from '../kernel/clock.ts'
import { UpstreamError } from '../kernel/errors.ts'
import type { SourceId } from './auction.ts'
import { type AuctionHouse, FeedError, type Offer } from './auction-house.ts'
import { type Marked, type Restocking, type Stock, StockLost } from './stock.ts'

/** What came of one run. */
export type SyncReport = {
  readonly source: SourceId
  readonly outcome: 'complete' | 'unchanged' | 'busy' | 'failed'
  /** Records read, and those of them that were no auction, by reason. */
  readonly rows: number
  readonly refused: number
  readonly reasons: Readonly<Record<string, number>>
  readonly added: number
  readonly changed: number
  readonly removed: number
  /** Live auctions kept although the delivery did not have them: too many to be believed gone. */
  readonly kept: number
  readonly elapsedMs: number
  /** Why it failed, for the operator. */
  readonly problem?: string
  /** Whether asking again soon may help, and after how long at the least. */
  readonly retryable?: boolean
  readonly retryAfterMs?: number
}

type Needs = {
  readonly house: AuctionHouse
  readonly stock: Stock
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onProgress?: (rows: number) => void
}

/** One record in ten that is no auction means that the feed has changed its shape, or is something else. */
const MAX_REFUSED = 0.1
/** Before that many records one bad one says little; none of them is put before they are judged. */
const MIN_TO_JUDGE = 20
const TWICE = { refused: 'the id was there before' }

/** Reads one delivery into the stock. Throws only what nobody could foresee, and the reason of the signal. */
export async function syncSource({ house, stock, clock, signal, onProgress }: Needs): Promise<SyncReport> {
  const began = clock.monotonic()
  const count = { rows: 0, refused: 0, added: 0, changed: 0, removed: 0, kept: 0 }
  const reasons: Record<string, number> = {}
  const report = (outcome: SyncReport['outcome'], more: Partial<SyncReport> = {}): SyncReport => ({
    source: house.id,
    outcome,
    ...count,
    reasons,
    elapsedMs: Math.round(clock.monotonic() - began),
    ...more,
  })
  const restocking = stock.begin(house.id)
  if (!restocking) return report('busy')
  const refuse = (why: string) => {
    count.refused++
    reasons[why] = (reasons[why] ?? 0) + 1
  }
  const take = (offers: readonly Offer[]) => {
    const auctions: Marked[] = []
    for (const { id, mark, read } of offers) {
      const known = id === null ? 'other' : restocking.recognise(id, mark)
      if (known === 'same') continue
      const row = known === 'twice' ? TWICE : read()
      if ('refused' in row) refuse(row.refused)
      else auctions.push({ auction: row, mark })
    }
    count.rows += offers.length
    mustBeGood(count)
    const taken = restocking.put(auctions)
    count.added += taken.added
    count.changed += taken.changed
    for (let more = taken.duplicates; more > 0; more--) refuse(TWICE.refused)
    onProgress?.(count.rows)
  }
  try {
    const delivery = await house.deliver(restocking.validator, signal)
    if (!delivery) {
      restocking.unchanged()
      return report('unchanged')
    }
    try {
      for await (const offers of delivery.offers()) {
        signal.throwIfAborted()
        take(offers)
      }
    } finally {
      delivery.dispose()
    }
    mustBeGood(count)
    if (count.rows === count.refused) throw new FeedError('The feed has no auctions in it.')
    Object.assign(count, restocking.complete(delivery.validator, count))
    return report('complete')
  } catch (error) {
    return report('failed', failureOf(error, restocking, signal))
  }
}

function mustBeGood({ rows, refused }: { readonly rows: number; readonly refused: number }): void {
  if (rows >= MIN_TO_JUDGE && refused > rows * MAX_REFUSED) {
    throw new FeedError(`${refused} of ${rows} records are no auctions.`)
  }
}

function failureOf(error: unknown, restocking: Restocking, signal: AbortSignal): Partial<SyncReport> {
  const problem = error instanceof Error ? error.message : String(error)
  restocking.fail(signal.aborted ? 'stopped' : problem)
  signal.throwIfAborted()
  if (error instanceof UpstreamError) {
    const { retryable, retryAfterMs } = error
    return { problem, retryable, ...(retryAfterMs !== undefined && { retryAfterMs }) }
  }
  // Anything else is a mistake of ours or a disk that is full: told, not hidden.
  if (!(error instanceof FeedError) && !(error instanceof StockLost)) throw error
  return { problem, retryable: true }
}
