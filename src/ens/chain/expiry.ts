/** Registration phases, from the registrar's expiry and the chain's clock. Times are seconds since the epoch. */

export const GRACE_SECONDS = 90 * 86_400

export type RegistrationPhase =
  /** Never registered. */
  | 'unregistered'
  /** Registered and not expired. */
  | 'active'
  /** Expired, can be renewed by anyone but not registered. */
  | 'in_grace'
  /** Expired and open for registration. */
  | 'past_grace'

export function phaseAt(nameExpires: bigint, now: number): RegistrationPhase {
  if (nameExpires === 0n) return 'unregistered'
  const time = BigInt(now)
  if (nameExpires > time) return 'active'
  return nameExpires + BigInt(GRACE_SECONDS) < time ? 'past_grace' : 'in_grace'
}

/** Whether the registrar accepts a registration. The last second of the grace period is still part of it. */
export const isRegistrable = (phase: RegistrationPhase): boolean => phase === 'unregistered' || phase === 'past_grace'

/** The expiry fields of the response; undefined for a name that was never registered. */
export function formatExpiry(nameExpires: bigint, now: number) {
  const phase = phaseAt(nameExpires, now)
  if (phase === 'unregistered') return undefined
  return {
    expires_at: toIsoTime(nameExpires),
    expires_at_unix: Number(nameExpires),
    grace_period_ends: toIsoTime(nameExpires + BigInt(GRACE_SECONDS)),
    is_expired: phase !== 'active',
    in_grace_period: phase === 'in_grace',
  }
}

/** A renewal extends the old expiry, even if that has passed. */
export const renewedExpiry = (nameExpires: bigint, seconds: number): bigint => nameExpires + BigInt(seconds)

/** 9999-12-31T23:59:59Z: renewals can exceed the four-digit years of ISO 8601. */
const MAX_ISO_SECONDS = 253_402_300_799n

export const toIsoTime = (seconds: bigint): string =>
  new Date(Number(seconds < MAX_ISO_SECONDS ? seconds : MAX_ISO_SECONDS) * 1000).toISOString()
