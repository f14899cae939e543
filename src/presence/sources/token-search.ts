import * as z from 'zod'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Upstream } from '../../kernel/upstream/client.ts'
import type { EngineId } from '../contract.ts'
import type { SearchEngine } from '../search-engine.ts'
import { mustFit, parseResults } from './results.ts'

type Options = { readonly id: EngineId; readonly upstream: Upstream; readonly url: string; readonly token: string }

const SearchReply = z.object({ web: z.object({ results: z.array(z.unknown()) }).optional() })

/** The Brave Search API or a compatible one: a token in a header, no total. */
export const tokenSearch = ({ id, upstream, url, token }: Options): SearchEngine => ({
  id,
  async search(text, signal) {
    const query = new URL(url)
    query.searchParams.set('q', text)
    query.searchParams.set('count', '20')
    const headers = { accept: 'application/json', 'x-subscription-token': token }
    const reply = await upstream.request({ url: query, headers, accept: [200, 422], signal })
    // Brave reports an invalid token as an invalid request.
    if (reply.status === 422)
      throw reply.text().includes('SUBSCRIPTION_TOKEN_INVALID')
        ? new UpstreamError('auth_error', 'the engine rejected the token')
        : new UpstreamError('unavailable', 'the engine rejected the query')
    const { web } = mustFit(SearchReply, reply.json())
    return {
      found: parseResults(web?.results ?? [], { title: 'title', url: 'url', snippet: 'description' }),
      total: null,
    }
  },
})
