/**
 * The premium on a name nobody renewed: it starts high when the grace period ends and halves every day.
 *
 * Counted the way the price oracle on the chain counts (whole numbers, 10^18 to a dollar, sixteen binary places of a
 * day), so the two agree to the last unit. It moves in steps of 1/65536 day, about 1.3 seconds.
 */
import type { Usd } from '../../kernel/money.ts'
import { GRACE_SECONDS } from '../chain/expiry.ts'

const DAY = 86_400
const DAYS = 21
const PLACES = 16
const UNIT = 10n ** 18n
const ATTOS_PER_MICRO = 10n ** 12n
const START = 100_000_000n * UNIT
/** Taken off throughout, so that the curve ends at zero. */
const END = START >> BigInt(DAYS)

/** What each binary place of a day leaves of the premium: ½ to the power of 1/65536, 2/65536 … 1/2. */
const FACTORS = Array.from({ length: PLACES }, (_, place) => BigInt(Math.floor(0.5 ** (2 ** (place - PLACES)) * 1e18)))

/** When a name that expired can be had again, and when its premium is gone. */
export const releaseOf = (expiry: number): number => expiry + GRACE_SECONDS
export const premiumEndsAt = (expiry: number): number => releaseOf(expiry) + DAYS * DAY

/** In 10^-18 dollars, at a second of the chain's clock. Zero before the name is released. */
export function premiumAttosAt(expiry: number, time: number): bigint {
  const elapsed = time - releaseOf(expiry)
  if (elapsed < 0 || elapsed >= DAYS * DAY) return 0n
  const wholeDays = Math.floor(elapsed / DAY)
  // The oracle rounds twice here; both roundings go down, as this does.
  const partOfDay = ((BigInt(elapsed % DAY) * UNIT) / BigInt(DAY)) * BigInt(2 ** PLACES)
  const fraction = Number(partOfDay / UNIT)
  let premium = START >> BigInt(wholeDays)
  for (const [place, factor] of FACTORS.entries()) {
    if ((fraction & (1 << place)) !== 0) premium = (premium * factor) / UNIT
  }
  return premium > END ? premium - END : 0n
}

/** In dollars, rounded down to the micro-dollar. */
export const premiumAt = (expiry: number, time: number): Usd => (premiumAttosAt(expiry, time) / ATTOS_PER_MICRO) as Usd

/**
 * The first second at which the premium is less than `usd`, or null where there is none to come: it is below already,
 * it starts below, or `usd` is zero.
 */
export function fallsBelow(expiry: number, usd: Usd, now: number): number | null {
  const limit = usd * ATTOS_PER_MICRO
  const isBelow = (time: number) => premiumAttosAt(expiry, time) < limit
  let above = releaseOf(expiry)
  let below = premiumEndsAt(expiry)
  if (limit === 0n || isBelow(above)) return null
  while (below - above > 1) {
    const middle = Math.floor((above + below) / 2)
    if (isBelow(middle)) below = middle
    else above = middle
  }
  return below > now ? below : null
}

/** The curve by the day from release to end, and where it stands now if it is under way. */
export function premiumCurve(expiry: number, now: number): { readonly at: number; readonly usd: Usd }[] {
  const daily = Array.from({ length: DAYS + 1 }, (_, day) => releaseOf(expiry) + day * DAY)
  const isUnderWay = now > releaseOf(expiry) && now < premiumEndsAt(expiry)
  const times = isUnderWay ? [...new Set([...daily, now])].toSorted((a, b) => a - b) : daily
  return times.map((at) => ({ at, usd: premiumAt(expiry, at) }))
}
