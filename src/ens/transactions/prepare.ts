/** Turns a call into an unsigned transaction: simulated, with a gas estimate, and described in words. */
import { ApiError, type ErrorCode } from '../../kernel/errors.ts'
import type { Hex } from '../../kernel/hex.ts'
import type { Call, Chain } from '../chain/chain.ts'
import { addressProblem, type Contracts } from '../chain/deployments.ts'
import { decodeTransaction } from './decode-transaction.ts'
import { toIsoTime } from '../chain/expiry.ts'
import { type EnsName, withEth } from '../contract/names.ts'
import { type ReadResults, readFromTwoNodes, type ContractRead, type NameState } from '../chain/contract-reads.ts'
import { type TransactionKind, revertReason } from './revert-reasons.ts'

/**
 * Gas and error code of each kind of transaction. `usualGas` is used if the node's estimate is missing or outside the
 * bounds. An update may run arbitrary resolver code, so it is only bounded by the protocol: 21,000 and EIP-7825.
 */
export const TRANSACTION_KINDS = {
  commit: { usualGas: 60_000, minGas: 25_000, maxGas: 240_000, errorCode: 'prepare_commit_failed' },
  register: { usualGas: 350_000, minGas: 90_000, maxGas: 1_400_000, errorCode: 'prepare_register_failed' },
  update: { usualGas: 150_000, minGas: 21_000, maxGas: 16_777_216, errorCode: 'prepare_update_failed' },
  renew: { usualGas: 120_000, minGas: 30_000, maxGas: 480_000, errorCode: 'prepare_renew_failed' },
} as const satisfies Record<TransactionKind, { usualGas: number; minGas: number; maxGas: number; errorCode: ErrorCode }>

export type Preparation = {
  readonly kind: TransactionKind
  readonly name: EnsName
  readonly call: Call
  readonly value: bigint
  /** The sender, if known. */
  readonly from?: Hex
}

/** Throws ApiError if the simulation reverts: a transaction that would fail is never returned. */
export async function prepare(
  chain: Pick<Chain, 'simulate'>,
  contracts: Contracts,
  { kind, name, call, value, from }: Preparation,
  signal: AbortSignal,
) {
  const { outcome, gas } = await chain.simulate({ ...call, value, ...(from && { from }) }, signal)
  if (!outcome.ok)
    throw preparationError(kind, `This transaction would fail on the chain. ${revertReason(outcome.data, kind)}`)
  return {
    to: call.to,
    data: call.data,
    value: `0x${value.toString(16)}`,
    ...gasEstimate(kind, gas),
    chain_id: 1,
    decoded: decodeTransaction(contracts, { ...call, value }, name),
  }
}

/** The node's estimate plus 20%, if plausible: it comes from a single node, which may be wrong. */
function gasEstimate(kind: TransactionKind, gas: bigint | null) {
  const { usualGas, minGas, maxGas } = TRANSACTION_KINDS[kind]
  return gas === null || gas < minGas || gas > maxGas
    ? { gas_estimate: usualGas, gas_source: 'constant' as const }
    : { gas_estimate: Math.min(Number((gas * 12n + 9n) / 10n), maxGas), gas_source: 'node' as const }
}

const NO_AGREEMENT = {
  disagreement:
    'The Ethereum nodes disagree about the data for this transaction, so it is not prepared; try again in a moment.',
  alone:
    'Only one of the Ethereum nodes answers, but two must agree before a transaction is prepared; try again later.',
} as const

/** Reads what a transaction depends on. Two nodes must agree: a single lying node could choose who is paid. */
export async function readForTransaction<const Reads extends readonly ContractRead<unknown>[]>(
  chain: Pick<Chain, 'readAgreed'>,
  kind: TransactionKind,
  reads: Reads,
  signal: AbortSignal,
): Promise<ReadResults<Reads>> {
  const agreed = await readFromTwoNodes(chain, reads, signal)
  if (agreed.kind !== 'agreed') throw preparationError(kind, NO_AGREEMENT[agreed.kind])
  return agreed.results
}

export const preparationError = (kind: TransactionKind, sentence: string): ApiError =>
  new ApiError(TRANSACTION_KINDS[kind].errorCode, sentence)

/** Throws the error of this transaction kind if the address is invalid. */
export function parseAddress(text: string, field: string, kind: TransactionKind): Hex {
  const problem = addressProblem(text)
  if (problem !== undefined) throw preparationError(kind, `${field} ${problem}`)
  return text.toLowerCase() as Hex
}

/** Why a name cannot be registered. */
export function unavailableMessage(name: EnsName, { phase, expires }: NameState): string {
  const until = toIsoTime(expires).slice(0, 10)
  return phase === 'in_grace'
    ? `${withEth(name)} expired on ${until} and is in its grace period; for 90 days it can only be renewed.`
    : `${withEth(name)} is registered until ${until}.`
}

export const unauthorizedControllerMessage =
  'The ENS registrar no longer authorizes this controller to register or renew names; ENS may have moved to new contracts.'
