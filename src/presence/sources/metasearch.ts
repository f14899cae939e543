import * as z from 'zod'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Upstream } from '../../kernel/upstream/client.ts'
import type { EngineId } from '../contract.ts'
import type { SearchEngine } from '../search-engine.ts'
import { mustFit, parseResults } from './results.ts'

type Options = { readonly id: EngineId; readonly upstream: Upstream; readonly url: string }

const SearchReply = z.object({
  results: z.array(z.unknown()),
  unresponsive_engines: z.array(z.unknown()).default([]),
})

/** SearXNG, run by the operator. The JSON format must be enabled in its settings, or it responds 403. */
export const metasearch = ({ id, upstream, url }: Options): SearchEngine => ({
  id,
  async search(text, signal) {
    const query = new URL(`${url.replace(/\/+$/, '')}/search`)
    query.searchParams.set('q', text)
    query.searchParams.set('format', 'json')
    const reply = await upstream.request({
      url: query,
      headers: { accept: 'application/json' },
      accept: [200],
      signal,
    })
    const { results, unresponsive_engines: failed } = mustFit(SearchReply, reply.json())
    // An empty list because all engines failed is not an empty result.
    if (results.length === 0 && failed.length > 0)
      throw new UpstreamError('unavailable', 'none of its engines answered')
    return { found: parseResults(results, { title: 'title', url: 'url', snippet: 'content' }), total: null }
  },
})
