/** The falling price of a name nobody renewed, for those who wait for it. */
import { moneyToNumber, parseUsd } from '../../kernel/money.ts'
import type { Chain } from '../chain/chain.ts'
import type { Contracts } from '../chain/deployments.ts'
import { isoOf, type Tenure } from '../chain/expiry.ts'
import { type EnsName, withEth } from '../contract/names.ts'
import { fallsBelow, premiumAt, premiumCurve, premiumEndsAt, releaseOf } from './premium.ts'
import { yearsToSeconds } from '../chain/pricing.ts'
import { askTogether, rentQuestion, standingQuestion } from '../chain/calls.ts'

type Needs = { readonly chain: Chain; readonly contracts: Contracts }

const STATES = { active: 'registered', in_grace: 'grace', past_grace: 'available', unregistered: 'available' } as const

export async function lookUpPremium(
  { chain, contracts }: Needs,
  name: EnsName,
  belowUsd: number | undefined,
  signal: AbortSignal,
) {
  const rent = rentQuestion(contracts, contracts.registersWith, name, yearsToSeconds(1))
  const [standing, { premium }] = await askTogether(chain, [standingQuestion(contracts, name), rent] as const, signal)
  const { now, tenure } = standing
  const expiry = Number(standing.expires)
  const isUnderWay = tenure === 'past_grace' && now < premiumEndsAt(expiry)
  return {
    name: withEth(name),
    state: isUnderWay ? ('premium' as const) : STATES[tenure],
    premium_usd: isUnderWay ? moneyToNumber(premiumAt(expiry, now)) : 0,
    ...(isUnderWay && { premium_wei: premium.toString() }),
    ...(hasCurve(tenure, expiry, now) && {
      starts_at: isoOf(BigInt(releaseOf(expiry))),
      ends_at: isoOf(BigInt(premiumEndsAt(expiry))),
      curve: premiumCurve(expiry, now)
        .filter(({ at }) => at >= now)
        .map(({ at, usd }) => ({ at: isoOf(BigInt(at)), premium_usd: moneyToNumber(usd) })),
    }),
    ...(belowUsd !== undefined && {
      below: { usd: belowUsd, at: tenure === 'unregistered' ? null : fallsAt(expiry, belowUsd, now) },
    }),
  }
}

/** There is none for a name never held, and none to come once it is over. */
const hasCurve = (tenure: Tenure, expiry: number, now: number): boolean =>
  tenure !== 'unregistered' && now < premiumEndsAt(expiry)

function fallsAt(expiry: number, usd: number, now: number): string | null {
  const at = fallsBelow(expiry, parseUsd(usd.toFixed(6)), now)
  return at === null ? null : isoOf(BigInt(at))
}
