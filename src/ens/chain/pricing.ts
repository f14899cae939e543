/** Rent arithmetic, and prices in the formats of the API. */
import { formatEther } from '../../kernel/ethereum/bytes.ts'

/** What the controller charges, in wei. */
export type Rent = { readonly base: bigint; readonly premium: bigint }

/** US dollars for one ether, times 10^8, as the price feed reports it. */
export type EthUsd = bigint

const SECONDS_PER_YEAR = 31_536_000
const FEED_SCALE = 10n ** 8n
const WEI_PER_ETHER = 10n ** 18n

export const yearsToSeconds = (years: number): number => years * SECONDS_PER_YEAR

/** The feed's answer; undefined if missing or not positive, as a broken feed reports it. */
export const validEthUsd = (answer: bigint | undefined): EthUsd | undefined =>
  answer !== undefined && answer > 0n ? answer : undefined

/** Dollars rounded to the nearest cent, half up. */
export function weiToUsd(wei: bigint, ethUsd: EthUsd): number {
  const unit = FEED_SCALE * WEI_PER_ETHER
  return Number((wei * ethUsd * 100n + unit / 2n) / unit) / 100
}

/** Without a rate `usd_estimate` is left out. */
export function formatPrice({ base, premium }: Rent, ethUsd?: EthUsd) {
  const total = base + premium
  return {
    base_wei: base.toString(),
    premium_wei: premium.toString(),
    total_wei: total.toString(),
    total_eth: formatEther(total),
    ...(ethUsd !== undefined && { usd_estimate: weiToUsd(total, ethUsd) }),
  }
}

/** The controller charges no premium for a renewal. */
export const renewalRent = ({ base }: Rent): Rent => ({ base, premium: 0n })

/** The price format of `GET /v1/ens/check`. Without a rate the dollars come from the price oracle's table. */
export const formatCheckPrice = (wei: bigint, ethUsd: EthUsd | undefined, usdWithoutRate: number) => ({
  wei: wei.toString(),
  eth: formatEther(wei),
  usdEstimate: ethUsd === undefined ? usdWithoutRate : weiToUsd(wei, ethUsd),
})

/** A year's rent in dollars by label length, as in the price oracle. */
export const yearlyUsd = (label: string): number => (label.length === 3 ? 640 : label.length === 4 ? 160 : 5)

/** Adds 10%, so that a rate change before mining does not fail the transaction. The contract refunds the excess. */
export const withBuffer = (wei: bigint): bigint => (wei * 11n + 9n) / 10n
