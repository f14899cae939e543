import { hash } from 'node:crypto'
import type { Context, Endpoint, Route } from '../../kernel/endpoint.ts'
import type { PaidAnswer, PaidRequest, Paywall } from '../../kernel/paywall.ts'
import type { Usd } from '../../kernel/money.ts'
import type { Exchange } from './exchange.ts'
import { render } from './render.ts'

/** What a door needs to sell answers. */
export type Till = {
  readonly paywall: Paywall
  priceOf(endpoint: Endpoint, input: Readonly<Record<string, unknown>>): Usd | undefined
  /** How clients reach the API, without a slash at its end. Never taken from the request, which anybody can write. */
  readonly publicUrl: string
  /** Header lines every answer about money carries. */
  readonly marks: readonly string[]
}

type Asked = {
  readonly route: Route
  /** As it came, and as it was read. */
  readonly raw: Readonly<Record<string, unknown>>
  readonly input: Record<string, unknown>
  readonly context: Pick<Context, 'signal'>
  /** Whether it brings something that may be a payment. */
  readonly mayPay: boolean
}

/** Of a request without a payment. */
const NO_HEADERS: PaidRequest['headers'] = Object.freeze({})
const NEVER = new AbortController().signal

/** Headers a payment travels in. */
const PAYMENTS = ['payment-signature', 'x-payment', 'authorization'] as const

/** Whether a request brings something that may be a payment. */
export const bringsPayment = ({ request: { headers } }: Exchange): boolean =>
  headers['payment-signature'] !== undefined ||
  headers['x-payment'] !== undefined ||
  /(?:^|,)\s*payment(?:[\s,]|$)/i.test(headers.authorization ?? '')

/** The answer of a paid endpoint, or the invitation to pay for it. */
export async function sell(
  till: Till,
  exchange: Exchange,
  { route, raw, input, context, mayPay }: Asked,
): Promise<PaidAnswer> {
  const { endpoint } = route
  if (route.ready) await route.ready(input)
  // A HEAD is not worth a payment: it is told the price. Anybody can ask for that, so what only a payment needs is not
  // made for it.
  const pays = mayPay && exchange.request.method !== 'HEAD'
  const request: PaidRequest = {
    endpoint: endpoint.name,
    description: endpoint.summary,
    price: till.priceOf(endpoint, input)!,
    url: till.publicUrl + addressOf(endpoint, raw),
    fingerprint: pays ? fingerprintOf(endpoint, raw) : '',
    headers: pays ? pick(exchange.request.headers) : NO_HEADERS,
    signal: pays ? context.signal : NEVER,
  }
  const work = async (own: AbortSignal): Promise<string> => {
    const context = { requestId: exchange.id, signal: own, spend: () => ({ allowed: true, remaining: 0, seconds: 0 }) }
    const body = await route.run(input, context)
    const status = route.wrap?.status?.(body) ?? 200
    const { text } = render(body)
    if (status >= 400) throw new NotForSale(status, text)
    return text
  }
  try {
    return await till.paywall.serve(request, work)
  } catch (error) {
    if (!(error instanceof NotForSale)) throw error
    return { status: error.status, headers: ['Cache-Control', 'no-store'], body: error.body }
  }
}

/** An answer that says itself that it is none: it is given out, and nobody pays for it. */
class NotForSale extends Error {
  override readonly name = 'NotForSale'
  readonly status: number
  readonly body: string

  constructor(status: number, body: string) {
    super('the answer is a failure')
    this.status = status
    this.body = body
  }
}

const pick = (headers: Exchange['request']['headers']): PaidRequest['headers'] =>
  Object.fromEntries(PAYMENTS.map((name) => [name, headers[name]]))

/** The same for the same fields, in whatever order they came. */
function fingerprintOf({ method, path }: Endpoint, raw: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(raw).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return hash('sha256', `${method} ${path} ${JSON.stringify(fields)}`, 'base64url')
}

/** What stands in a query as it is. */
const PLAIN = /^[\w.*-]*$/

/** Path and query of what is asked for, with the fields we know in the order of their names; a body stays out of it. */
function addressOf({ method, path }: Endpoint, raw: Readonly<Record<string, unknown>>): string {
  let address: string = path
  if (method === 'POST') return address
  let query = ''
  for (const name of Object.keys(raw).toSorted()) {
    const text = String(raw[name])
    if (address.includes(`{${name}}`)) address = address.replace(`{${name}}`, () => encodeURIComponent(text))
    else {
      const field = PLAIN.test(text) ? `${name}=${text}` : new URLSearchParams({ [name]: text }).toString()
      query += `${query === '' ? '?' : '&'}${field}`
    }
  }
  return address + query
}
