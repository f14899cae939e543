import type { Clock } from '../kernel/clock.ts'
import { UpstreamError } from '../kernel/errors.ts'
import type { FeedId } from './auction.ts'
import {
  type AuctionHouse,
  type Delivery,
  FeedError,
  type MissingColumn,
  type Offer,
  type Refusal,
} from './auction-house.ts'
import { type Hashed, type SyncSession, type ListingStore, LeaseLost } from './listing-store.ts'
import { createRefusals, requiredColumns } from './refusals.ts'

/** The result of one sync. */
export type SyncReport = {
  readonly source: FeedId
  readonly outcome: 'complete' | 'unchanged' | 'busy' | 'failed'
  /** Records read, how many were refused, and the refusals by reason. */
  readonly rows: number
  readonly refused: number
  readonly reasons: Readonly<Record<string, number>>
  /** A few refused records of each reason. */
  readonly examples: Readonly<Record<string, readonly string[]>>
  /** Columns that the feed should have and no record had. */
  readonly missingColumns: readonly string[]
  readonly added: number
  readonly changed: number
  readonly removed: number
  /** Live auctions missing from the delivery, kept because too many were missing at once. */
  readonly kept: number
  readonly elapsedMs: number
  /** Why it failed, for the operator. */
  readonly problem?: string
  /** Whether an early retry may help, and the minimum delay before it. */
  readonly retryable?: boolean
  readonly retryAfterMs?: number
}

type Needs<T extends object> = {
  readonly house: AuctionHouse<T>
  readonly store: ListingStore<T>
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onProgress?: (rows: number) => void
}

/** More refused records than this mean that the feed's format has changed. */
const MAX_REFUSED_SHARE = 0.1
/** With fewer records a single bad one means little. */
const MIN_ROWS_TO_JUDGE = 20
const DUPLICATE = 'duplicate id'

/** Reads one delivery into the store. Throws only unexpected errors and the signal's reason. */
export async function syncSource<T extends object>({
  house,
  store,
  clock,
  signal,
  onProgress,
}: Needs<T>): Promise<SyncReport> {
  const began = clock.monotonic()
  const count = { rows: 0, refused: 0, added: 0, changed: 0, removed: 0, kept: 0 }
  const refusals = createRefusals(house.secrets)
  let delivery: Delivery<T> | null = null
  const missing = (): readonly MissingColumn[] => (count.rows === 0 ? [] : (delivery?.missingColumns() ?? []))
  const report = (outcome: SyncReport['outcome'], more: Partial<SyncReport> = {}): SyncReport => ({
    source: house.id,
    outcome,
    ...count,
    reasons: refusals.reasons,
    examples: refusals.examples,
    missingColumns: missing().map(({ column }) => column),
    elapsedMs: Math.round(clock.monotonic() - began),
    ...more,
  })
  const session = store.begin(house.id)
  if (!session) return report('busy')
  const refuse = (refusal: Refusal) => {
    count.refused++
    refusals.add(refusal)
  }
  const isBeyondUse = () => count.rows >= MIN_ROWS_TO_JUDGE && count.refused > count.rows * MAX_REFUSED_SHARE
  /** A renamed column explains all refusals; without one the most frequent reason says most. */
  const describe = (): string => {
    const columns = requiredColumns(missing())
    if (columns !== null) return `The feed has no ${columns}: its format has changed.`
    return `${count.refused} of ${count.rows} records are not valid ${house.contents}, mostly because ${refusals.main()}.`
  }
  const storeBatch = (offers: readonly Offer<T>[]) => {
    const records: Hashed<T>[] = []
    for (const { id, mark, read } of offers) {
      const known = id === null ? 'other' : session.compare(id, mark)
      if (known === 'same') continue
      const row = known === 'twice' ? { refused: DUPLICATE, value: id } : read()
      if ('refused' in row) refuse(row)
      else records.push({ record: row, mark })
    }
    count.rows += offers.length
    if (isBeyondUse()) throw new FeedError(describe())
    const written = session.put(records)
    count.added += written.added
    count.changed += written.changed
    for (const id of written.duplicates) refuse({ refused: DUPLICATE, value: id })
    onProgress?.(count.rows)
  }
  try {
    delivery = await house.deliver(session.validator, signal)
    if (!delivery) {
      session.unchanged()
      return report('unchanged')
    }
    try {
      for await (const offers of delivery.offers()) {
        signal.throwIfAborted()
        storeBatch(offers)
      }
    } finally {
      delivery.dispose()
    }
    if (count.rows === 0) throw new FeedError(`The feed contains no ${house.contents}.`)
    if (isBeyondUse() || count.rows === count.refused) throw new FeedError(describe())
    Object.assign(count, session.complete(delivery, count))
    return report('complete')
  } catch (error) {
    return report('failed', failureReport(error, session, signal))
  }
}

function failureReport(error: unknown, session: Pick<SyncSession, 'fail'>, signal: AbortSignal): Partial<SyncReport> {
  const problem = error instanceof Error ? error.message : String(error)
  session.fail(signal.aborted ? 'stopped' : problem)
  signal.throwIfAborted()
  if (error instanceof UpstreamError) {
    const { retryable, retryAfterMs } = error
    return { problem, retryable, ...(retryAfterMs !== undefined && { retryAfterMs }) }
  }
  // Anything else is a bug or a full disk: rethrow it.
  if (!(error instanceof FeedError) && !(error instanceof LeaseLost)) throw error
  return { problem, retryable: true }
}
