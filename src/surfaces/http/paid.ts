import type { Context, Endpoint, Route } from '../../kernel/endpoint.ts'
import type { PaidAnswer, PaidRequest, Paywall, Work } from '../../kernel/paywall.ts'
import type { Usd } from '../../kernel/money.ts'
import { addressOf, fingerprintOf } from './paid-identity.ts'
import type { Exchange } from './exchange.ts'
import { render } from './render.ts'

/** What a door needs to sell answers. */
export type Checkout = {
  readonly paywall: Paywall
  priceOf(endpoint: Endpoint, input: Readonly<Record<string, unknown>>): Usd | undefined
  /** How clients reach the API, without a slash at its end. Never taken from the request, which anybody can write. */
  readonly publicUrl: string
  /** Header lines every answer about money carries. */
  readonly marks: readonly string[]
}

type Asked = {
  readonly route: Route
  /** As the endpoint's schema read it. */
  readonly input: Record<string, unknown>
  readonly context: Context
  /** Whether it brings something that may be a payment. */
  readonly mayPay: boolean
  /** Thrown unless the payment is signed, where the client's rate limit is used up. */
  readonly refusal?: Error | undefined
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
  checkout: Checkout,
  exchange: Exchange,
  { route, input, context, mayPay, refusal }: Asked,
): Promise<PaidAnswer> {
  const { endpoint } = route
  // A HEAD is not worth a payment: it is told the price. Anybody can ask for that, so what only a payment needs is not
  // made for it.
  const pays = mayPay && exchange.request.method !== 'HEAD'
  const request: PaidRequest = {
    endpoint: endpoint.name,
    description: endpoint.summary,
    price: checkout.priceOf(endpoint, input)!,
    url: checkout.publicUrl + addressOf(endpoint, input),
    fingerprint: pays ? fingerprintOf(endpoint, input) : '',
    headers: pays ? pick(exchange.request.headers) : NO_HEADERS,
    signal: pays ? context.signal : NEVER,
  }
  if (refusal && !(await checkout.paywall.isSigned(request))) throw refusal
  return checkout.paywall.serve(request, () => workOf(route, input, exchange.id, context))
}

/** Prepares the answer, and leaves the rest of the work to who is paid for it. */
async function workOf(
  route: Route,
  input: Record<string, unknown>,
  requestId: string,
  context: Context,
): Promise<Work> {
  const rest = route.prepare && (await route.prepare(input, context))
  return async (signal) => {
    const own: Context = { requestId, signal, spend: () => ({ allowed: true, remaining: 0, seconds: 0 }) }
    const body = await (rest ? rest(own) : route.run(input, own))
    const status = route.wrap?.status?.(body) ?? 200
    return { status, body: render(body).text, isCharged: status < 400 && !carriesError(body) }
  }
}

/** An answer with an `error` field says what could not be found out: it is delivered, never charged. */
const carriesError = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && (body as { error?: unknown }).error !== undefined

const pick = (headers: Exchange['request']['headers']): PaidRequest['headers'] =>
  Object.fromEntries(PAYMENTS.map((name) => [name, headers[name]]))
