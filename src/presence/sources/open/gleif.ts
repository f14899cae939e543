import * as z from 'zod'
import type { Clock } from '../../../kernel/clock.ts'
import { mustFit } from '../results.ts'
import { createBudget } from './budget.ts'
import { cleanFound, entriesOf, openUrl, type OpenServices, type OpenSource } from './open-source.ts'

/** No limit is published; this is ours. */
const MAX_PER_MINUTE = 60

const Reply = z.object({ data: z.array(z.unknown()) })
const LegalEntity = z.object({
  id: z.string().regex(/^[A-Z0-9]{20}$/),
  attributes: z.object({
    entity: z.object({
      legalName: z.object({ name: z.string() }),
      jurisdiction: z.string().nullish().catch(null),
      status: z.string().nullish().catch(null),
    }),
  }),
})

/** The Global LEI Index: legal entities with an identifier for financial transactions. */
export function gleif(services: OpenServices, clock: Clock): OpenSource {
  const budget = createBudget({ perMinute: MAX_PER_MINUTE, clock })
  return {
    id: 'gleif',
    async find(words, signal) {
      budget.spend(1)
      const url = openUrl(services, 'api.gleif.org', '/api/v1/lei-records')
      url.searchParams.set('filter[entity.legalName]', words)
      const headers = { accept: 'application/vnd.api+json', 'user-agent': services.userAgent }
      const reply = await services.upstream.request({ url, headers, accept: [200], signal })
      const { data } = mustFit(Reply, reply.json())
      return cleanFound(
        entriesOf(LegalEntity, data).map(({ id, attributes: { entity } }) => ({
          title: entity.legalName.name,
          url: `https://search.gleif.org/#/record/${id}`,
          snippet: ['Registered company', entity.jurisdiction, entity.status?.toLowerCase()].filter(Boolean).join(', '),
        })),
      )
    },
  }
}
