import { hash } from 'node:crypto'
import * as z from 'zod'
import type { Endpoint } from '../../kernel/endpoint.ts'

type Input = Readonly<Record<string, unknown>>

/**
 * The validated fields of a request, sorted by name and without defaults: equal for requests that mean the same, however
 * they were written.
 */
function fieldsOf({ input: schema }: Endpoint, input: Input): [name: string, value: unknown][] {
  return Object.keys(input)
    .filter((name) => input[name] !== undefined && input[name] !== defaultOf(schema.shape[name]))
    .toSorted()
    .map((name) => [name, mustBeJson(name, input[name])])
}

const defaultOf = (field: unknown): unknown => (field instanceof z.ZodDefault ? field.def.defaultValue : undefined)

/** JSON renders different Maps or Sets alike, so a payment for one request would buy another. */
function mustBeJson(name: string, value: unknown): unknown {
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value) || value === null
  if (isPlain || (Array.isArray(value) && value.every((each) => mustBeJson(name, each) === each))) return value
  throw new TypeError(`${name} of a paid endpoint must be text, a number, a boolean or a list of these`)
}

/** A payment buys one request: requests with the same fingerprint are the same request. */
export const fingerprintOf = (endpoint: Endpoint, input: Input): string =>
  hash('sha256', `${endpoint.method} ${endpoint.path} ${JSON.stringify(fieldsOf(endpoint, input))}`, 'base64url')

/** Characters that need no escaping in a query. */
const PLAIN = /^[\w.*-]*$/

/** Path and canonical query of a request, fields sorted by name; the body is not included. */
export function addressOf(endpoint: Endpoint, input: Input): string {
  let address: string = endpoint.path
  if (endpoint.method === 'POST') return address
  let query = ''
  for (const [name, value] of fieldsOf(endpoint, input)) {
    const text = String(value)
    if (address.includes(`{${name}}`)) address = address.replace(`{${name}}`, () => encodeURIComponent(text))
    else {
      const field = PLAIN.test(text) ? `${name}=${text}` : new URLSearchParams({ [name]: text }).toString()
      query += `${query === '' ? '?' : '&'}${field}`
    }
  }
  return address + query
}
