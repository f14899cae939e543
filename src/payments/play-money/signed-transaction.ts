import { recoverAddress } from 'ox/Secp256k1'
import * as Eip1559 from 'ox/TxEnvelopeEip1559'
import * as Eip2930 from 'ox/TxEnvelopeEip2930'
import * as Legacy from 'ox/TxEnvelopeLegacy'
import { keccak256 } from '../../kernel/ethereum/bytes.ts'
import { decodeRlp } from '../../kernel/ethereum/rlp.ts'
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
export function parseSignedTransaction(raw: Hex, chainId: number): SignedTransaction {
  const { from, transaction } = recoverSender(raw)
  const {
    to,
    data = '0x',
    nonce = 0n,
    value = 0n,
    gas = 0n,
    gasPrice,
    maxFeePerGas,
    maxPriorityFeePerGas,
  } = transaction
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
    nonce,
    value,
    gas,
    maxFee,
    tip,
  }
}

function recoverSender(raw: Hex) {
  try {
    const { transaction, hash } = deserialize(raw)
    const { r, s, yParity } = transaction
    if (r === undefined || s === undefined || yParity === undefined || s > MAX_S) throw new RangeError('not signed')
    const from = recoverAddress({ payload: hash, signature: { r, s, yParity } }).toLowerCase() as Hex
    return { from, transaction }
  } catch {
    throw new RpcFault(TRANSACTION_REJECTED, 'invalid sender: the transaction cannot be read')
  }
}

type Envelope = {
  readonly type: string
  readonly chainId?: number | undefined
  readonly to?: Hex | null | undefined
  readonly data?: Hex | undefined
  readonly nonce?: bigint | undefined
  readonly value?: bigint | undefined
  readonly gas?: bigint | undefined
  readonly gasPrice?: bigint | undefined
  readonly maxFeePerGas?: bigint | undefined
  readonly maxPriorityFeePerGas?: bigint | undefined
  readonly r?: bigint | undefined
  readonly s?: bigint | undefined
  readonly yParity?: number | undefined
}

/** The first byte is the type; a legacy transaction is a bare list, which begins above 0xc0. */
function deserialize(raw: Hex): { readonly transaction: Envelope; readonly hash: Hex } {
  // Deserializing ignores trailing bytes.
  decodeRlp(/^0x0[12]/.test(raw) ? `0x${raw.slice(4)}` : raw)
  if (raw.startsWith('0x02')) return opened(Eip1559, raw as Eip1559.Serialized)
  if (raw.startsWith('0x01')) return opened(Eip2930, raw as Eip2930.Serialized)
  return opened(Legacy, raw)
}

function opened<Serialized extends Hex, T extends Envelope>(
  kind: { deserialize(raw: Serialized): T; getSignPayload(transaction: T): Hex },
  raw: Serialized,
): { readonly transaction: T; readonly hash: Hex } {
  const transaction = kind.deserialize(raw)
  return { transaction, hash: kind.getSignPayload(transaction) }
}
