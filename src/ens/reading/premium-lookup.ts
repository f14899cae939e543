/** The premium of an expired name: current value, curve, and when it falls below a limit. */
import { moneyToNumber, parseUsd } from '../../kernel/money.ts'
import type { Chain } from '../chain/chain.ts'
import type { Contracts } from '../chain/deployments.ts'
import { toIsoTime, type RegistrationPhase } from '../chain/expiry.ts'
import { type EnsName, withEth } from '../contract/names.ts'
import { findFallBelow, premiumAt, premiumCurve, premiumEndsAt, releasedAt } from './premium.ts'
import { yearsToSeconds } from '../chain/pricing.ts'
import { readContracts, rentRead, nameStateRead } from '../chain/contract-reads.ts'

type Needs = { readonly chain: Chain; readonly contracts: Contracts }

const STATES = { active: 'registered', in_grace: 'grace', past_grace: 'available', unregistered: 'available' } as const

export async function lookUpPremium(
  { chain, contracts }: Needs,
  name: EnsName,
  belowUsd: number | undefined,
  signal: AbortSignal,
) {
  const rent = rentRead(contracts, contracts.registersWith, name, yearsToSeconds(1))
  const [state, { premium }] = await readContracts(chain, [nameStateRead(contracts, name), rent] as const, signal)
  const { now, phase } = state
  const expiry = Number(state.expires)
  const isUnderWay = phase === 'past_grace' && now < premiumEndsAt(expiry)
  return {
    name: withEth(name),
    state: isUnderWay ? ('premium' as const) : STATES[phase],
    premium_usd: isUnderWay ? moneyToNumber(premiumAt(expiry, now)) : 0,
    ...(isUnderWay && { premium_wei: premium.toString() }),
    ...(hasCurve(phase, expiry, now) && {
      starts_at: toIsoTime(BigInt(releasedAt(expiry))),
      ends_at: toIsoTime(BigInt(premiumEndsAt(expiry))),
      curve: premiumCurve(expiry, now)
        .filter(({ at }) => at >= now)
        .map(({ at, usd }) => ({ at: toIsoTime(BigInt(at)), premium_usd: moneyToNumber(usd) })),
    }),
    ...(belowUsd !== undefined && {
      below: { usd: belowUsd, at: phase === 'unregistered' ? null : fallsBelowAt(expiry, belowUsd, now) },
    }),
  }
}

/** A name that was never registered has no premium; after its end there is nothing left to show. */
const hasCurve = (phase: RegistrationPhase, expiry: number, now: number): boolean =>
  phase !== 'unregistered' && now < premiumEndsAt(expiry)

function fallsBelowAt(expiry: number, usd: number, now: number): string | null {
  const at = findFallBelow(expiry, parseUsd(usd.toFixed(6)), now)
  return at === null ? null : toIsoTime(BigInt(at))
}
