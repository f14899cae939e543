import { z } from 'zod'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Upstream } from '../../kernel/upstream/client.ts'
import type { EngineId } from '../contract.ts'
import type { SearchEngine } from '../search-engine.ts'
import { mustFit, readFound } from './results.ts'

type Options = {
  readonly id: EngineId
  readonly upstream: Upstream
  readonly url: string
  readonly key: string
  /** Which of the operator's search engines. */
  readonly engine: string
}

const Answer = z.object({
  searchInformation: z
    .object({
      totalResults: z
        .string()
        .regex(/^\d{1,15}$/)
        .optional()
        // Less important than the results.
        .catch(undefined),
    })
    .optional(),
  items: z.array(z.unknown()).optional(),
})

/** Google's custom search, or one like it: key and engine in the query, and a guess at the total. */
export const keySearch = ({ id, upstream, url, key, engine }: Options): SearchEngine => ({
  id,
  async search(words, signal) {
    const question = new URL(url)
    question.searchParams.set('key', key)
    question.searchParams.set('cx', engine)
    question.searchParams.set('q', words)
    const headers = { accept: 'application/json' }
    const reply = await upstream.request({ url: question, headers, accept: [200, 400], signal })
    // A key it does not know is a bad question.
    if (reply.status === 400)
      throw reply.text().includes('API_KEY_INVALID')
        ? new UpstreamError('auth_error', 'the engine does not know the key')
        : new UpstreamError('unavailable', 'the engine cannot read the question')
    const { searchInformation, items } = mustFit(Answer, reply.json())
    const total = searchInformation?.totalResults
    return {
      found: readFound(items ?? [], { title: 'title', url: 'link', snippet: 'snippet' }),
      total: total === undefined ? null : Number(total),
    }
  },
})
