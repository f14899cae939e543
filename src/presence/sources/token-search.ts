import { z } from 'zod'
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
    const reply = await upstream.ask({ url: question, headers, accept: [200], signal })
    const { web } = mustFit(Answer, reply.json())
    return { found: readFound(web?.results ?? [], { title: 'title', url: 'url', snippet: 'description' }), total: null }
  },
})
