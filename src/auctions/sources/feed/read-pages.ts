import type { Clock } from '../../../kernel/clock.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import { FeedError, type Offer } from '../../auction-house.ts'
import type { FeedMap, Pages } from './feed-map.ts'
import { findPageError, toRecord } from './page-errors.ts'
import { readText } from './read-text.ts'

type Needs<T> = {
  readonly location: string
  readonly map: FeedMap & { readonly pages: Pages }
  readonly source: string
  readonly secrets: readonly string[]
  /** Downloads a page and returns the path of its file. */
  readonly fetchPage: (url: string, signal: AbortSignal) => Promise<string>
  readonly toOffer: (record: unknown, text: string) => Offer<T>
  readonly clock: Clock
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
}

/** Larger than the largest feed with pages has been by a factor of four. */
const MAX_PAGES = 2000
/** A sync of hundreds of pages should not fail for a single one. */
const MAX_ATTEMPTS = 3
const FIRST_RETRY_MS = 5000
/** The lease of the sync ends if nothing is written for longer. */
const MAX_RETRY_MS = 90_000
const TOTAL_TIMEOUT_MS = 60 * 60_000
const MAX_UNPACKED_BYTES = 64 * 1024 ** 2

/** Requests page after page at the provider's pace, until a page is short or says that it is the last. */
export async function* readPages<T>(needs: Needs<T>): AsyncGenerator<Offer<T>[]> {
  const { location, map, toOffer, clock, wait, signal } = needs
  const { pages, list } = map
  const size = pageSize(location, pages)
  const began = clock.monotonic()
  for (let page = 1; page <= MAX_PAGES; page++) {
    const asked = clock.monotonic()
    if (asked - began > TOTAL_TIMEOUT_MS) throw new UpstreamError('timeout', 'The pages of the feed take too long.')
    const body = await fetchWithRetry(pageUrl(location, pages, page), needs)
    const records = findList(body, list)
    yield records.map((record) => toOffer(record, JSON.stringify(record)))
    const isLast = size === undefined ? body[pages.more!] !== true : records.length < size
    if (isLast) return
    const restMs = pages.intervalMs - (clock.monotonic() - asked)
    if (restMs > 0) await wait(restMs, signal)
  }
  throw new FeedError(`The feed has more than ${MAX_PAGES} pages.`)
}

/** Parses one page, which may be compressed. Throws FeedError, or UpstreamError if the page itself reports one. */
export async function readPageFile(
  path: string,
  { map, source, secrets }: { readonly map: FeedMap } & Pick<Needs<unknown>, 'source' | 'secrets'>,
): Promise<Readonly<Record<string, unknown>>> {
  const chunks: string[] = []
  for await (const text of readText(path, { ...map, maxBytes: MAX_UNPACKED_BYTES })) chunks.push(text)
  const body = toRecord(parseJson(chunks.join('')))
  if (!body) throw new FeedError('A page of the feed is not a JSON object, or is cut off.')
  const error = findPageError(body, { source, secrets })
  if (error) throw error
  return body
}

async function fetchWithRetry(url: string, needs: Needs<unknown>): Promise<Readonly<Record<string, unknown>>> {
  const { fetchPage, wait, signal } = needs
  for (let attempt = 1; ; attempt++) {
    try {
      return await readPageFile(await fetchPage(url, signal), needs)
    } catch (error) {
      signal.throwIfAborted()
      if (attempt === MAX_ATTEMPTS || !(error instanceof UpstreamError) || !error.retryable) throw error
      const delayMs = Math.max(error.retryAfterMs ?? 0, FIRST_RETRY_MS * attempt)
      if (delayMs > MAX_RETRY_MS) throw error
      await wait(delayMs, signal)
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The records under a path such as `reply.body`. */
export function findList(body: Readonly<Record<string, unknown>>, path = ''): readonly unknown[] {
  const value = path.split('.').reduce<unknown>((at, key) => toRecord(at)?.[key], body)
  if (!Array.isArray(value)) throw new FeedError(`The feed has no list "${path}": its format has changed.`)
  return value
}

function pageSize(location: string, { size, sizeParameter }: Pages): number | undefined {
  if (size === undefined || sizeParameter === undefined) return size
  const given = Number(URL.parse(location)?.searchParams.get(sizeParameter) ?? '')
  return Number.isInteger(given) && given > 0 ? given : size
}

function pageUrl(location: string, { parameter, path }: Pages, page: number): string {
  const url = new URL(location)
  if (parameter !== undefined) url.searchParams.set(parameter, String(page))
  else if (page > 1) url.pathname = path!.replaceAll('{page}', String(page))
  return url.href
}
