/** What a program with a generated client prints; both programs print the same. */
export type Printed = {
  readonly check: string
  readonly bulk: readonly string[]
  readonly dossier: number
  readonly price: string
  readonly refused: string
}

/** Fails to compile if a type is, or contains, a string. */
const NO_STRING = `
type NoString<Data> = Extract<Data, string> extends never ? true : never
const isObject = <Data>(_data: Data, proof: NoString<NonNullable<Data>>): true => proof
function must<Value>(value: Value | null | undefined, what: string): Value {
  if (value === undefined || value === null) throw new Error(what + ' is missing')
  return value
}
`

/** With the types of openapi-typescript and the client that belongs to them. */
export const OPENAPI_FETCH = `
import createClient from 'openapi-fetch'
import type { paths } from './schema.d.ts'
${NO_STRING}
const client = createClient<paths>({ baseUrl: process.argv[2] ?? '' })

const { data: check } = await client.GET('/v1/check', { params: { query: { name: 'taken-shop', tld: 'com' } } })
isObject(check, true)
if (!check || !('domain' in check)) throw new Error('One domain must give a flat answer')

const { data: bulk } = await client.POST('/v1/check/bulk', { body: { domains: ['taken-shop.com', 'free-shop.com'] } })
isObject(bulk, true)
if (!bulk || !('results' in bulk)) throw new Error('The full view has results')

const { data: dossier } = await client.GET('/v1/names/{name}', {
  params: { path: { name: 'acme' }, query: { tld: 'com,net', parts: 'availability', deadline: 10 } },
})
isObject(dossier, true)
if (!dossier || !('paid' in dossier)) throw new Error('The full view lists what can be bought')
const { availability } = dossier.parts
if (availability?.state !== 'known') throw new Error('The sandbox knows every domain')

const { error: unpaid, response } = await client.GET('/v1/valuation/{domain}', {
  params: { path: { domain: 'acme.com' } },
})
if (unpaid?.error !== 'payment_required') throw new Error(String(response.status))
const offer = must(unpaid.accepts?.[0], 'an offer')

const { error: refused } = await client.GET('/v1/check', { params: { query: { name: '-' } } })
console.log(
  JSON.stringify({
    check: must(check.status[0], 'the verdict'),
    bulk: bulk.results.map(({ domain }) => domain).sort(),
    dossier: availability.data.summary.checked,
    price: offer.maxAmountRequired,
    refused: must(refused, 'the error').error,
  }),
)
`

/** With the client that @hey-api/openapi-ts generates. */
export const HEY_API = `
import { checkBulk, checkDomains, nameDossier, valueDomain } from './hey/sdk.gen'
import { client } from './hey/client.gen'
${NO_STRING}
client.setConfig({ baseUrl: process.argv[2] ?? '' })

const { data: check } = await checkDomains({ query: { name: 'taken-shop', tld: 'com' } })
isObject(check, true)
if (!check || !('domain' in check)) throw new Error('One domain must give a flat answer')

const { data: bulk } = await checkBulk({ body: { domains: ['taken-shop.com', 'free-shop.com'] } })
isObject(bulk, true)
if (!bulk || !('results' in bulk)) throw new Error('The full view has results')

const { data: dossier } = await nameDossier({
  path: { name: 'acme' },
  query: { tld: 'com,net', parts: 'availability', deadline: 10 },
})
isObject(dossier, true)
if (!dossier || !('paid' in dossier)) throw new Error('The full view lists what can be bought')
const { availability } = dossier.parts
if (availability?.state !== 'known') throw new Error('The sandbox knows every domain')

const { error: unpaid, response } = await valueDomain({ path: { domain: 'acme.com' } })
if (unpaid?.error !== 'payment_required') throw new Error(String(response?.status))
if (!('accepts' in unpaid)) throw new Error('x402 is accepted')
const offer = must(unpaid.accepts?.[0], 'an offer')

const { error: refused } = await checkDomains({ query: { name: '-' } })
console.log(
  JSON.stringify({
    check: must(check.status[0], 'the verdict'),
    bulk: bulk.results.map(({ domain }) => domain).sort(),
    dossier: availability.data.summary.checked,
    price: offer.maxAmountRequired,
    refused: must(refused, 'the error').error,
  }),
)
`
