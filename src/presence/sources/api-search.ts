import * as z from 'zod'
import type { Upstream, UpstreamRequest } from '../../kernel/upstream/client.ts'
import type { EngineId } from '../contract.ts'
import type { SearchEngine } from '../search-engine.ts'
import { mustFit, parseResults } from './results.ts'

const MAX_RESULTS = 20

/** How one provider is asked and where its answer has the results. */
type ApiShape = {
  request(query: { readonly url: string; readonly key: string; readonly text: string }): UpstreamRequest
  /** Finds the list of results; fails on any other JSON. */
  readonly results: z.ZodType<readonly unknown[]>
  readonly fields: { readonly title: string; readonly url: string; readonly snippet: string }
}

const list = z.array(z.unknown())
const resultsOf = z.object({ results: list }).transform(({ results }) => results)

const post = (url: string, headers: Readonly<Record<string, string>>, body: unknown): UpstreamRequest => ({
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

const SHAPES = {
  serper: {
    request: ({ url, key, text }) => post(url, { 'x-api-key': key }, { q: text, num: MAX_RESULTS }),
    results: z.object({ organic: list }).transform(({ organic }) => organic),
    fields: { title: 'title', url: 'link', snippet: 'snippet' },
  },
  tavily: {
    request: ({ url, key, text }) =>
      post(url, { authorization: `Bearer ${key}` }, { query: text, max_results: MAX_RESULTS }),
    results: resultsOf,
    fields: { title: 'title', url: 'url', snippet: 'content' },
  },
  exa: {
    request: ({ url, key, text }) => post(url, { 'x-api-key': key }, { query: text, numResults: MAX_RESULTS }),
    results: resultsOf,
    // Exa sends no extract of the page unless it is paid for.
    fields: { title: 'title', url: 'url', snippet: 'text' },
  },
  mojeek: {
    request({ url, key, text }) {
      const query = new URL(url)
      for (const [name, value] of Object.entries({ api_key: key, q: text, fmt: 'json' }))
        query.searchParams.set(name, value)
      return { url: query }
    },
    results: z.object({ response: z.object({ results: list }) }).transform(({ response }) => response.results),
    fields: { title: 'title', url: 'url', snippet: 'desc' },
  },
} as const satisfies Record<string, ApiShape>

export type ApiKind = keyof typeof SHAPES

type Options = {
  readonly id: EngineId
  readonly upstream: Upstream
  readonly kind: ApiKind
  readonly url: string
  readonly key: string
}

/** Search APIs that differ only in how the key is sent and how the results are named; none gives a total. */
export const apiSearch = ({ id, upstream, kind, url, key }: Options): SearchEngine => ({
  id,
  async search(text, signal) {
    const { request, results, fields }: ApiShape = SHAPES[kind]
    const { headers, ...rest } = request({ url, key, text })
    const reply = await upstream.request({
      ...rest,
      headers: { accept: 'application/json', ...headers },
      accept: [200],
      signal,
    })
    return { found: parseResults(mustFit(results, reply.json()), fields), total: null }
  },
})
