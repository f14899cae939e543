import { recoverAddress as recover } from 'ox/Secp256k1'
import type { Hex } from '../hex.ts'

/** The address whose key made a signature of 65 bytes, in lower case. Throws if the signature is malformed. */
export function recoverAddress({ hash, signature }: { readonly hash: Hex; readonly signature: Hex }): Hex {
  if (!/^0x[\da-f]{130}$/i.test(signature)) throw new Error('A signature has 65 bytes.')
  const yParity = RECOVERY_BITS.get(signature.slice(130).toLowerCase())
  if (yParity === undefined) throw new Error('The last byte of a signature is 0, 1, 27 or 28.')
  const r = BigInt(`0x${signature.slice(2, 66)}`)
  const s = BigInt(`0x${signature.slice(66, 130)}`)
  return recover({ payload: hash, signature: { r, s, yParity } }).toLowerCase() as Hex
}

const RECOVERY_BITS = new Map([
  ['00', 0],
  ['01', 1],
  ['1b', 0],
  ['1c', 1],
])
