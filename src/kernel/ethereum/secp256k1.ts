import type * as Secp256k1 from 'tiny-secp256k1'
import type { Hex } from '../hex.ts'
import { bytesToHex, hexToBytes, keccak256 } from './bytes.ts'

type Signature = { readonly r: Hex; readonly s: Hex; readonly yParity: 0 | 1 }

/**
 * libsecp256k1 as WebAssembly: it needs a fifth of the CPU time of an implementation in JavaScript. Loaded at the first use,
 * because it takes 12 MB.
 */
let library: Promise<typeof Secp256k1> | undefined
const load = () => (library ??= import('tiny-secp256k1'))

const WORD_BYTES = 32
const ADDRESS_BYTES = 20
/** `v` of a signature with an even y is 27. */
const EVEN_V = 27

/** The address whose key signed the hash, in lower case. Null unless the signature is valid r, s and a v of 27 or 28. */
export async function recoverSigner(hash: Hex, signature: Hex): Promise<Hex | null> {
  const { recover } = await load()
  try {
    const bytes = hexToBytes(signature)
    const parity = bytes[2 * WORD_BYTES]! - EVEN_V
    if (bytes.length !== 2 * WORD_BYTES + 1 || (parity !== 0 && parity !== 1)) return null
    const publicKey = recover(hexToBytes(hash), bytes.subarray(0, 2 * WORD_BYTES), parity, false)
    // The first byte says that the point is not compressed.
    return publicKey && (`0x${keccak256(publicKey.subarray(1)).slice(-2 * ADDRESS_BYTES)}` as const)
  } catch {
    // Not hexadecimal, or a number that is out of range.
    return null
  }
}

/** Deterministic (RFC 6979), with the lower of the two valid `s` values. */
export async function signHash(hash: Hex, key: Hex): Promise<Signature> {
  const { signRecoverable } = await load()
  const { signature, recoveryId } = signRecoverable(hexToBytes(hash), hexToBytes(key))
  return {
    r: bytesToHex(signature.subarray(0, WORD_BYTES)),
    s: bytesToHex(signature.subarray(WORD_BYTES)),
    // 2 and 3 are for an x above the order of the curve, which no hash has ever led to; a node would refuse it as well.
    yParity: recoveryId % 2 === 0 ? 0 : 1,
  }
}
