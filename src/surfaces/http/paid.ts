import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Context, Endpoint, Route } from '../../kernel/endpoint.ts'
import type { PaidAnswer, PaidRequest, Paywall, Work } from '../../kernel/paywall.ts'
import type { Usd } from '../../kernel/money.ts'
import { addressOf, fingerprintOf } from './paid-identity.ts'
import type { Exchange } from './exchange.ts'
import { whyNotLocal, whyNotPrivate } from './local-request.ts'
import { render } from './render.ts'

/** What the door needs to charge for answers. */
export type Checkout = {
  readonly paywall: Paywall
  priceOf(endpoint: Endpoint, input: Readonly<Record<string, unknown>>): Usd | undefined
  /** How clients reach the API, without a slash at its end. Never taken from the request, which anybody can write. */
  readonly publicUrl: string
  /** Header names and values, alternating, for every answer of a paid endpoint. */
  readonly headers: readonly string[]
  /** Sells only to clients on this machine: the money is play money, whose keys are public. */
  readonly isLocalOnly?: boolean
  /** Nothing is charged; answers only clients on this machine and in private networks. */
  readonly isFree?: boolean
}

type PaidCall = {
  readonly route: Route
  /** Validated by the endpoint's schema. */
  readonly input: Record<string, unknown>
  /** As it was received; undefined for a request without one. */
  readonly body: Buffer | undefined
  readonly context: Context
  /** Whether the request has a header that may be a payment. */
  readonly mayPay: boolean
  /** The payment of a call inside another protocol; otherwise the request has it in its headers. */
  readonly payment?: PaidRequest['headers'] | undefined
  /** Set if the client's rate limit is used up: thrown unless the payment is signed. */
  readonly refusal?: Error | undefined
}

const NO_HEADERS: PaidRequest['headers'] = Object.freeze({})
const NEVER = new AbortController().signal

/** Headers that can carry a payment or a credit token, and those that say who may have an answer again. */
const PAYMENT_HEADERS = ['payment-signature', 'x-payment', 'authorization', 'payment-token', 'idempotency-key'] as const

const CREDIT = /(?:^|,)\s*bearer +onoma_credit_/i

/** The credit token of a request, for a call inside it; undefined if it has none. */
export const findCredit = ({ request: { headers } }: Exchange): PaidRequest['headers'] | undefined =>
  CREDIT.test(headers.authorization ?? '') ? { authorization: headers.authorization } : undefined

/** Whether a request has a header that may be a payment or a credit token. */
export const bringsPayment = ({ request: { headers } }: Exchange): boolean =>
  headers['payment-signature'] !== undefined ||
  headers['x-payment'] !== undefined ||
  /(?:^|,)\s*(?:payment(?:[\s,]|$)|bearer +onoma_credit_)/i.test(headers.authorization ?? '')

const NOT_SET_UP =
  'Payments are not set up here. The operator can set ONOMA_PAYMENTS=free to answer this machine and private networks without payment, or ONOMA_PAY_TO and a node to take real payments.'

/** Why nothing is sold to this request; undefined if paid endpoints are open to it. */
export function whyClosed(
  checkout: Checkout | undefined,
  request: IncomingMessage,
  isTrustedProxy: (address: string) => boolean,
): string | undefined {
  if (!checkout) return NOT_SET_UP
  if (checkout.isFree) {
    const why = whyNotPrivate(request, isTrustedProxy)
    return why && `Paid endpoints are free here, on this machine and in private networks only; ${why}.`
  }
  const why = checkout.isLocalOnly ? whyNotLocal(request) : undefined
  return why && `Payments are simulated here, and play money is accepted from this machine only; ${why}.`
}

/** URL and fingerprints are computed at first use: a request that is paid with credit needs none of them. */
class IdentifiedRequest implements PaidRequest {
  readonly endpoint: string
  readonly description: string
  readonly price: Usd
  readonly bodyDigest: string | undefined
  readonly headers: PaidRequest['headers']
  readonly signal: AbortSignal
  readonly #checkout: Checkout
  readonly #endpoint: Endpoint
  readonly #input: Readonly<Record<string, unknown>>
  #fingerprint: string | undefined

  constructor(
    checkout: Checkout,
    endpoint: Endpoint,
    input: Readonly<Record<string, unknown>>,
    { bodyDigest, headers, signal }: Pick<PaidRequest, 'bodyDigest' | 'headers' | 'signal'>,
  ) {
    this.endpoint = endpoint.name
    this.description = endpoint.summary
    this.price = checkout.priceOf(endpoint, input)!
    this.bodyDigest = bodyDigest
    this.headers = headers
    this.signal = signal
    this.#checkout = checkout
    this.#endpoint = endpoint
    this.#input = input
  }

  get url(): string {
    return this.#checkout.publicUrl + addressOf(this.#endpoint, this.#input)
  }

  get bodyFingerprint(): string {
    return this.#endpoint.method === 'POST' ? this.fingerprint : ''
  }

  get fingerprint(): string {
    return (this.#fingerprint ??= fingerprintOf(this.#endpoint, this.#input))
  }
}

/** Returns the answer of a paid endpoint, or the 402 that asks for a payment. */
export async function sell(
  checkout: Checkout,
  exchange: Exchange,
  { route, input, body, context, mayPay, payment, refusal }: PaidCall,
): Promise<PaidAnswer> {
  const { endpoint } = route
  // A HEAD request is never charged: it gets the 402 with the price. Skip the work that only a payment needs.
  const pays = (mayPay || checkout.isFree === true) && exchange.request.method !== 'HEAD'
  const request = new IdentifiedRequest(checkout, endpoint, input, {
    bodyDigest: body && digestOf(body),
    headers: pays ? (payment ?? pick(exchange.request.headers)) : NO_HEADERS,
    signal: pays ? context.signal : NEVER,
  })
  if (refusal && !(await checkout.paywall.isSigned(request))) throw refusal
  return checkout.paywall.serve(request, () => prepareWork(route, input, exchange.id, context))
}

/** Runs `prepare` of the route, and returns the rest of the work to be run once the payment is valid. */
async function prepareWork(
  route: Route,
  input: Record<string, unknown>,
  requestId: string,
  context: Context,
): Promise<Work> {
  const rest = route.prepare && (await route.prepare(input, context))
  return async (signal) => {
    const own: Context = {
      requestId,
      client: context.client,
      signal,
      spend: () => ({ allowed: true, remaining: 0, seconds: 0 }),
    }
    const body = await (rest ? rest(own) : route.run(input, own))
    const status = route.wrap?.status?.(body) ?? 200
    return { status, body: render(body).text, isCharged: status < 400 && !carriesError(body) }
  }
}

/** An error result: returned, never charged. */
const carriesError = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && (body as { error?: unknown }).error !== undefined

/** `Content-Digest` of RFC 9530. */
const digestOf = (body: Buffer): string => `sha-256=:${hash('sha256', body, 'base64')}:`

function pick(headers: Exchange['request']['headers']): PaidRequest['headers'] {
  const picked: Record<string, string | string[] | undefined> = {}
  for (const name of PAYMENT_HEADERS) picked[name] = headers[name]
  return picked
}
