import { createECDH } from 'node:crypto'
import { checksum } from 'ox/Address'
import { getSignPayload, serialize } from 'ox/TxEnvelopeEip1559'
import type { Hex } from '../hex.ts'
import { hexToBytes, keccak256 } from './bytes.ts'
import { signHash } from './secp256k1.ts'

/** An EIP-1559 transaction without an access list. */
export type Transaction = {
  readonly chainId: number
  readonly to: Hex
  readonly data: Hex
  readonly nonce: number
  readonly gas: bigint
  readonly value?: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** The bytes that nodes and fee oracles get; without a signature. */
export const serializeTransaction = (transaction: Transaction): Hex => serialize(envelopeOf(transaction))

export type Account = {
  /** With the capitals of its checksum. */
  readonly address: Hex
  signTransaction(transaction: Transaction): Promise<{ readonly raw: Hex; readonly hash: Hex }>
}

/** Throws if it is not the private key of an account. */
export function privateKeyToAccount(privateKey: Hex): Account {
  const address = addressOf(privateKey)
  return {
    address,
    async signTransaction(transaction) {
      const envelope = envelopeOf(transaction)
      const { r, s, yParity } = await signHash(getSignPayload(envelope), privateKey)
      const raw = serialize(envelope, { signature: { r: BigInt(r), s: BigInt(s), yParity } })
      return { raw, hash: keccak256(raw) }
    },
  }
}

/** By Node's own curve, which is ready at once; the one in JavaScript computes tables first. */
function addressOf(privateKey: Hex): Hex {
  const curve = createECDH('secp256k1')
  curve.setPrivateKey(hexToBytes(privateKey))
  // The first byte says that the point is not compressed.
  return checksum(`0x${keccak256(curve.getPublicKey().subarray(1)).slice(-40)}`)
}

const envelopeOf = ({ nonce, ...transaction }: Transaction) => ({
  ...transaction,
  type: 'eip1559' as const,
  nonce: BigInt(nonce),
})
