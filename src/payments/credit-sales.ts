import { ApiError } from '../kernel/errors.ts'
import type { PaidRequest } from '../kernel/paywall.ts'
import type { Random } from '../kernel/random.ts'
import { CREDIT_ENDPOINT, type CreditSecret, type CreditStore } from './credit.ts'
import { deriveCreditToken, hashCreditToken } from './credit-token.ts'
import type { StoredAnswer } from './ledger.ts'
import { hashPaymentToken, PAYMENT_TOKEN, parsePaymentToken } from './payment-token.ts'
import { orUnavailable, type Purchase, unavailable } from './purchase.ts'
import { PaymentRefused } from './scheme.ts'

/** Gives a purchase of credit its token, which is never saved: neither in the answer nor anywhere else. */
export type CreditSales = {
  isFor(request: Pick<PaidRequest, 'endpoint'>): boolean
  /** Throws before anything is taken if the buyer could not fetch the token again. */
  assertRedeemable(purchase: Purchase): void
  /** Attaches the credit to the claimed payment. Called before the answer is saved. */
  attach(purchase: Purchase): Promise<void>
  /** The saved answer with the token. Throws if the caller is not the buyer. */
  addToken(purchase: Purchase, answer: StoredAnswer): Promise<StoredAnswer>
}

type Needs = {
  readonly credits: CreditStore
  /** The current key first. Older ones give out tokens that were derived from them. */
  readonly secrets: readonly string[]
  readonly random: Random
}

const SALT_BYTES = 32

export function createCreditSales({ credits, secrets, random }: Needs): CreditSales {
  return {
    isFor: ({ endpoint }) => endpoint === CREDIT_ENDPOINT,
    assertRedeemable({ scheme, request }) {
      if (!scheme.isProofPublic || parsePaymentToken(request.headers) !== undefined) return
      throw new ApiError(
        'invalid_request',
        `Send a ${PAYMENT_TOKEN} header with 43 random characters of base64url of your own, and the same payment: this ` +
          'payment will be public on the chain, and only that header lets you, and nobody else, fetch the credit token again. Nothing was taken.',
      )
    },
    async attach({ payment: { key: paymentKey }, scheme, request, owner }) {
      const salt = Buffer.from(random.bytes(SALT_BYTES)).toString('base64url')
      const tokenHash = hashCreditToken(deriveCreditToken(secrets[0]!, salt, paymentKey))
      const own = scheme.isProofPublic ? parsePaymentToken(request.headers) : undefined
      const redeemHash = own === undefined ? undefined : hashPaymentToken(own)
      if (await orUnavailable(credits.attach({ paymentKey, owner, tokenHash, salt, redeemHash }))) return
      throw unavailable('This payment was taken up by another request meanwhile; send the same request again.')
    },
    async addToken({ payment: { key }, request }, answer) {
      const secret = await findSecret(key)
      const own = parsePaymentToken(request.headers)
      if (secret.redeemHash !== undefined && (own === undefined || hashPaymentToken(own) !== secret.redeemHash)) {
        const sentence = `This payment was sent with another ${PAYMENT_TOKEN} header; send the same header to fetch the token of its credit.`
        throw new PaymentRefused('invalid-challenge', sentence)
      }
      const token = secrets
        .map((each) => deriveCreditToken(each, secret.salt, key))
        .find((each) => hashCreditToken(each) === secret.tokenHash)
      if (token === undefined) {
        throw unavailable('The token was derived from a key that the service no longer has; ask its operator.')
      }
      return { ...answer, body: JSON.stringify({ ...(JSON.parse(answer.body) as object), token }) }
    },
  }

  async function findSecret(paymentKey: string): Promise<CreditSecret> {
    let secret: CreditSecret | undefined
    try {
      secret = await credits.secretOf(paymentKey)
    } catch (error) {
      throw unavailable(
        'The credit cannot be read at the moment; send the same request with the same payment again.',
        error,
      )
    }
    if (secret) return secret
    throw new PaymentRefused(
      'invalid-challenge',
      'This payment bought credit a while ago, and its token is not given out again.',
    )
  }
}
