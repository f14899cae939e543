import { createHash } from 'node:crypto'
import { type Random, seededRandom } from '../../src/kernel/random.ts'
import type { Json } from '../../src/surfaces/openapi/schemas.ts'
import { follow, type MediaType, type Operation } from '../openapi/document-reader.ts'
import { type Intent, MARK, oneIn, pick, textOf, valueFor } from './values.ts'

/** When a client goes away before it has its answer. */
export type BreakOff = 'in the body' | 'after the request' | 'at the first byte'

export type FuzzRequest = {
  readonly index: number
  readonly operation: string
  readonly intent: Intent
  readonly listener: 'main' | 'ens'
  readonly method: string
  /** Path and query as sent. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
  readonly breakOff?: BreakOff
}

type Target = {
  readonly path: string
  readonly method: string
  readonly operation: Operation
  readonly listener: 'main' | 'ens'
}
type Parameter = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Json
  readonly example?: unknown
}

const UNKNOWN_PARAMETERS = ['nmae', '__proto__', 'constructor', MARK, 'domain[]', '%', '']
const ACCEPTS = [
  '*/*',
  'application/json',
  'application/x-ndjson',
  'text/event-stream',
  'application/problem+json',
  'text/html',
  MARK,
]
const METHODS = ['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE']
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const PAYMENT_SECRET = `${MARK}-secret-payment`
const BEARER_SECRET = `${MARK}-secret-bearer`
/** As a client encodes a payment, and as one that is cut off. */
const encodings = (secret: string): string[] => [
  base64(JSON.stringify({ x402Version: 2, payload: secret })),
  base64(`{"x402Version":2,"accepted":{},"payload":{"signature":"${secret}"`),
]
/** Sent as payments and tokens, plain and encoded; none of them may appear in a log. */
export const SECRETS = [PAYMENT_SECRET, BEARER_SECRET].flatMap((secret) => [secret, ...encodings(secret)])

/** Operations that cost hundreds of lookups each take part in one of so many turns. */
const TURNS_BETWEEN: Readonly<Record<string, number>> = { checkDomainsLegacy: 40 }
const isCheap = ({ operation }: Target): boolean => !(operation.operationId in TURNS_BETWEEN)

/** Makes requests from an OpenAPI document. A request depends on the seed and its index only, so that it can be repeated. */
export function createRequests(document: Json, seed: number): (index: number) => FuzzRequest {
  const targets = targetsOf(document)
  return (index) => {
    const random = seededRandom(createHash('sha256').update(`${seed} ${index}`).digest().readUInt32LE())
    const turn = Math.floor(index / targets.length)
    const target = targets[index % targets.length]!
    const isDue = turn % (TURNS_BETWEEN[target.operation.operationId] ?? 1) === 0
    return makeRequest(document, isDue ? target : pick(random, targets.filter(isCheap)), random, index)
  }
}

export const operationIds = (document: Json): string[] =>
  targetsOf(document).map(({ operation }) => operation.operationId)

function targetsOf(document: Json): Target[] {
  return Object.entries(document['paths'] as Record<string, Record<string, Operation>>).flatMap(
    ([path, { servers, ...operations }]) =>
      Object.entries(operations).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation,
        listener: servers === undefined ? ('main' as const) : ('ens' as const),
      })),
  )
}

function makeRequest(
  document: Json,
  { path, method, operation, listener }: Target,
  random: Random,
  index: number,
): FuzzRequest {
  const intent = pick<Intent>(random, ['valid', 'valid', 'nearly', 'hostile'])
  const parameters = (operation.parameters ?? []).map((one) => follow(document, one) as unknown as Parameter)
  const target = encodePath(random, path, parameters, intent) + encodeQuery(random, parameters, intent)
  const body =
    operation.requestBody && encodeBody(random, document, Object.values(operation.requestBody.content)[0]!, intent)
  const sent = intent === 'hostile' && oneIn(random, 12) ? pick(random, METHODS) : method
  const hasBody = body !== undefined && sent !== 'HEAD'
  const breakOff = oneIn(random, 25)
    ? pick<BreakOff>(random, ['in the body', 'after the request', 'at the first byte'])
    : undefined
  return {
    index,
    operation: operation.operationId,
    intent,
    listener,
    method: sent,
    target,
    headers: { ...headersFor(random, intent), ...(hasBody && { 'content-type': contentType(random, intent) }) },
    ...(hasBody && { body }),
    ...(breakOff && { breakOff }),
  }
}

function encodePath(random: Random, path: string, parameters: readonly Parameter[], intent: Intent): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const { schema, example } = parameters.find((one) => one.in === 'path' && one.name === name)!
    const text = textOf(valueFor(random, schema, example, intent))
    return intent === 'hostile' && oneIn(random, 6) ? printable(text) : encode(text)
  })
}

