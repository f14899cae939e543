import * as z from 'zod'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Upstream } from '../../kernel/upstream/client.ts'
import type { EngineId } from '../contract.ts'
import type { SearchEngine } from '../search-engine.ts'
import { mustFit, parseResults } from './results.ts'

type Options = {
  readonly id: EngineId
  readonly upstream: Upstream
  readonly url: string
  readonly key: string
  /** Id of the operator's search engine. */
  readonly engine: string
}

const SearchReply = z.object({
  searchInformation: z
    .object({
      totalResults: z
        .string()
        .regex(/^\d{1,15}$/)
        .optional()
        // An invalid total is ignored.
        .catch(undefined),
    })
    .optional(),
  items: z.array(z.unknown()).optional(),
})

/** Google's Custom Search or a compatible one: key and engine id in the query string, with an estimated total. */
export const keySearch = ({ id, upstream, url, key, engine }: Options): SearchEngine => ({
  id,
  async search(text, signal) {
    const query = new URL(url)
    query.searchParams.set('key', key)
    query.searchParams.set('cx', engine)
    query.searchParams.set('q', text)
    const headers = { accept: 'application/json' }
    const reply = await upstream.request({ url: query, headers, accept: [200, 400], signal })
    // Google reports an invalid key as a bad request.
    if (reply.status === 400)
      throw reply.text().includes('API_KEY_INVALID')
        ? new UpstreamError('auth_error', 'the engine rejected the key')
        : new UpstreamError('unavailable', 'the engine rejected the query')
    const { searchInformation, items } = mustFit(SearchReply, reply.json())
    const total = searchInformation?.totalResults
    return {
      found: parseResults(items ?? [], { title: 'title', url: 'link', snippet: 'snippet' }),
      total: total === undefined ? null : Number(total),
    }
  },
})
