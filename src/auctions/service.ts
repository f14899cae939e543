import type { Clock } from '../kernel/clock.ts'
import { ApiError, UpstreamError } from '../kernel/errors.ts'
import type { SourceId } from './auction.ts'
import { type AuctionsQuery, toListingQuery } from './query.ts'
import { formatPage } from './format-page.ts'
import type { ListingIndex } from './listing-index.ts'

type Needs = {
  /** Null if no feed is configured. */
  readonly index: ListingIndex | null
  /** The configured sources. */
  readonly sources: readonly SourceId[]
  readonly clock: Clock
}

export type Auctions = ReturnType<typeof createAuctions>

export function createAuctions({ index, sources, clock }: Needs) {
  return {
    async list(input: AuctionsQuery, signal?: AbortSignal) {
      if (sources.length === 0) throw new ApiError('service_unavailable', NOT_CONFIGURED, { off: true })
      if (!index) throw new ApiError('service_unavailable', 'The auction index is not available.')
      const query = toListingQuery(input, sources, clock.now())
      const page = await index.search(query, signal).catch((error: unknown) => fail(error, index.problem?.() ?? null))
      if (sources.every((id) => page.sources[id].lastSync === null)) {
        throw new ApiError('service_unavailable', 'No auctions have been loaded yet.')
      }
      return formatPage(page, { sources, limit: input.limit, offset: input.offset })
    },
  }
}

const NOT_CONFIGURED = 'No auction source is configured; ONOMA_AUCTIONS=namecheap,sedo configures public ones.'

/** A full queue becomes 503 with Retry-After, a file that cannot be used 503 with the reason; others are passed on. */
function fail(error: unknown, problem: string | null): never {
  if (!(error instanceof UpstreamError)) throw error
  if (error.retryAfterMs === undefined) {
    if (problem === null) throw error
    throw new ApiError('service_unavailable', `The file of the auctions cannot be used: ${problem}.`, { cause: error })
  }
  const seconds = String(Math.ceil(error.retryAfterMs / 1000))
  throw new ApiError('service_unavailable', 'The auction search queue is full; retry in a moment.', {
    cause: error,
    headers: { 'Retry-After': seconds },
  })
}
