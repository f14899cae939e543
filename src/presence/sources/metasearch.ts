import { z } from 'zod'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Upstream } from '../../kernel/upstream/client.ts'
import type { EngineId } from '../contract.ts'
import type { SearchEngine } from '../search-engine.ts'
import { mustFit, readFound } from './results.ts'

type Options = { readonly id: EngineId; readonly upstream: Upstream; readonly url: string }

const Answer = z.object({
  results: z.array(z.unknown()),
  unresponsive_engines: z.array(z.unknown()).default([]),
})

/** SearXNG, which the operator runs; JSON must be switched on in its settings, else it answers 403. */
export const metasearch = ({ id, upstream, url }: Options): SearchEngine => ({
  id,
  async search(words, signal) {
    const question = new URL(`${url.replace(/\/+$/, '')}/search`)
    question.searchParams.set('q', words)
    question.searchParams.set('format', 'json')
    const reply = await upstream.request({
      url: question,
      headers: { accept: 'application/json' },
      accept: [200],
      signal,
    })
    const { results, unresponsive_engines: silent } = mustFit(Answer, reply.json())
    // Nothing found because nobody answered is not the same as nothing there.
    if (results.length === 0 && silent.length > 0)
      throw new UpstreamError('unavailable', 'none of the engines behind it answered')
    return { found: readFound(results, { title: 'title', url: 'url', snippet: 'content' }), total: null }
  },
})
