import { keccak256 } from 'viem/utils'
import type { Hex } from '../scheme.ts'
import { TRANSACTION_REJECTED, RpcFault } from './rpc.ts'
import type { TempoCall } from './tip20.ts'

/** A Tempo transaction (type 0x76) with the fields the simulated chain uses. */
export type TempoTransaction = {
  readonly hash: Hex
  readonly from: Hex
  readonly chainId: number
  readonly calls: readonly TempoCall[]
  /** Independent of the form of the signature; the chain accepts it once. */
  readonly replayKey: Hex
  readonly validBefore: number
  readonly validAfter: number
  readonly gas: bigint
  readonly maxFee: bigint
  readonly feeToken: string | undefined
}

const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const EXPIRING_NONCE_KEY = 2n ** 256n - 1n

/** Throws RpcFault if the chain would refuse it, or if it uses a feature that is not simulated. */
export async function parseTempoTransaction(raw: Hex): Promise<TempoTransaction> {
  if (!raw.startsWith('0x76')) throw refused('transaction type not supported: only Tempo transactions are simulated')
  // Imported on demand: it takes most of a second and tens of megabytes.
  const { Transaction } = await import('viem/tempo')
  const transaction = attempt(() => Transaction.deserialize(raw as `0x76${string}`))
  if (!transaction?.from || !transaction.signature) throw refused('invalid transaction: it cannot be decoded')
  const { from, signature, calls, validBefore, validAfter = 0, nonceKey, nonce = 0, chainId } = transaction
  if (signature.type !== 'secp256k1') throw refused('only secp256k1 signatures are simulated')
  if (signature.signature.s > MAX_S) throw refused('invalid signature: s is in the upper half')
  const isSponsored = transaction.keyAuthorization !== undefined || transaction.feePayerSignature !== undefined
  if (isSponsored || 'authorizationList' in transaction) {
    throw refused('sponsors and authorizations are not simulated')
  }
  if (nonceKey !== EXPIRING_NONCE_KEY) throw refused('only expiring nonces are simulated')
  if (nonce !== 0) throw refused('Expiring nonce transactions must have nonce == 0')
  if (validBefore === undefined) throw refused("Expiring nonce transactions must have 'valid_before' set")
  if (calls.some(({ to, value = 0n }) => !to || value !== 0n)) throw refused('invalid transaction: value transfer')
  const signing = await Transaction.serialize({ ...transaction, signature: undefined })
  return {
    // Nodes hash the canonical form, whichever form was sent.
    hash: keccak256(await Transaction.serialize(transaction)),
    from: from.toLowerCase() as Hex,
    chainId,
    calls: calls.map(({ to, data = '0x' }) => ({ to: (to as string).toLowerCase() as Hex, data })),
    replayKey: keccak256(`${signing}${from.slice(2).toLowerCase()}` as Hex),
    validBefore,
    validAfter,
    gas: transaction.gas ?? 0n,
    maxFee: transaction.maxFeePerGas ?? 0n,
    feeToken: transaction.feeToken === undefined ? undefined : String(transaction.feeToken),
  }
}

const refused = (message: string) => new RpcFault(TRANSACTION_REJECTED, message)

function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
