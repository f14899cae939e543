import type { Clock } from '../kernel/clock.ts'
import { ApiError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { formatMoney, type Usd } from '../kernel/money.ts'
import type { PaidAnswer, PaidRequest, Product, Work } from '../kernel/paywall.ts'
import type { Random } from '../kernel/random.ts'
import { balanceOf, type Credit, CREDIT_ENDPOINT, type CreditStore } from './credit.ts'
import { CREDIT_BALANCE, hashCreditToken, isCreditToken, unknownToken } from './credit-token.ts'
import type { StoredAnswer } from './ledger.ts'
import { withTimeout } from './paid-work.ts'
import { deliver, deliverUncharged, orUnavailable, unavailable } from './purchase.ts'
import { PaymentRefused, type RequestHeaders } from './scheme.ts'
import { logFailure } from './settlement.ts'

export type CreditDraws = {
  /** Answers a request whose price is drawn from the credit of the token. Throws PaymentRefused if it does not cover it. */
  serve(request: PaidRequest, token: string, prepared: () => Promise<Work>): Promise<PaidAnswer>
  /** Whether the credit covers the price at the moment. */
  covers(request: PaidRequest, token: string): Promise<boolean>
}

type Needs = {
  readonly credits: CreditStore
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly workTimeoutMs: number
  /** Called once for every request that was charged. */
  readonly onDrawn?: ((endpoint: string, price: Usd) => void) | undefined
}

const IDEMPOTENCY_KEY = 'Idempotency-Key'
const MAX_KEY_LENGTH = 128
/** A reservation outlasts preparation and work by this much. */
const LEASE_MARGIN_MS = 40_000
const RETRY_MS = 100
const MAX_ATTEMPTS = 200

/**
 * draw → prepare → work → deliver → confirm: a crash before the end gives the draw back. With an idempotency key it is
 * draw → prepare → work → save and confirm → deliver: after a crash the client fetches the saved answer with its key.
 */
export function createCreditDraws(needs: Needs): CreditDraws {
  const { credits, clock, random, log, wait, workTimeoutMs, onDrawn } = needs

  async function serve(request: PaidRequest, token: string, prepared: () => Promise<Work>): Promise<PaidAnswer> {
    if (request.endpoint === CREDIT_ENDPOINT)
      throw new ApiError('invalid_request', 'Credit cannot be bought with credit; pay for it by x402 or MPP.')
    if (!isCreditToken(token)) throw unknownToken()
    const key = parseIdempotencyKey(request.headers)
    const owner = `${Math.floor(clock.now()).toString(16).padStart(12, '0')}-${random.uuid()}`
    const reserved = await reserve(request, { tokenHash: hashCreditToken(token), key, owner })
    if ('answer' in reserved) return deliverDrawn(reserved.answer, reserved.balance)
    const product = await work(request, { key, owner }, prepared)
    if (!product.isCharged) return deliverUncharged(product)
    const answer = deliverDrawn(product, reserved.balance)
    const charged = () => onDrawn?.(request.endpoint, request.price)
    if (key !== undefined) {
      charged()
      return answer
    }
    const confirm = async () => {
      if (await credits.confirm(owner)) charged()
      else log.warn({ endpoint: request.endpoint }, 'An answer was delivered after its draw on credit had ended.')
    }
    return {
      ...answer,
      onDelivered: () => void logFailure(log, confirm()),
      onLost: () => void logFailure(log, credits.giveBack(owner)),
    }
  }

  /** The reservation, or the saved answer of an earlier request with the same key. */
  async function reserve(
    request: PaidRequest,
    draw: { readonly tokenHash: string; readonly key: string | undefined; readonly owner: string },
  ): Promise<{ balance: bigint; answer: StoredAnswer } | { balance: bigint }> {
    const { endpoint, price, signal } = request
    const fingerprint = draw.key === undefined ? '' : request.fingerprint
    const wish = { ...draw, fingerprint, endpoint, micros: price }
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const result = await orUnavailable(credits.draw({ ...wish, leaseMs: workTimeoutMs + LEASE_MARGIN_MS }))
      if (result.drawn) return result
      const { credit } = result
      if (!credit) throw unknownToken()
      const { prior } = credit
      if (prior && prior.fingerprint !== fingerprint) {
        const sentence = `This ${IDEMPOTENCY_KEY} was used for another request; use a new one for each request.`
        throw new ApiError('idempotency_key_reused', sentence)
      }
      if (prior?.answer) return { answer: prior.answer, balance: balanceOf(credit) }
      if (!prior || credit.isLost) throw refusalOf(credit, price)
      await wait(RETRY_MS, signal)
    }
    throw unavailable(`The request with this ${IDEMPOTENCY_KEY} is still being worked on; send it again.`)
  }

  async function work(
    { signal }: PaidRequest,
    { key, owner }: { readonly key: string | undefined; readonly owner: string },
    prepared: () => Promise<Work>,
  ): Promise<Product> {
    const giveBack = () => logFailure(log, credits.giveBack(owner))
    try {
      const product = await withTimeout(workTimeoutMs, signal, await prepared())
      // A client that has gone is not charged.
      signal.throwIfAborted()
      if (!product.isCharged) {
        await giveBack()
        return product
      }
      const { status, body } = product
      if (key === undefined || (await orUnavailable(credits.confirm(owner, { status, body })))) return product
      throw unavailable('The work took too long, and nothing was charged; send the same request again.')
    } catch (error) {
      await giveBack()
      throw error
    }
  }

  return {
    serve,
    async covers({ price }, token) {
      const credit = isCreditToken(token) ? await credits.find(hashCreditToken(token)) : undefined
      return credit !== undefined && !credit.isLost && balanceOf(credit) >= price
    },
  }
}

const deliverDrawn = (answer: StoredAnswer, balance: bigint): PaidAnswer =>
  deliver(answer, [CREDIT_BALANCE, formatMoney(balance as Usd)])

function refusalOf(credit: Credit, price: Usd): PaymentRefused {
  if (credit.isLost) {
    const sentence =
      'The chain has dropped the payment that bought this credit, so it cannot be used; pay for this request.'
    return new PaymentRefused('payment-insufficient', sentence)
  }
  const balance = formatMoney(balanceOf(credit) as Usd)
  const sentence = `The credit has $${balance} left, and this costs $${formatMoney(price)}; pay for this request, or buy credit with POST /v1/credit.`
  return new PaymentRefused('payment-insufficient', sentence)
}

/** Undefined if the request has no key: then each request is a draw of its own. */
function parseIdempotencyKey(headers: RequestHeaders): string | undefined {
  const key = headers[IDEMPOTENCY_KEY.toLowerCase()]
  if (key === undefined) return undefined
  if (typeof key === 'string' && key.length <= MAX_KEY_LENGTH && /^[\x21-\x7e]+$/.test(key)) return key
  const sentence = `${IDEMPOTENCY_KEY} must be 1 to ${MAX_KEY_LENGTH} characters of ASCII without spaces.`
  throw new ApiError('invalid_request', sentence)
}
