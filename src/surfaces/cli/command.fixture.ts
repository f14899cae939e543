import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import * as z from 'zod'
import type { Context, Route } from '../../kernel/endpoint.ts'
import { endpoint, route } from '../../kernel/endpoint.ts'
import { runCommand } from './command.ts'

const Offer = z.object({
  source: z.string(),
  price: z.object({ amount: z.number(), currency: z.string() }).optional(),
  tags: z.array(z.string()),
  makeOffer: z.boolean(),
})

export const findOffers = endpoint({
  name: 'findOffers',
  capability: { name: 'market', description: 'For tests.' },
  command: 'offers',
  method: 'GET',
  path: '/v1/offers/{domain}',
  summary: 'Find offers for a domain',
  description: 'Asks every market at once.',
  input: z.object({
    limit: z.int().min(1).max(50).default(10).describe('How many offers at most'),
    domain: z.string().meta({ description: 'The full domain.', examples: ['example.com'] }),
    currency: z.enum(['USD', 'EUR']).optional().describe('Only offers in this currency.'),
    fresh: z.boolean().optional().describe('Ask again instead of remembering.'),
  }),
  output: z.object({ domain: z.string(), total: z.int(), offers: z.array(Offer), timestamp: z.string() }),
  complaints: { domain: { missing: 'missing_domain' } },
  errors: ['missing_domain', 'domain_not_found', 'service_unavailable'],
  failsAs: 'service_unavailable',
  rate: 'counted',
  tool: true,
  example: {
    input: { domain: 'example.com', limit: 1, fresh: false },
    output: { domain: 'example.com', total: 0, offers: [], timestamp: '2026-11-15T12:00:00.000Z' },
  },
})

const prepareUpdate = endpoint({
  name: 'prepareUpdate',
  capability: { name: 'ens', description: 'For tests.' },
  command: 'ens records update',
  method: 'POST',
  path: '/v1/ens/records/prepare-update',
  summary: 'Prepare an update of records',
  description: 'Nothing is signed.',
  input: z.object({
    name: z.string().describe('The name'),
    owner_address: z.string().describe('Who pays the gas'),
    text: z.record(z.string(), z.string()).optional().describe('Text records'),
    setReverse: z.boolean().default(true).describe('Point the address back'),
  }),
  output: z.object({ got: z.unknown() }),
  errors: [{ code: 'check_failed', status: 500 }],
  rate: 'counted',
  tool: true,
  example: {
    input: { name: 'a.eth', owner_address: '0x1', text: { url: "it's" } },
    output: { got: null },
  },
})

const lookUp = endpoint({
  name: 'lookUp',
  capability: { name: 'market', description: 'For tests.' },
  command: 'look up',
  argument: {
    shown: 'name|domain',
    description: 'A name, or a domain where it has a dot.',
    field: (text) => (text.includes('.') ? 'domain' : 'name'),
  },
  method: 'GET',
  path: '/v1/look-up',
  summary: 'Look up a name or a domain',
  description: 'Either will do.',
  input: z.object({
    name: z.string().optional().describe('The name'),
    domain: z.string().optional().describe('The domain'),
    tld: z.string().optional().describe('TLDs'),
  }),
  output: z.object({ got: z.unknown() }),
  errors: [],
  rate: 'counted',
  tool: true,
  example: { input: { name: 'example', tld: 'com' }, output: { got: null } },
})

const offers = [
  { source: 'source_a', price: { amount: 1200, currency: 'USD' }, tags: ['short', 'brandable'], makeOffer: false },
  { source: 'source_b', tags: [], makeOffer: true },
  { source: '日本のドメイン市場', price: { amount: 9.5, currency: 'EUR' }, tags: ['\u001b[31mred'], makeOffer: true },
  {
    source: 'source_d',
    price: { amount: 88000, currency: 'USD' },
    tags: ['a tag that is rather long'],
    makeOffer: false,
  },
]
export const found = { domain: 'example.com', total: 4, offers, timestamp: '2026-11-15T12:00:00.000Z' }

export type Answer = (input: Record<string, unknown>, context: Context) => unknown
const routesWith = (answer: Answer, status?: number): Route[] => [
  route(findOffers, (input, context) => answer(input, context) as typeof found, {
    ...(status !== undefined && { status: () => status }),
  }),
  route(prepareUpdate, (input, context) => answer(input, context) as { got: unknown }),
  route(lookUp, (input, context) => answer(input, context) as { got: unknown }, {
    inconclusive: ({ got }) => got === 'nothing',
  }),
  route({ ...findOffers, name: 'hidden', command: undefined } as never, () => assert.fail('has no command')),
]

type Setup = { answer?: Answer; status?: number; columns?: number; env?: Record<string, string>; signal?: AbortSignal }

export async function onoma(argv: string[], { answer = () => found, status, columns, env = {}, signal }: Setup = {}) {
  const written = { stdout: '', stderr: '' }
  const output = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => (written[name] += text),
    ...(columns !== undefined && { isTTY: true, columns }),
  })
  const io = { stdout: output('stdout'), stderr: output('stderr'), env, signal: signal ?? new AbortController().signal }
  const code = await runCommand(routesWith(answer, status), argv, io, [
    { words: 'serve', summary: 'Start the service' },
  ])
  return { code, ...written }
}

/** What a command hands to its endpoint. */
export const inputOf = async (argv: string[]): Promise<unknown> => {
  const { stdout, stderr } = await onoma(argv, { answer: (input) => ({ got: input, offers: [] }) })
  return stdout === '' ? stderr.trim() : JSON.parse(stdout).got
}

export function assertGolden(name: string, actual: string): void {
  const file = new URL(`../../../test/golden/cli/${name}.txt`, import.meta.url)
  if (process.env['ONOMA_UPDATE_GOLDEN']) writeFileSync(file, actual)
  assert.equal(actual, readFileSync(file, 'utf8'), `${name}.txt differs; ONOMA_UPDATE_GOLDEN=1 rewrites it`)
}
