import { hash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { createHmacSigner } from '../../../kernel/hmac.ts'
import type { Random } from '../../../kernel/random.ts'
import { type Hex, type PaymentChallenge, type Offer, PaymentRefused } from '../../scheme.ts'

/** The parameters of a challenge as the client sends them back. */
export type ChallengeEcho = {
  readonly id: string
  readonly realm: string
  readonly method: string
  readonly intent: string
  readonly request: string
  readonly expires: string
  /** Digest of the request body; only challenges for requests with a body have one. */
  readonly digest: string | undefined
  readonly opaque: string
}

/** What a challenge asked for. A payment must match it, even if the price or the recipient has changed since. */
export type ChallengeTerms = {
  readonly id: string
  readonly amount: bigint
  readonly currency: Hex
  readonly recipient: Hex
  /** Seconds since the epoch. */
  readonly issuedAt: number
  readonly expiresAt: number
}

export type ChallengeIssuer = {
  /** A new, unique challenge. Stores nothing. */
  issue(offer: Offer): PaymentChallenge
  /** Throws PaymentRefused unless the challenge was issued for this offer by an instance with this ledger. */
  check(echo: ChallengeEcho, offer: Offer): ChallengeTerms
}

type Needs = {
  readonly realm: string
  /** The first signs; all verify. */
  readonly secrets: readonly string[]
  /** Instances with ledgers of their own do not know each other's payments, so they refuse each other's challenges. */
  readonly ledgerId: string
  readonly currency: Hex
  readonly recipient: Hex
  readonly chainId: number
  readonly clock: Clock
  readonly random: Random
}

export const METHOD = 'tempo'
const INTENT = 'charge'
const CHALLENGE_TTL_MS = 5 * 60_000
/** There are only a handful of offers; this keeps the cache bounded. */
const MAX_CACHED_OFFERS = 256

type OfferParts = {
  readonly request: string
  readonly opening: string
  readonly header: string
}

/** Stateless challenges: the id is an HMAC-SHA256 of the parameters, joined by `|`. */
export function createChallengeIssuer(needs: Needs): ChallengeIssuer {
  const { realm, secrets, ledgerId, currency, recipient, chainId, clock, random } = needs
  const signers = secrets.map(createHmacSigner)
  const [current] = signers
  if (current === undefined) throw new RangeError('challenges need at least one secret')
  if (/[|\r\n]/.test(realm)) throw new RangeError('the realm must be one line without |')
  // A memo names one challenge, so two challenges of the same millisecond must differ, even across processes.
  const noncePrefix = Buffer.from(random.bytes(9)).toString('base64url')
  let count = 0
  const offers = new Map<string, OfferParts>()

  const partsOf = ({ price, description }: Offer): OfferParts => {
    const name = `${price} ${description}`
    const known = offers.get(name)
    if (known) return known
    // Members in alphabetical order: the canonical form of RFC 8785.
    const details = { chainId, supportedModes: ['pull', 'push'] }
    const request = encodeJson({ amount: String(price), currency, methodDetails: details, recipient })
    const parts = {
      request,
      opening: `${realm}|${METHOD}|${INTENT}|${request}|`,
      header: `realm=${quote(realm)}, method="${METHOD}", intent="${INTENT}", request="${request}", description=${quote(description)}`,
    }
    if (offers.size >= MAX_CACHED_OFFERS) offers.clear()
    offers.set(name, parts)
    return parts
  }

  return {
    issue(offer) {
      const { opening, header } = partsOf(offer)
      const { scope, bodyDigest: digest = '' } = offer
      const expires = new Date(clock.now() + CHALLENGE_TTL_MS).toISOString()
      const nonce = `${noncePrefix}${(count++).toString(36)}`
      const opaque = encodeJson({ ledger: ledgerId, nonce, resource: resourceHash(offer), scope })
      const id = current(`${opening}${expires}|${digest}|${opaque}`)
      const digestParameter = digest && `, digest="${digest}"`
      const value = `Payment id="${id}", ${header}, expires="${expires}"${digestParameter}, opaque="${opaque}"`
      return { headers: ['WWW-Authenticate', value], members: `"challengeId":"${id}"` }
    },
    check({ id, request, expires, digest, opaque, ...echo }, offer) {
      const isOurKind = echo.realm === realm && echo.method === METHOD && echo.intent === INTENT
      const text = `${realm}|${METHOD}|${INTENT}|${request}|${expires}|${digest ?? ''}|${opaque}`
      if (!isOurKind || !signers.some((sign) => isEqual(id, sign(text)))) {
        throw invalid('The challenge is not one of ours, or was changed; take a new one.')
      }
      const { ledger, resource, scope } = decodeJson(opaque) as Opaque
      if (ledger !== ledgerId) {
        throw invalid('The challenge is of another instance, which keeps its own books; take the one of this answer.')
      }
      const terms = decodeJson(request) as Request
      if (digest !== undefined && digest !== offer.bodyDigest)
        throw invalid('The challenge was for another request body.')
      // The price may depend on the parameters: another price is the old price only if the request is the same one.
      const isOldPrice = resource === resourceHash(offer)
      const isSamePrice = terms.amount === String(offer.price)
      if (scope !== offer.scope || terms.methodDetails.chainId !== chainId || !(isSamePrice || isOldPrice)) {
        throw invalid('The challenge was for another offer; take the one of this answer.')
      }
      const expiresAt = Date.parse(expires)
      return {
        id,
        amount: BigInt(terms.amount),
        currency: terms.currency.toLowerCase() as Hex,
        recipient: terms.recipient.toLowerCase() as Hex,
        issuedAt: (expiresAt - CHALLENGE_TTL_MS) / 1000,
        expiresAt: expiresAt / 1000,
      }
    },
  }
}

type Opaque = { readonly ledger?: string; readonly resource?: string; readonly scope?: string }
type Request = {
  readonly amount: string
  readonly currency: Hex
  readonly recipient: Hex
  readonly methodDetails: { readonly chainId: number }
}

const invalid = (sentence: string) => new PaymentRefused('invalid-challenge', sentence)

/** Compares text, not decoded bytes: the last base64 character has unused bits, so one id would have several forms. */
function isEqual(id: string, seal: string): boolean {
  const [a, b] = [Buffer.from(id), Buffer.from(seal)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Names the request with all its parameters. Those of a body are part of it, because a challenge given out over MCP has
 * no digest. Twelve bytes: enough that no two requests of a client share them, and short in a header.
 */
const resourceHash = ({ url, bodyFingerprint = '' }: Offer): string =>
  hash('sha256', url + bodyFingerprint, 'base64url').slice(0, 16)

const encodeJson = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Only for text that the HMAC covers: it is JSON of ours. */
const decodeJson = (text: string): unknown => JSON.parse(Buffer.from(text, 'base64url').toString())

/** Escapes characters a header cannot carry, in the form mppx decodes. Line breaks become spaces. */
function quote(text: string): string {
  const escaped = text
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll(/["\\]/g, '\\$&')
    .replaceAll(/[^\u0020-\u00FF]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `"${escaped}"`
}
