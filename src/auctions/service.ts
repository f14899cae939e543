import type { Clock } from '../kernel/clock.ts'
import { ApiError, UpstreamError } from '../kernel/errors.ts'
import type { SourceId } from './auction.ts'
import { type Asked, questionOf } from './query.ts'
import { answerOf } from './shape.ts'
import type { Shelf } from './shelf.ts'

type Needs = {
  /** Null where it cannot be used. */
  readonly shelf: Shelf | null
  /** Those that are configured. */
  readonly sources: readonly SourceId[]
  readonly clock: Clock
}

export type Auctions = ReturnType<typeof createAuctions>

export function createAuctions({ shelf, sources, clock }: Needs) {
  return {
    async list(asked: Asked, signal?: AbortSignal) {
      if (sources.length === 0) throw new ApiError('service_unavailable', 'No auction source is configured.')
      if (!shelf) throw new ApiError('service_unavailable', 'The auctions cannot be read.')
      const question = questionOf(asked, sources, clock.now())
      const page = await shelf.search(question, signal).catch(refuseIfBusy)
      if (sources.every((id) => page.sources[id].lastSync === null)) {
        throw new ApiError('service_unavailable', 'No auctions have been loaded yet.')
      }
      return answerOf(page, { sources, limit: asked.limit, offset: asked.offset })
    },
  }
}

/** Too many at once is no failure of ours; anything else that goes wrong with a search is. */
function refuseIfBusy(error: unknown): never {
  if (!(error instanceof UpstreamError) || error.retryAfterMs === undefined) throw error
  const seconds = String(Math.ceil(error.retryAfterMs / 1000))
  throw new ApiError('service_unavailable', 'Too many searches for auctions wait; ask again in a moment.', {
    cause: error,
    headers: { 'Retry-After': seconds },
  })
}
