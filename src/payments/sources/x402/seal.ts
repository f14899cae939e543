import { timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { createHmacSigner } from '../../../kernel/hmac.ts'
import type { Offer } from '../../scheme.ts'

/** What a 402 asked for, as far as the settings can change it. */
export type SealedTerms = { readonly amount: string; readonly payTo: string }

/** Signs the terms of a 402, so that they can be honoured after the settings have changed. Stores nothing. */
export type Sealer = {
  seal(terms: SealedTerms, offer: Offer): string
  /** Whether we sent these terms for this request, and they have not expired. */
  isOurs(seal: unknown, terms: SealedTerms, offer: Offer): boolean
}

type Needs = {
  /** The first signs; all verify. */
  readonly secrets: readonly string[]
  readonly clock: Pick<Clock, 'now'>
  readonly ttlSeconds: number
}

const SEAL = /^(\d{1,12})\.([\w-]{43})$/

export function createSealer({ secrets, clock, ttlSeconds }: Needs): Sealer {
  const signers = secrets.map(createHmacSigner)
  const [current] = signers
  if (current === undefined) throw new RangeError('seals need at least one secret')
  const textOf = (expiresAt: number, { amount, payTo }: SealedTerms, offer: Offer): string => {
    // Not only the endpoint: the price depends on the parameters.
    const { scope, url, bodyFingerprint = '' } = offer
    return JSON.stringify(['x402', expiresAt, amount, payTo.toLowerCase(), scope, url, bodyFingerprint])
  }
  return {
    seal(terms, offer) {
      const expiresAt = Math.floor(clock.now() / 1000) + ttlSeconds
      return `${expiresAt}.${current(textOf(expiresAt, terms, offer))}`
    },
    isOurs(seal, terms, offer) {
      const [, time, mac] = (typeof seal === 'string' && SEAL.exec(seal)) || []
      if (time === undefined || mac === undefined || Number(time) < clock.now() / 1000) return false
      const given = Buffer.from(mac)
      const text = textOf(Number(time), terms, offer)
      return signers.some((sign) => timingSafeEqual(Buffer.from(sign(text)), given))
    },
  }
}
