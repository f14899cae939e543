/** What a name costs, as the contract of this API writes it. */
import { formatEther } from 'viem/utils'

/** What the controller asks for, in wei. */
export type Rent = { readonly base: bigint; readonly premium: bigint }

/** US dollars for one ether, with eight decimals, as the feed says it. */
export type EthUsd = bigint

const SECONDS_PER_YEAR = 31_536_000
const FEED_UNIT = 10n ** 8n
const ETHER = 10n ** 18n

export const yearsToSeconds = (years: number): number => years * SECONDS_PER_YEAR

/** The feed's answer, or undefined where it has none: it says zero or less when it is broken. */
export const ethUsdOf = (answer: bigint | undefined): EthUsd | undefined =>
  answer !== undefined && answer > 0n ? answer : undefined

/** Dollars to the nearest cent, a half up. */
export function usdOf(wei: bigint, ethUsd: EthUsd): number {
  const unit = FEED_UNIT * ETHER
  return Number((wei * ethUsd * 100n + unit / 2n) / unit) / 100
}

/** Without a rate there is no estimate, rather than one that is made up. */
export function priceOf({ base, premium }: Rent, ethUsd?: EthUsd) {
  const total = base + premium
  return {
    base_wei: base.toString(),
    premium_wei: premium.toString(),
    total_wei: total.toString(),
    total_eth: formatEther(total),
    ...(ethUsd !== undefined && { usd_estimate: usdOf(total, ethUsd) }),
  }
}

/** A renewal never pays the premium: the controller asks for the base alone. */
export const renewalRent = ({ base }: Rent): Rent => ({ base, premium: 0n })

/** A sum as `GET /v1/ens/check` shows it. Without a rate the dollars are those of the price oracle's own table. */
export const checkPrice = (wei: bigint, ethUsd: EthUsd | undefined, usdWithoutRate: number) => ({
  wei: wei.toString(),
  eth: formatEther(wei),
  usdEstimate: ethUsd === undefined ? usdWithoutRate : usdOf(wei, ethUsd),
})

/** A year's rent in dollars, by the length of the label, as the price oracle on the chain has it. */
export const yearlyUsd = (label: string): number => (label.length === 3 ? 640 : label.length === 4 ? 160 : 5)

/** A tenth more, so that a rate that moves before the transaction is mined does not sink it; the rest comes back. */
export const withBuffer = (wei: bigint): bigint => (wei * 11n + 9n) / 10n
