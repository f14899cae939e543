/**
 * The premium on an expired name: it starts at 100 million dollars when the grace period ends and halves every day.
 *
 * Uses the same integer arithmetic as the price oracle on the chain (10^18 units per dollar, days with a 16-bit
 * fraction), so results match exactly. The premium changes in steps of 1/65536 day, about 1.3 seconds.
 */
import type { Usd } from '../../kernel/money.ts'
import { GRACE_SECONDS } from '../chain/expiry.ts'

const DAY_SECONDS = 86_400
const PREMIUM_DAYS = 21
const FRACTION_BITS = 16
const ATTOS_PER_USD = 10n ** 18n
const ATTOS_PER_MICRO = 10n ** 12n
const START_ATTOS = 100_000_000n * ATTOS_PER_USD
/** Subtracted from every value, so that the curve ends at zero. */
const END_ATTOS = START_ATTOS >> BigInt(PREMIUM_DAYS)

/** The factor for each bit of the day's fraction: ½ to the power of 1/65536, 2/65536 … 1/2. */
const FACTORS = Array.from({ length: FRACTION_BITS }, (_, bit) =>
  BigInt(Math.floor(0.5 ** (2 ** (bit - FRACTION_BITS)) * 1e18)),
)

/** When an expired name can be registered again; its premium starts then. */
export const releasedAt = (expiry: number): number => expiry + GRACE_SECONDS
export const premiumEndsAt = (expiry: number): number => releasedAt(expiry) + PREMIUM_DAYS * DAY_SECONDS

/** The premium in 10^-18 dollars at a time of the chain's clock. Zero before the name is released. */
export function premiumAttosAt(expiry: number, time: number): bigint {
  const elapsed = time - releasedAt(expiry)
  if (elapsed < 0 || elapsed >= PREMIUM_DAYS * DAY_SECONDS) return 0n
  const wholeDays = Math.floor(elapsed / DAY_SECONDS)
  // The oracle rounds twice here; both roundings go down, as this does.
  const partOfDay = ((BigInt(elapsed % DAY_SECONDS) * ATTOS_PER_USD) / BigInt(DAY_SECONDS)) * BigInt(2 ** FRACTION_BITS)
  const fraction = Number(partOfDay / ATTOS_PER_USD)
  let premium = START_ATTOS >> BigInt(wholeDays)
  for (const [bit, factor] of FACTORS.entries()) {
    if ((fraction & (1 << bit)) !== 0) premium = (premium * factor) / ATTOS_PER_USD
  }
  return premium > END_ATTOS ? premium - END_ATTOS : 0n
}

/** The premium in dollars, rounded down to the micro-dollar. */
export const premiumAt = (expiry: number, time: number): Usd => (premiumAttosAt(expiry, time) / ATTOS_PER_MICRO) as Usd

/** The first second at which the premium is less than `usd`. Null if it is below already, starts below, or `usd` is zero. */
export function findFallBelow(expiry: number, usd: Usd, now: number): number | null {
  const limit = usd * ATTOS_PER_MICRO
  const isBelow = (time: number) => premiumAttosAt(expiry, time) < limit
  let above = releasedAt(expiry)
  let below = premiumEndsAt(expiry)
  if (limit === 0n || isBelow(above)) return null
  while (below - above > 1) {
    const middle = Math.floor((above + below) / 2)
    if (isBelow(middle)) below = middle
    else above = middle
  }
  return below > now ? below : null
}

/** One point per day from release to end, plus the current value if the premium is running. */
export function premiumCurve(expiry: number, now: number): { readonly at: number; readonly usd: Usd }[] {
  const daily = Array.from({ length: PREMIUM_DAYS + 1 }, (_, day) => releasedAt(expiry) + day * DAY_SECONDS)
  const isUnderWay = now > releasedAt(expiry) && now < premiumEndsAt(expiry)
  const times = isUnderWay ? [...new Set([...daily, now])].toSorted((a, b) => a - b) : daily
  return times.map((at) => ({ at, usd: premiumAt(expiry, at) }))
}
