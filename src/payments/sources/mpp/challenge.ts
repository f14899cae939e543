import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
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
  readonly opaque: string
}

export type ChallengeIssuer = {
  /** A new, unique challenge. Stores nothing. */
  issue(offer: Offer): PaymentChallenge
  /** Throws PaymentRefused unless we issued the challenge for this offer. */
  check(echo: ChallengeEcho, offer: Offer): void
}

type Needs = {
  readonly realm: string
  /** The first signs; all verify. */
  readonly secrets: readonly string[]
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
  readonly scope: string
}

/** Stateless challenges: the id is an HMAC-SHA256 of the parameters, joined by `|`. */
export function createChallengeIssuer({
  realm,
  secrets,
  currency,
  recipient,
  chainId,
  clock,
  random,
}: Needs): ChallengeIssuer {
  const [current] = secrets
  if (current === undefined) throw new RangeError('challenges need at least one secret')
  if (/[|\r\n]/.test(realm)) throw new RangeError('the realm must be one line without |')
  // A memo names one challenge, so two challenges of the same millisecond must differ, even across processes.
  const noncePrefix = Buffer.from(random.bytes(9)).toString('base64url')
  let count = 0
  const offers = new Map<string, OfferParts>()

  const partsOf = ({ scope, price, description }: Offer): OfferParts => {
    const name = `${price} ${scope} ${description}`
    const known = offers.get(name)
    if (known) return known
    // Members in alphabetical order: the canonical form of RFC 8785.
    const details = { chainId, supportedModes: ['pull'] }
    const request = encodeJson({ amount: String(price), currency, methodDetails: details, recipient })
    const parts = {
      request,
      opening: `${realm}|${METHOD}|${INTENT}|${request}|`,
      header: `realm=${quote(realm)}, method="${METHOD}", intent="${INTENT}", request="${request}", description=${quote(description)}`,
      scope,
    }
    if (offers.size >= MAX_CACHED_OFFERS) offers.clear()
    offers.set(name, parts)
    return parts
  }

  return {
    issue(offer) {
      const { opening, header, scope } = partsOf(offer)
      const expires = new Date(clock.now() + CHALLENGE_TTL_MS).toISOString()
      const opaque = encodeJson({ nonce: `${noncePrefix}${(count++).toString(36)}`, scope })
      const id = sign(current, `${opening}${expires}||${opaque}`)
      const value = `Payment id="${id}", ${header}, expires="${expires}", opaque="${opaque}"`
      return { headers: ['WWW-Authenticate', value], members: `"challengeId":"${id}"` }
    },
    check({ id, request, expires, opaque, ...echo }, offer) {
      const isOurKind = echo.realm === realm && echo.method === METHOD && echo.intent === INTENT
      const text = `${realm}|${METHOD}|${INTENT}|${request}|${expires}||${opaque}`
      if (!isOurKind || !secrets.some((secret) => isEqual(id, sign(secret, text)))) {
        throw new PaymentRefused(
          'invalid-challenge',
          'The challenge is not one of ours, or was changed; take a new one.',
        )
      }
      const parts = partsOf(offer)
      if (request !== parts.request || decodeScope(opaque) !== parts.scope) {
        throw new PaymentRefused(
          'invalid-challenge',
          'The challenge was for another offer; take the one of this answer.',
        )
      }
    },
  }
}

const sign = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('base64url')

/** Compares text, not decoded bytes: the last base64 character has unused bits, so one id would have several forms. */
function isEqual(id: string, seal: string): boolean {
  const [a, b] = [Buffer.from(id), Buffer.from(seal)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const encodeJson = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The HMAC covers it, so it is valid JSON of ours. */
const decodeScope = (opaque: string): unknown =>
  (JSON.parse(Buffer.from(opaque, 'base64url').toString()) as { scope?: unknown }).scope

/** Escapes characters a header cannot carry, in the form mppx decodes. Line breaks become spaces. */
function quote(text: string): string {
  const escaped = text
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll(/["\\]/g, '\\$&')
    .replaceAll(/[^\u0020-\u00FF]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `"${escaped}"`
}
