import * as z from 'zod'
import { endpoint, route, type Route } from '../../src/kernel/endpoint.ts'

/** Endpoints that together have every feature of the OpenAPI document. */

const domain = z
  .string()
  .regex(/^[a-z0-9-]+\.[a-z]{2,}$/, 'it must be a name, a dot and a TLD')
  .meta({ id: 'Domain', description: 'A domain.', examples: ['example.com'] })

type Part = { name: string; parts: Part[] }
const Part: z.ZodType<Part> = z
  .object({
    name: z.string().meta({ description: 'What it is called.' }),
    get parts() {
      return z.array(Part).meta({ description: 'What it is made of.' })
    },
  })
  .meta({ id: 'Part', description: 'A part of a thing, made of parts.' })

const Thing = z
  .object({
    domain: domain.meta({ description: 'The domain of the thing.' }),
    size: z.int().meta({ description: 'How large it is.' }),
    owner: z.string().nullable().meta({ description: 'The owner; null if missing.' }),
    made: z.iso.datetime().meta({ description: 'When it was made.' }),
    whole: Part,
    labels: z
      .record(z.string(), z.object({ text: z.string().meta({ description: 'What the label says.' }) }))
      .optional()
      .meta({ description: 'Labels by language.' }),
  })
  .meta({ id: 'Thing', description: 'A thing.' })

const ThingList = z
  .object({ things: z.array(Thing).meta({ description: 'The things found.' }) })
  .meta({ id: 'ThingList', description: 'Several things.' })

const thing: z.input<typeof Thing> = {
  domain: 'example.com',
  size: 3,
  owner: null,
  made: '2026-11-15T12:00:00.000Z',
  whole: { name: 'frame', parts: [{ name: 'bolt', parts: [] }] },
}

export const searchThings = endpoint({
  name: 'searchThings',
  capability: { name: 'things', description: 'Things of every kind.' },
  method: 'GET',
  path: '/v1/things',
  summary: 'Search things',
  description: 'Gives one thing flat, several as a list.',
  input: z.object({
    kind: z
      .enum(['round', 'square'])
      .optional()
      .meta({ description: 'Only this kind.', examples: ['square'] }),
    limit: z.int().min(1).max(100).default(10).meta({ description: 'How many at most.' }),
    offset: z.int().optional().meta({ description: 'How many to leave out.' }),
    q: z.string().meta({ description: 'Words to look for.' }),
  }),
  output: z.union([Thing, ThingList]).meta({ description: 'One thing or several.' }),
  complaints: { kind: { invalid: 'invalid_type' } },
  errors: ['too_many_tlds'],
  failsAs: { code: 'check_failed', status: 500 },
  rate: 'counted',
  tool: true,
  ttlSeconds: 60,
  example: { input: { q: 'wheel', limit: 5 }, output: { things: [thing] } },
})

export const getThing = endpoint({
  name: 'getThing',
  capability: { name: 'things', description: 'Things of every kind.' },
  method: 'GET',
  path: '/v1/thing/{domain}',
  summary: 'Get a thing',
  description: 'Gives the thing of a domain.',
  input: z.object({ refresh: z.boolean().default(false).meta({ description: 'Ask anew.' }), domain }),
  output: Thing,
  complaints: { domain: { missing: 'missing_domain', invalid: 'invalid_domain' } },
  errors: ['domain_not_found'],
  failsAs: 'service_unavailable',
  rate: 'counted',
  tool: true,
  limitedAs: 'rate_limited',
  example: { input: { domain: 'example.com' }, output: thing },
})

export const makeThing = endpoint({
  name: 'makeThing',
  capability: { name: 'workshop', description: 'Where things are made.' },
  method: 'POST',
  path: '/v1/things',
  summary: 'Make a thing',
  description: 'Makes a thing and gives it back.',
  input: z
    .object({
      domain: domain.meta({ description: 'The domain of the new thing.' }),
      years: z.int().min(1).max(100).default(1).meta({ description: 'For how many years.' }),
    })
    .meta({ id: 'NewThing', description: 'A thing to make.' }),
  output: Thing,
  complaints: { domain: { invalid: 'invalid_domain' } },
  errors: [],
  rate: 'counted',
  tool: true,
  example: { input: { domain: 'example.com', years: 2 }, output: thing },
})

export const changeThing = endpoint({
  name: 'changeThing',
  capability: { name: 'workshop', description: 'Where things are made.' },
  method: 'POST',
  path: '/v1/thing/{domain}',
  summary: 'Change a thing',
  description: 'Changes a thing and gives it back.',
  input: z.object({ domain, size: z.int().meta({ description: 'The new size.' }) }),
  output: Thing,
  errors: [],
  rate: 'counted',
  tool: true,
  example: { input: { domain: 'example.com', size: 3 }, output: thing },
})

export const oldThings = endpoint({
  name: 'oldThings',
  capability: { name: 'things', description: 'Things of every kind.' },
  method: 'GET',
  path: '/things',
  summary: 'List things as before',
  description: 'Gives every thing.',
  input: z.object({}),
  output: ThingList,
  errors: [],
  rate: 'free',
  deprecated: { since: '2026-11-15', successor: '/v1/things' },
  example: { input: {}, output: { things: [thing] } },
})

export const appraise = endpoint({
  name: 'appraise',
  capability: { name: 'valuation', description: 'What a thing is worth.' },
  method: 'GET',
  path: '/v1/appraisals/{domain}',
  summary: 'Say what a thing is worth',
  description: 'Paid by the request.',
  input: z.object({ domain, tier: z.enum(['quick', 'full']).default('quick').meta({ description: 'How thorough.' }) }),
  output: z.object({ usd: z.number().min(0).meta({ description: 'US dollars.' }) }),
  complaints: { tier: { invalid: 'invalid_tier' } },
  errors: ['service_unavailable'],
  rate: 'counted',
  tool: true,
  price: { by: 'tier', usd: { quick: '0.02', full: '0.08' } },
  example: { input: { domain: 'example.com' }, output: { usd: 1200 } },
})

export const sampleRoutes: readonly Route[] = [
  route(searchThings, () => ({ things: [thing] })),
  route(getThing, () => thing),
  route(makeThing, () => thing),
  route(changeThing, () => thing),
  route(oldThings, () => ({ things: [thing] })),
  route(appraise, () => ({ usd: 1200 })),
]
