import * as z from 'zod'
import { endpoint, route, type Endpoint, type Route } from '../../src/kernel/endpoint.ts'
import { UpstreamError } from '../../src/kernel/errors.ts'

/** Endpoints with every feature of the door, so that it can be tested without a capability. */
const base = {
  capability: { name: 'test', description: 'For tests.' },
  description: 'For tests.',
  errors: [],
  rate: 'counted',
  tool: true,
} as const

export const echo = endpoint({
  ...base,
  name: 'echo',
  method: 'GET',
  path: '/v1/echo/{word}',
  summary: 'Say it back',
  input: z.object({
    word: z
      .string()
      .max(20)
      .meta({ description: 'What to say.', examples: ['hello'] }),
    times: z.int().min(1).max(10).default(1).meta({ description: 'How often.' }),
    loud: z.boolean().optional().meta({ description: 'In capitals.' }),
    tone: z.enum(['kind', 'plain']).optional().meta({ description: 'How to say it.' }),
  }),
  output: z.object({ said: z.array(z.string()).meta({ description: 'What was said.' }) }),
  complaints: { word: { missing: 'missing_domain', invalid: 'invalid_domain' }, tone: { invalid: 'invalid_type' } },
  example: { input: { word: 'hello' }, output: { said: ['hello'] } },
})

const post = endpoint({
  ...base,
  name: 'post',
  method: 'POST',
  path: '/v1/post',
  summary: 'Take a body',
  input: z.object({ name: z.string().meta({ description: 'A name.' }) }),
  output: z.object({ name: z.string().meta({ description: 'The name.' }) }),
  example: { input: { name: 'a' }, output: { name: 'a' } },
})

const plain = (name: string, path: `/${string}`, more: Partial<Endpoint> = {}): Endpoint => ({
  ...base,
  name,
  method: 'GET',
  path,
  summary: name,
  input: z.object({}),
  output: z.object({}),
  example: { input: {}, output: {} },
  ...more,
})

export const fixed = Object.freeze({ words: Array.from({ length: 400 }, (_, at) => `word-${at}`) })

export const testRoutes: readonly Route[] = [
  route(echo, ({ word, times, loud }) => ({ said: Array<string>(times).fill(loud ? word.toUpperCase() : word) })),
  route(post, ({ name }) => ({ name })),
  route(plain('free', '/free', { rate: 'free' }), () => ({})),
  route(plain('kept', '/v1/kept', { ttlSeconds: 60 }), () => fixed),
  route(plain('limited', '/v1/limited', { limitedAs: 'rate_limited' }), () => ({})),
  route(plain('old', '/old', { deprecated: { since: '2026-11-15', successor: '/v1/new' } }), () => ({})),
  route(plain('broken', '/v1/broken'), () => {
    throw new Error('the password is hunter2', { cause: new Error('deep inside') })
  }),
  route(plain('upstream', '/v1/upstream', { failsAs: { code: 'check_failed', status: 500 } }), () => {
    throw new UpstreamError('rate_limited', 'registry.example asked us to wait', { retryAfterMs: 6_100 })
  }),
  route(plain('paid', '/v1/paid', { price: { usd: '0.02' } }), () => ({})),
  route(plain('odd', '/v1/odd'), () => ({ errors: ['not_configured'] }), { status: () => 501 }),
]
