import * as z from 'zod'
import type { Clock } from '../../../kernel/clock.ts'
import { createConcurrencyLimit } from '../../../kernel/concurrency-limit.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import { mustFit } from '../results.ts'
import { createBudget, limitError } from './budget.ts'
import { cleanFound, entriesOf, openUrl, type OpenServices, type OpenSource } from './open-source.ts'

/** Wikimedia asks for at most three requests at a time. */
const MAX_CONCURRENT = 3
const MAX_QUEUE = 60
/** Per site; ours, well below what Wikimedia allows a program that names its operator. */
const MAX_PER_MINUTE = 100
const BLOCK_MS = 60_000

const Reply = z.object({
  // MediaWiki reports failures with status 200.
  error: z.object({ code: z.string() }).optional(),
  search: z.array(z.unknown()).optional(),
  query: z.object({ search: z.array(z.unknown()) }).optional(),
})
const Item = z.object({ id: z.string().regex(/^Q\d{1,12}$/), label: z.string(), description: z.string().default('') })
const Article = z.object({ title: z.string(), snippet: z.string().default('') })

/** Wikidata's items and Wikipedia's articles, which share one limit. */
export function wikimedia(services: OpenServices, clock: Clock): readonly OpenSource[] {
  const limit = createConcurrencyLimit({ name: 'Wikimedia', maxConcurrent: MAX_CONCURRENT, maxQueue: MAX_QUEUE })
  const createSiteBudget = () => createBudget({ perMinute: MAX_PER_MINUTE, clock })
  const budgets = { 'www.wikidata.org': createSiteBudget(), 'en.wikipedia.org': createSiteBudget() }
  const ask = async (host: keyof typeof budgets, fields: Readonly<Record<string, string>>, signal: AbortSignal) => {
    budgets[host].spend(1)
    const url = openUrl(services, host, '/w/api.php')
    for (const [name, value] of Object.entries({ ...fields, format: 'json' })) url.searchParams.set(name, value)
    const headers = { accept: 'application/json', 'user-agent': services.userAgent }
    const request = () => services.upstream.request({ url, headers, accept: [200], signal })
    const reply = mustFit(Reply, (await limit.run(request, signal)).json())
    if (reply.error?.code === 'ratelimited' || reply.error?.code === 'maxlag') {
      budgets[host].block(BLOCK_MS)
      throw limitError('it asked us to wait', BLOCK_MS)
    }
    if (reply.error) throw new UpstreamError('unavailable', 'it rejected the query')
    return reply
  }
  return [
    {
      id: 'wikidata',
      async find(words, signal) {
        const fields = { action: 'wbsearchentities', search: words, language: 'en' }
        const { search } = await ask('www.wikidata.org', fields, signal)
        return cleanFound(
          entriesOf(Item, search ?? unexpected()).map(({ id, label, description }) => ({
            title: label,
            url: `https://www.wikidata.org/wiki/${id}`,
            snippet: description,
          })),
        )
      },
    },
    {
      id: 'wikipedia',
      async find(words, signal) {
        const fields = { action: 'query', list: 'search', srsearch: words }
        const { query } = await ask('en.wikipedia.org', fields, signal)
        return cleanFound(
          entriesOf(Article, (query ?? unexpected()).search).map(({ title, snippet }) => ({
            title,
            url: `https://en.wikipedia.org/wiki/${encodeURIComponent(title.replaceAll(' ', '_'))}`,
            snippet,
          })),
        )
      },
    },
  ]
}

const unexpected = (): never => {
  throw new UpstreamError('unavailable', 'it sent unexpected JSON')
}
