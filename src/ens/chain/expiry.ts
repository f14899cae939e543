/** How long a name is held, by the registrar's expiry and the chain's clock. Times are seconds since the epoch. */

export const GRACE_SECONDS = 90 * 86_400

export type Tenure =
  /** Never registered. */
  | 'unregistered'
  /** Somebody holds it. */
  | 'active'
  /** Expired; only a renewal can save it, and anybody may pay for one. */
  | 'in_grace'
  /** Anybody may register it. */
  | 'past_grace'

export function tenureOf(nameExpires: bigint, now: number): Tenure {
  if (nameExpires === 0n) return 'unregistered'
  const time = BigInt(now)
  if (nameExpires > time) return 'active'
  return nameExpires + BigInt(GRACE_SECONDS) < time ? 'past_grace' : 'in_grace'
}

/** Whether the registrar would take a registration; the last second of the grace period still belongs to the owner. */
export const isAvailable = (tenure: Tenure): boolean => tenure === 'unregistered' || tenure === 'past_grace'

/** The expiry fields of the contract, or undefined for a name that never was registered. */
export function expiryOf(nameExpires: bigint, now: number) {
  const tenure = tenureOf(nameExpires, now)
  if (tenure === 'unregistered') return undefined
  return {
    expires_at: isoOf(nameExpires),
    expires_at_unix: Number(nameExpires),
    grace_period_ends: isoOf(nameExpires + BigInt(GRACE_SECONDS)),
    is_expired: tenure !== 'active',
    in_grace_period: tenure === 'in_grace',
  }
}

/** A renewal counts from the old expiry, also when that has passed. */
export const expiryAfter = (nameExpires: bigint, seconds: number): bigint => nameExpires + BigInt(seconds)

/** The last second whose year has four digits: money can buy more years than ISO 8601 has room for. */
const LAST_SECOND = 253_402_300_799n

export const isoOf = (seconds: bigint): string =>
  new Date(Number(seconds < LAST_SECOND ? seconds : LAST_SECOND) * 1000).toISOString()
