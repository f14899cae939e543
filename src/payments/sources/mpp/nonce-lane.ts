import { parseQuantity } from '../../../protocols/ethereum/hex.ts'
import type { RpcCall, RpcOutcome } from '../../../protocols/ethereum/rpc.ts'
import { type Hex, PaymentRefused } from '../../scheme.ts'
import type { Transfer } from './transaction.ts'

const NONCE_MANAGER: Hex = '0x4e4f4e4345000000000000000000000000000000'
/** Of `getNonce(address,uint256)`. */
const GET_NONCE: Hex = '0x89535803'
const MAX_NONCE = 2n ** 64n

/** Asks how many transactions the payer has made in the transfer's lane: the next one has this nonce. */
export function nonceCall({ nonceKey }: Pick<Transfer, 'nonceKey'>, payer: Hex): RpcCall {
  // Not `pending`: transactions that wait before this one may never be mined.
  if (nonceKey === 0n) return { method: 'eth_getTransactionCount', params: [payer, 'latest'] }
  const data = `${GET_NONCE}${payer.slice(2).padStart(64, '0')}${nonceKey.toString(16).padStart(64, '0')}`
  return { method: 'eth_call', params: [{ to: NONCE_MANAGER, data }, 'latest'] }
}

/** Null if the response is not a nonce. */
export const parseNonce = (outcome: RpcOutcome | undefined): bigint | null =>
  outcome?.ok ? parseQuantity(outcome.result, MAX_NONCE) : null

/** The refusal of a nonce that is not the next one. A later one could be mined long after it was refused here. */
export function refusedByNonce({ nonce }: Pick<Transfer, 'nonce'>, next: bigint): PaymentRefused | undefined {
  if (nonce === next) return undefined
  const why = nonce < next ? 'was used before' : 'is not the next one of the payer'
  return new PaymentRefused('verification-failed', `The nonce of the transaction ${why}; sign a new one.`)
}
