import { magicBytes, unwrap } from 'ox/erc6492/SignatureErc6492'
import { recoverSigner } from '../../../kernel/ethereum/secp256k1.ts'
import type { Hex } from '../../scheme.ts'

/** r, s and v of an account with its own key. */
const ECDSA_HEX_LENGTH = 132
/** What a signature with the wrapper of ERC-6492 ends with. */
const MAGIC_DIGITS = magicBytes.slice(2)
/** Half the order of secp256k1: the token accepts only the lower of the two valid `s` values of a signature. */
const MAX_S = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0'

/** The call that deploys a wallet, as the wrapper of ERC-6492 names it. The payer chooses it, so it is not trusted. */
export type Deployment = { readonly factory: Hex; readonly data: Hex }

/**
 * Removes the wrapper of ERC-6492, which wallets use before they are deployed, and some always: the token expects the
 * inner signature. Throws if the wrapper is malformed.
 */
export function unwrapSignature(signature: Hex): { readonly signature: Hex; readonly deployment?: Deployment } {
  // ox's own check throws for every plain signature, and creates an error with its stack.
  if (!signature.endsWith(MAGIC_DIGITS)) return { signature }
  const { to, data, signature: inner } = unwrap(signature)
  const deployment = { factory: to.toLowerCase() as Hex, data: data.toLowerCase() as Hex }
  return { signature: inner.toLowerCase() as Hex, deployment }
}

/** The form the token requires of an account's own signature: v is 27 or 28. Null if it is not one, or `s` is too high. */
export function parseEcdsaSignature(signature: Hex): Hex | null {
  if (signature.length !== ECDSA_HEX_LENGTH || signature.slice(66, 130) > MAX_S) return null
  const v = Number.parseInt(signature.slice(130), 16)
  // Some hardware wallets use 0 and 1.
  const recovery = v < 2 ? v + 27 : v
  return recovery === 27 || recovery === 28 ? `${signature.slice(0, 130) as Hex}${recovery.toString(16)}` : null
}

/** Whether the key of this address signed the hash. False for every signature of a contract. */
export async function isSignedByKey(hash: Hex, signature: Hex, address: Hex): Promise<boolean> {
  const own = parseEcdsaSignature(signature)
  return own !== null && (await recoverSigner(hash, own)) === address
}
