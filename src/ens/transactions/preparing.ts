/** From a call to a transaction somebody may sign: tried out, priced, and told in words. */
import { ApiError, type ErrorCode } from '../../kernel/errors.ts'
import type { Call, Chain, Hex } from '../chain/chain.ts'
import { addressProblem, type Contracts } from '../chain/deployments.ts'
import { decodeTransaction } from './decoded.ts'
import { isoOf } from '../chain/expiry.ts'
import { type EnsName, withEth } from '../contract/names.ts'
import { type Answers, askTwoNodes, type Question, type Standing } from '../chain/calls.ts'
import { type Deed, reasonOf } from './reasons.ts'

/**
 * Gas of each kind, for where the node gives no estimate or one that cannot be: what it usually takes and some more.
 * The bounds are wide for what a known contract does; an update may run a resolver of the owner's choice, and is bounded
 * by what any transaction takes at least (the protocol's 21,000) and at most (EIP-7825). And how it is refused.
 */
export const DEEDS = {
  commit: { usualGas: 60_000, minGas: 25_000, maxGas: 240_000, refusedAs: 'prepare_commit_failed' },
  register: { usualGas: 350_000, minGas: 90_000, maxGas: 1_400_000, refusedAs: 'prepare_register_failed' },
  update: { usualGas: 150_000, minGas: 21_000, maxGas: 16_777_216, refusedAs: 'prepare_update_failed' },
  renew: { usualGas: 120_000, minGas: 30_000, maxGas: 480_000, refusedAs: 'prepare_renew_failed' },
} as const satisfies Record<Deed, { usualGas: number; minGas: number; maxGas: number; refusedAs: ErrorCode }>

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
  const { outcome, gas } = await chain.tryOut({ ...call, value, ...(from && { from }) }, signal)
  if (!outcome.ok) throw refusal(deed, `The chain would refuse this transaction. ${reasonOf(outcome.data, deed)}`)
  return {
    to: call.to,
    data: call.data,
    value: `0x${value.toString(16)}`,
    ...gasEstimate(deed, gas),
    chain_id: 1,
    decoded: decodeTransaction(contracts, { ...call, value }, name),
  }
}

/** A fifth above what the node expects, where that is possible at all; one node is asked, and it may be wrong. */
function gasEstimate(deed: Deed, gas: bigint | null) {
  const { usualGas, minGas, maxGas } = DEEDS[deed]
  return gas === null || gas < minGas || gas > maxGas
    ? { gas_estimate: usualGas, gas_source: 'constant' as const }
    : { gas_estimate: Math.min(Number((gas * 12n + 9n) / 10n), maxGas), gas_source: 'node' as const }
}

const DISTRUST = {
  disagreement:
    'The Ethereum nodes disagree about what this transaction would be made of, so it is not prepared; try again in a moment.',
  alone:
    'Only one of the Ethereum nodes answers, and a transaction is prepared only from what two of them agree on; try again later.',
} as const

/** Asks what a transaction is made of or allowed by. One node's word is not enough: it could choose who is paid. */
export async function askForTransaction<const Questions extends readonly Question<unknown>[]>(
  chain: Pick<Chain, 'readAgreed'>,
  deed: Deed,
  questions: Questions,
  signal: AbortSignal,
): Promise<Answers<Questions>> {
  const asked = await askTwoNodes(chain, questions, signal)
  if (asked.kind !== 'agreed') throw refusal(deed, DISTRUST[asked.kind])
  return asked.answers
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
