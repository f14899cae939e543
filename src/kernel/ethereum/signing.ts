import { createECDH } from 'node:crypto'
import { checksum } from 'ox/Address'
import type { Hex } from '../hex.ts'
import { hexToBytes, keccak256 } from './bytes.ts'
import { encodeRlp, type Rlp } from './rlp.ts'
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
export const serializeTransaction = (transaction: Transaction): Hex => serialize(itemsOf(transaction))

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
      const items = itemsOf(transaction)
      const { r, s, yParity } = await signHash(keccak256(serialize(items)), privateKey)
      const raw = serialize([...items, quantity(yParity), withoutZeros(r), withoutZeros(s)])
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

const TYPE = '0x02'
const ADDRESS = /^0x[\da-f]{40}$/i
const MAX_UINT256 = 2n ** 256n - 1n

const serialize = (items: readonly Rlp[]): Hex => `${TYPE}${encodeRlp(items).slice(2)}` as Hex

/** The fields of EIP-1559 in their order; without a signature. */
function itemsOf({ chainId, to, data, nonce, gas, value = 0n, ...fees }: Transaction): readonly Rlp[] {
  const { maxFeePerGas, maxPriorityFeePerGas } = fees
  if (chainId <= 0) throw new Error('The chain id is not positive.')
  if (maxFeePerGas > MAX_UINT256) throw new Error('The fee is too high.')
  if (maxPriorityFeePerGas > maxFeePerGas) throw new Error('The tip is higher than the whole fee.')
  if (!ADDRESS.test(to)) throw new Error('The recipient is not an address.')
  const numbers = [chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gas].map(quantity)
  return [...numbers, to, quantity(value), data, []]
}

/** The smallest number of bytes; zero has none. */
function quantity(value: bigint | number): Hex {
  if (value < 0) throw new Error('A number of a transaction is negative.')
  const digits = value.toString(16)
  if (digits === '0') return '0x'
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`
}

const withoutZeros = (word: Hex): Hex => `0x${word.slice(2).replace(/^(?:00)+/, '')}`
