import type { Clock } from '../kernel/clock.ts'
import { ApiError } from '../kernel/errors.ts'
import { FARTHEST } from './contract.ts'
import type { Enrich } from './enrich.ts'
import type { Day } from './record.ts'
import type { AnsweredPage, IndexInfo, Life, SearchIndex } from './search-index.ts'
import { DISCLAIMER, resultOf } from './shape.ts'

type Needs = {
  /** Null while there is none. */
  readonly index: () => SearchIndex | null
  readonly clock: Clock
  /** Asks a record system about results; without it they have what the files of the register say. */
  readonly enrich?: Enrich | null
}

type Paging = { readonly limit: number; readonly offset: number }
type Words = Paging & { readonly q: string; readonly status: Life }
type MarkWords = Words & { readonly class?: string | undefined; readonly group?: 'mark' | undefined }

const DAY_MS = 86_400_000
const NEVER = '0001-01-01T00:00:00Z'

export type Trademarks = ReturnType<typeof createTrademarks>

export function createTrademarks({ index, clock, enrich = null }: Needs) {
  /** Asks the index and puts the answer into its envelope. */
  async function answer(
    query: string,
    paging: Paging,
    signal: AbortSignal,
    ask: (index: SearchIndex) => Promise<AnsweredPage>,
  ) {
    mustReach(paging)
    const began = clock.monotonic()
    const open = index()
    if (!open?.info()) throw new ApiError('service_unavailable', NO_INDEX)
    const { hits, total, isLowerBound, info } = await ask(open)
    const looked = await enrich?.(
      hits.map(({ record }) => record.serial),
      signal,
    )
    return {
      results: hits.map((hit, at) => resultOf(hit, looked?.[at])),
      total,
      ...(isLowerBound && { total_is_lower_bound: true as const }),
      limit: paging.limit,
      offset: paging.offset,
      query,
      took_ms: Math.round(clock.monotonic() - began),
      index_info: { total_documents: info.documents, last_updated: info.lastUpdated, snapshot: info.snapshot },
      disclaimer: DISCLAIMER,
    }
  }

  return {
    search: ({ q, status, class: given, group, ...paging }: MarkWords, signal: AbortSignal) => {
      const only = given === undefined ? undefined : classOf(given)
      const question = { ...paging, text: q, life: status, class: only, group }
      return answer(q, paging, signal, (open) => open.search(question, signal))
    },
    byDescription: ({ q, status, ...paging }: Words, signal: AbortSignal) =>
      answer(q, paging, signal, (open) => open.byDescription({ ...paging, text: q, life: status }, signal)),
    byOwner: ({ q, status, ...paging }: Words, signal: AbortSignal) =>
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
      }
    },
  }
}

const NO_INDEX =
  'No trademark index is loaded at this service (command `onoma trademark import`); GET /v1/trademark/search/status tells when there is one.'

function mustReach({ limit, offset }: Paging): void {
  if (offset + limit <= FARTHEST) return
  throw new ApiError('invalid_parameter', `offset and limit together may be at most ${FARTHEST}; narrow the question.`)
}

/** `009` for 9, 09 and 009; the few classes that are none of the 45 stay as they are. */
function classOf(given: string): string {
  const text = given.trim().toUpperCase()
  if (/^(?:A|B|200)$/.test(text)) return text
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (number >= 1 && number <= 45) return String(number).padStart(3, '0')
  throw new ApiError('invalid_parameter', 'class must be a Nice class from 1 to 45 (also written 009), or A, B or 200.')
}

const dayOf = (ms: number): Day => Number(new Date(ms).toISOString().slice(0, 10).replaceAll('-', ''))
