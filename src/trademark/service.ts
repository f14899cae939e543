import type { Clock } from '../kernel/clock.ts'
import { ApiError, UpstreamError } from '../kernel/errors.ts'
import type { Enrich } from './enrich.ts'
import type { Day } from './record.ts'
import {
  type PageWithInfo,
  type IndexInfo,
  type Life,
  MAX_REACHABLE_RESULTS,
  type SearchIndex,
} from './search-index.ts'
import { DISCLAIMER, toResult } from './shape.ts'

type Needs = {
  /** Null until one is configured and open. */
  readonly index: () => SearchIndex | null
  /** Why there is an index that cannot be searched, as a sentence; null if nothing is known against it. */
  readonly problem?: () => string | null
  readonly clock: Clock
  /** Loads current data from a record system. Without it, results have the data of the imported files. */
  readonly enrich?: Enrich | null
}

type Paging = { readonly limit: number; readonly offset: number }
type TextInput = Paging & { readonly q: string; readonly status: Life }
type MarkInput = TextInput & { readonly class?: string | undefined; readonly group?: 'mark' | undefined }

const DAY_MS = 86_400_000
const NEVER = '0001-01-01T00:00:00Z'

export type Trademarks = ReturnType<typeof createTrademarks>

export function createTrademarks({ index, problem = () => null, clock, enrich = null }: Needs) {
  /** Runs a search and builds the response. */
  async function answer(
    query: string,
    paging: Paging,
    signal: AbortSignal,
    ask: (index: SearchIndex) => Promise<PageWithInfo>,
  ) {
    checkReachable(paging)
    const startedAt = clock.monotonic()
    const open = index()
    if (!open?.info()) {
      const why = problem()
      throw new ApiError('service_unavailable', why ?? NO_INDEX, { off: why === null })
    }
    const { hits, total, isLowerBound, info } = await ask(open).catch((error: unknown) => {
      const why = error instanceof UpstreamError ? problem() : null
      throw why === null ? error : new ApiError('service_unavailable', why, { cause: error })
    })
    const current = await enrich?.(
      hits.map(({ record }) => record.serial),
      signal,
    )
    return {
      results: hits.map((hit, at) => toResult(hit, current?.[at])),
      total,
      ...(isLowerBound && { total_is_lower_bound: true as const }),
      limit: paging.limit,
      offset: paging.offset,
      query,
      took_ms: Math.round(clock.monotonic() - startedAt),
      index_info: {
        total_documents: info.documents,
        last_updated: info.lastUpdated,
        snapshot: info.snapshot,
        ...(info.scope !== undefined && { scope: info.scope }),
      },
      disclaimer: DISCLAIMER,
    }
  }

  return {
    search: ({ q, status, class: given, group, ...paging }: MarkInput, signal: AbortSignal) => {
      const only = given === undefined ? undefined : parseClass(given)
      const question = { ...paging, text: q, life: status, class: only, group }
      return answer(q, paging, signal, (open) => open.search(question, signal))
    },
    byDescription: ({ q, status, ...paging }: TextInput, signal: AbortSignal) =>
      answer(q, paging, signal, (open) => open.byDescription({ ...paging, text: q, life: status }, signal)),
    byOwner: ({ q, status, ...paging }: TextInput, signal: AbortSignal) =>
      answer(q, paging, signal, (open) => open.byOwner({ ...paging, text: q, life: status }, signal)),
    expiring: ({ days, ...paging }: Paging & { readonly days: number }, signal: AbortSignal) => {
      const range = { from: dayOf(clock.now()), to: dayOf(clock.now() + days * DAY_MS) }
      return answer('', paging, signal, (open) => open.expiring({ ...paging, ...range }, signal))
    },
    status() {
      const info: IndexInfo | null = index()?.info() ?? null
      return {
        available: info !== null,
        total_documents: info?.documents ?? 0,
        index_size_bytes: info?.bytes ?? 0,
        last_updated: info?.lastUpdated ?? NEVER,
        ...(info?.scope !== undefined && { scope: info.scope }),
      }
    },
  }
}

const NO_INDEX =
  'No trademark index is loaded at this service. Its operator can load the last two years within minutes with `onoma trademark fetch --years 2 --import`, or the whole register with `onoma trademark fetch --annual --import`; both need the free key ONOMA_TRADEMARK_OFFICE_KEY. GET /v1/trademark/search/status shows when an index is available.'

function checkReachable({ limit, offset }: Paging): void {
  if (offset + limit <= MAX_REACHABLE_RESULTS) return
  throw new ApiError(
    'invalid_parameter',
    `offset and limit together must not exceed ${MAX_REACHABLE_RESULTS}; use a narrower query.`,
  )
}

/** `009` for 9, 09 and 009. A, B and 200 are classes outside the 45 of the Nice classification. */
function parseClass(given: string): string {
  const text = given.trim().toUpperCase()
  if (/^(?:A|B|200)$/.test(text)) return text
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (number >= 1 && number <= 45) return String(number).padStart(3, '0')
  throw new ApiError('invalid_parameter', 'class must be a Nice class from 1 to 45 (also written 009), or A, B or 200.')
}

const dayOf = (ms: number): Day => Number(new Date(ms).toISOString().slice(0, 10).replaceAll('-', ''))
