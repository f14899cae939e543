import { createHash } from 'node:crypto'
import type { Endpoint, Route } from '../../kernel/endpoint.ts'
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
  readonly signal: AbortSignal
}

/** Headers a payment travels in. */
const PAYMENTS = ['payment-signature', 'x-payment', 'authorization'] as const

/** Whether a request brings something that may be a payment. */
export const bringsPayment = ({ request: { headers } }: Exchange): boolean =>
  headers['payment-signature'] !== undefined ||
  headers['x-payment'] !== undefined ||
  /(?:^|,)\s*payment\s/i.test(headers.authorization ?? '')

/** The answer of a paid endpoint, or the invitation to pay for it. */
export async function sell(till: Till, exchange: Exchange, { route, raw, input, signal }: Asked): Promise<PaidAnswer> {
  const { endpoint } = route
  await route.ready?.(input)
  const question = canonical(raw)
  const request: PaidRequest = {
    endpoint: endpoint.name,
    description: endpoint.summary,
    price: till.priceOf(endpoint, input)!,
    url: till.publicUrl + addressOf(endpoint, raw),
    fingerprint: createHash('sha256').update(`${endpoint.method} ${endpoint.path} ${question}`).digest('base64url'),
    // A HEAD is not worth a payment: it is told the price.
    headers: exchange.request.method === 'HEAD' ? {} : pick(exchange.request.headers),
    signal,
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

/** The same text for the same fields, in whatever order they came. */
const canonical = (fields: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Path and query of what is asked for, with the fields we know in the order of their names. */
function addressOf({ path }: Endpoint, raw: Readonly<Record<string, unknown>>): string {
  const rest = new URLSearchParams()
  let address: string = path
  for (const [name, value] of Object.entries(raw).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const text = String(value)
    if (address.includes(`{${name}}`)) address = address.replace(`{${name}}`, () => encodeURIComponent(text))
    else rest.append(name, text)
  }
  return rest.size === 0 ? address : `${address}?${rest.toString()}`
}
