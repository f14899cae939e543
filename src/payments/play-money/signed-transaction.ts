import { keccak256, parseTransaction, recoverAddress, serializeTransaction } from 'viem/utils'
import type { Hex } from '../scheme.ts'
import { TRANSACTION_REJECTED, RpcFault } from './rpc.ts'

/** A signed legacy, EIP-2930 or EIP-1559 transaction. */
export type SignedTransaction = {
  readonly hash: Hex
  readonly from: Hex
  readonly to: Hex | null
  readonly data: Hex
  readonly type: Hex
  readonly nonce: bigint
  readonly value: bigint
  readonly gas: bigint
  /** Maximum fee and priority fee per gas, in wei. */
  readonly maxFee: bigint
  readonly tip: bigint
}

const TYPES: Readonly<Record<string, Hex>> = { legacy: '0x0', eip2930: '0x1', eip1559: '0x2' }
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** Throws RpcFault if the transaction is malformed or for another chain. */
export async function parseSignedTransaction(raw: Hex, chainId: number): Promise<SignedTransaction> {
  const { from, transaction } = await recoverSender(raw)
  const { to, data = '0x', nonce = 0, value = 0n, gas = 0n, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = transaction
  const type = TYPES[transaction.type ?? '']
  if (type === undefined) throw new RpcFault(TRANSACTION_REJECTED, 'transaction type not supported')
  if (transaction.chainId !== chainId) throw new RpcFault(TRANSACTION_REJECTED, 'invalid chain id for signer')
  const maxFee = maxFeePerGas ?? gasPrice ?? 0n
  const tip = maxPriorityFeePerGas ?? maxFee
  if (tip > maxFee) throw new RpcFault(TRANSACTION_REJECTED, 'max priority fee per gas higher than max fee per gas')
  return {
    hash: keccak256(raw),
    from,
    to: (to?.toLowerCase() as Hex | undefined) ?? null,
    data,
    type,
    nonce: BigInt(nonce),
    value,
    gas,
    maxFee,
    tip,
  }
}

async function recoverSender(raw: Hex) {
  try {
    const { r, s, v, yParity, ...transaction } = parseTransaction(raw)
    if (r === undefined || s === undefined || BigInt(s) > MAX_S) throw new RangeError('not signed')
    const parity = yParity ?? (v === undefined ? 0 : Number((v + 1n) % 2n))
    const hash = keccak256(serializeTransaction(transaction as Parameters<typeof serializeTransaction>[0]))
    const from = await recoverAddress({ hash, signature: { r, s, yParity: parity } })
    return { from: from.toLowerCase() as Hex, transaction }
  } catch {
    throw new RpcFault(TRANSACTION_REJECTED, 'invalid sender: the transaction cannot be read')
  }
}
