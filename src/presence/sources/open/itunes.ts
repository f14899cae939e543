import * as z from 'zod'
import type { Clock } from '../../../kernel/clock.ts'
import { mustFit } from '../results.ts'
import { createBudget, limitError } from './budget.ts'
import { cleanFound, entriesOf, openUrl, type OpenServices, type OpenSource } from './open-source.ts'

/** About what Apple allows. */
const MAX_PER_MINUTE = 20
const BLOCK_MS = 60_000

const Reply = z.object({ results: z.array(z.unknown()) })
const App = z.object({ trackName: z.string(), trackViewUrl: z.string(), sellerName: z.string().optional() })

/** Apps in Apple's App Store. */
export function itunes(services: OpenServices, clock: Clock): OpenSource {
  const budget = createBudget({ perMinute: MAX_PER_MINUTE, clock })
  return {
    id: 'itunes',
    async find(words, signal) {
      budget.spend(1)
      const url = openUrl(services, 'itunes.apple.com', '/search')
      url.searchParams.set('term', words)
      url.searchParams.set('entity', 'software')
      const headers = { accept: 'application/json', 'user-agent': services.userAgent }
      const reply = await services.upstream.request({ url, headers, accept: [200, 403], signal })
      if (reply.status === 403) {
        // No key is sent, so 403 can only mean too many requests.
        budget.block(BLOCK_MS)
        throw limitError('it asked us to wait', BLOCK_MS)
      }
      const { results } = mustFit(Reply, reply.json())
      return cleanFound(
        entriesOf(App, results).map(({ trackName, trackViewUrl, sellerName }) => ({
          title: trackName,
          url: trackViewUrl,
          snippet: sellerName === undefined ? 'App' : `App of ${sellerName}`,
        })),
      )
    },
  }
}
