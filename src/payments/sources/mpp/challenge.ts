import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import type { Random } from '../../../kernel/random.ts'
import { type Hex, type PaymentChallenge, type Offer, PaymentRefused } from '../../scheme.ts'

/** What the client echoes of a challenge, as the strings of its header. */
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
  /** A fresh one, never the same as another. Asks nobody and keeps nothing. */
  issue(offer: Offer): PaymentChallenge
  /** Throws PaymentRefused where we did not make it, or made it for something else. */
  check(echo: ChallengeEcho, offer: Offer): void
}

type Needs = {
  readonly realm: string
  /** The first signs, all are believed. */
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
/** There are a handful of offers; this only says that they are not kept without end. */
const MAX_CACHED_OFFERS = 256

type OfferParts = {
  readonly request: string
  readonly opening: string
  readonly header: string
  readonly scope: string
}

/** Challenges nobody has to remember: each carries its own seal (HMAC-SHA256 over its parts, `|` between them). */
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
  if (current === undefined) throw new RangeError('there is no secret to sign challenges with')
  if (/[|\r\n]/.test(realm)) throw new RangeError('a realm is one line without |')
  // Two of the same millisecond must not be the same, not even of two processes: a memo names one challenge.
  const noncePrefix = Buffer.from(random.bytes(9)).toString('base64url')
  let count = 0
  const offers = new Map<string, OfferParts>()

  const partsOf = ({ scope, price, description }: Offer): OfferParts => {
    const name = `${price} ${scope} ${description}`
    const known = offers.get(name)
    if (known) return known
    // The members stand in alphabetical order: that is their canonical form (RFC 8785).
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

/** As text: the last letter of base64 has bits to spare, and two spellings of an id would be two challenges. */
function isEqual(id: string, seal: string): boolean {
  const [a, b] = [Buffer.from(id), Buffer.from(seal)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const encodeJson = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** It is under our seal, so it is as we wrote it. */
const decodeScope = (opaque: string): unknown =>
  (JSON.parse(Buffer.from(opaque, 'base64url').toString()) as { scope?: unknown }).scope

/** What a header cannot carry is written as mppx reads it; a line break has no business here. */
function quote(text: string): string {
  const escaped = text
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll(/["\\]/g, '\\$&')
    .replaceAll(/[^\u0020-\u00FF]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `"${escaped}"`
}
