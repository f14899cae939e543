import { z } from 'zod'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Upstream } from '../../kernel/upstream/client.ts'
import type { EngineId } from '../contract.ts'
import type { SearchEngine } from '../search-engine.ts'
import { mustFit, readFound } from './results.ts'

type Options = { readonly id: EngineId; readonly upstream: Upstream; readonly url: string; readonly token: string }

const Answer = z.object({ web: z.object({ results: z.array(z.unknown()) }).optional() })

/** Brave's API, or one like it: a token in a header, results without a total. */
export const tokenSearch = ({ id, upstream, url, token }: Options): SearchEngine => ({
  id,
  async search(words, signal) {
    const question = new URL(url)
    question.searchParams.set('q', words)
    question.searchParams.set('count', '20')
    const headers = { accept: 'application/json', 'x-subscription-token': token }
    const reply = await upstream.request({ url: question, headers, accept: [200, 422], signal })
    // A token it does not know is a question it cannot read.
    if (reply.status === 422)
      throw reply.text().includes('SUBSCRIPTION_TOKEN_INVALID')
        ? new UpstreamError('auth_error', 'the engine does not know the token')
        : new UpstreamError('unavailable', 'the engine cannot read the question')
    const { web } = mustFit(Answer, reply.json())
    return { found: readFound(web?.results ?? [], { title: 'title', url: 'url', snippet: 'description' }), total: null }
  },
})
