/** From a call to a transaction somebody may sign: tried out, priced, and told in words. */
import { ApiError, type ErrorCode } from '../kernel/errors.ts'
import type { Call, Chain, Hex } from './chain.ts'
import { addressProblem, type Contracts } from './contracts.ts'
import { decodeTransaction } from './decoded.ts'
import { isoOf } from './expiry.ts'
import { type EnsName, withEth } from './names.ts'
import type { Standing } from './questions.ts'
import { type Deed, reasonOf } from './reasons.ts'

/** Gas of each kind, for where the node cannot say: what it usually takes and some more. And how it is refused. */
export const DEEDS = {
  commit: { usualGas: 60_000, refusedAs: 'prepare_commit_failed' },
  register: { usualGas: 350_000, refusedAs: 'prepare_register_failed' },
  update: { usualGas: 150_000, refusedAs: 'prepare_update_failed' },
  renew: { usualGas: 120_000, refusedAs: 'prepare_renew_failed' },
} as const satisfies Record<Deed, { usualGas: number; refusedAs: ErrorCode }>

export type Preparation = {
  readonly deed: Deed
  readonly name: EnsName
  readonly call: Call
  readonly value: bigint
  /** Who will send it, where that is known. */
  readonly from?: Hex
}

/** The transaction, or a refusal in words: what would fail on the chain is never handed out. */
export async function prepare(
  chain: Pick<Chain, 'tryOut'>,
  contracts: Contracts,
  { deed, name, call, value, from }: Preparation,
  signal: AbortSignal,
) {
  const { usualGas } = DEEDS[deed]
  const { outcome, gas } = await chain.tryOut({ ...call, value, ...(from && { from }) }, signal)
  if (!outcome.ok) throw refusal(deed, `The chain would refuse this transaction. ${reasonOf(outcome.data, deed)}`)
  return {
    to: call.to,
    data: call.data,
    value: `0x${value.toString(16)}`,
    gas_estimate: gas === null ? usualGas : Number((gas * 12n + 9n) / 10n),
    chain_id: 1,
    gas_source: gas === null ? ('constant' as const) : ('node' as const),
    decoded: decodeTransaction(contracts, { ...call, value }, name),
  }
}

/** Why a transaction is not prepared. */
export const refusal = (deed: Deed, sentence: string): ApiError => new ApiError(DEEDS[deed].refusedAs, sentence)

/** An address a caller gave; what is wrong with it is the failure of the step it was meant for. */
export function addressOf(text: string, field: string, deed: Deed): Hex {
  const problem = addressProblem(text)
  if (problem !== undefined) throw refusal(deed, `${field} ${problem}`)
  return text.toLowerCase() as Hex
}

/** Why a name cannot be registered, for a person. */
export function takenSentence(name: EnsName, { tenure, expires }: Standing): string {
  const until = isoOf(expires).slice(0, 10)
  return tenure === 'in_grace'
    ? `${withEth(name)} expired on ${until} and is in its grace period; until 90 days have passed it may only be renewed.`
    : `${withEth(name)} is taken until ${until}.`
}

export const noAuthoritySentence =
  'The ENS registrar no longer lets this controller register or renew names; ENS may have moved to new contracts.'