function encodeQuery(random: Random, parameters: readonly Parameter[], intent: Intent): string {
  const pairs: string[] = []
  for (const { name, in: place, required, schema, example } of parameters) {
    if (place !== 'query' || !oneIn(random, required || example !== undefined ? 1 : 4)) continue
    if (intent !== 'valid' && oneIn(random, 15)) continue
    // One damaged field in a valid request reaches further than many.
    const own = intent !== 'valid' && oneIn(random, 3) ? 'valid' : intent
    const pair = `${name}=${encode(textOf(valueFor(random, schema, example, own)))}`
    pairs.push(pair, ...(intent !== 'valid' && oneIn(random, 20) ? [pair] : []))
  }
  if (intent !== 'valid' && oneIn(random, 8)) pairs.push(`${pick(random, UNKNOWN_PARAMETERS)}=${MARK}`)
  if (intent === 'hostile' && oneIn(random, 20))
    pairs.push(pick(random, ['%zz=1', '%ff%fe=a', '=&=&&', 'a'.repeat(9_000), '?#?']))
  return pairs.length === 0 ? '' : `?${printable(pairs.join('&'))}`
}

function encodeBody(random: Random, document: Json, { schema, example }: MediaType, intent: Intent): Buffer {
  const { properties = {}, required = [] } = follow(document, schema)
  const fields: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(properties as Record<string, Json>)) {
    const isNeeded = (required as string[]).includes(name)
    if (!isNeeded && !oneIn(random, 2)) continue
    if (intent !== 'valid' && oneIn(random, 12)) continue
    const own = intent !== 'valid' && oneIn(random, 3) ? 'valid' : intent
    fields[name] = valueFor(random, follow(document, field), (example as Json | undefined)?.[name], own)
  }
  const text = JSON.stringify(fields)
  if (intent !== 'hostile' || !oneIn(random, 3)) return Buffer.from(text)
  return pick(random, BODIES)(text)
}

/** What is not a JSON object, or not one that a reader would expect. */
const BODIES: readonly ((text: string) => Buffer)[] = [
  (text) => Buffer.from(text.slice(0, -1)),
  (text) => Buffer.from(`[${text}]`),
  (text) => Buffer.from(`\ufeff${text}`),
  (text) => Buffer.from(`${text}${text}`),
  (text) => Buffer.from(text, 'utf16le'),
  (text) => Buffer.concat([Buffer.from(text.slice(0, -2)), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from('"}')]),
  (text) => Buffer.from(text.replace('{', '{"__proto__":{"isAdmin":true},"constructor":1,')),
  (text) => Buffer.from(text.replace('{', `{"name":"${MARK}","name":1e999,"domains":{"length":1e9},`)),
  () => Buffer.from('['.repeat(8_000) + ']'.repeat(8_000)),
  () => Buffer.from(`{"domains":[${'"a",'.repeat(4_000)}"b"]}`),
  () => Buffer.from(`{"name":"${'x'.repeat(20_000)}"}`),
  () => Buffer.from(''),
  () => Buffer.from('null'),
  () => Buffer.from('name=a&domains=b'),
]

function headersFor(random: Random, intent: Intent): Record<string, string> {
  const headers: Record<string, string> = {}
  if (oneIn(random, 4)) headers['accept'] = pick(random, ACCEPTS)
  if (oneIn(random, 10)) headers['accept-encoding'] = pick(random, ['gzip', 'br', 'identity;q=0', 'gzip;q=banana', '*'])
  if (oneIn(random, 10)) headers['if-none-match'] = pick(random, ['*', `"${MARK}"`, 'W/"', '"a", "b"'])
  if (oneIn(random, 10)) headers['x-request-id'] = pick(random, ['a'.repeat(300), 'ok-1', '"<script>"'])
  if (oneIn(random, 10)) headers['payment-signature'] = hostileHeader(random, PAYMENT_SECRET)
  if (oneIn(random, 15)) headers['x-payment'] = hostileHeader(random, PAYMENT_SECRET)
  if (oneIn(random, 10))
    headers['authorization'] =
      `${pick(random, ['Payment', 'Bearer', 'Basic', ''])} ${hostileHeader(random, BEARER_SECRET)}`
  if (intent === 'hostile' && oneIn(random, 10))
    headers['x-forwarded-for'] = pick(random, [MARK, '::1', ','.repeat(500)])
  if (intent === 'hostile' && oneIn(random, 20)) headers['expect'] = pick(random, ['100-continue', MARK])
  if (intent === 'hostile' && oneIn(random, 20)) headers['cookie'] = 'a'.repeat(pick(random, [10, 4_000, 20_000]))
  return headers
}

const hostileHeader = (random: Random, secret: string): string =>
  pick(random, [
    () => secret,
    () => encodings(secret)[0]!,
    () => encodings(secret)[1]!,
    () => `id="${secret}", payload="${secret}`,
    () => secret.repeat(300),
  ])()

const contentType = (random: Random, intent: Intent): string =>
  intent === 'hostile' && oneIn(random, 8)
    ? pick(random, [
        'text/plain',
        'application/json; charset=utf-16',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        MARK,
      ])
    : 'application/json'

/** Like encodeURIComponent, for text with lone surrogates too. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed())

/** Without the characters that Node's HTTP client refuses to send in an address. */
// oxlint-disable-next-line no-control-regex -- these are the characters
const printable = (text: string): string => text.replaceAll(/[\u0000-\u0020\u007f-\u{10ffff}]/gu, '%')
