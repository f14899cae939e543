import { keccak256 } from '../../../kernel/ethereum/bytes.ts'
import type { Hex } from '../../scheme.ts'
import { encodeRlp, isAddress, isList, malformed, parseNumber, parseSeconds, type Rlp } from './rlp.ts'
import { type KeySignature, parseKeySignature } from './signature.ts'

/** The account's permission for a new access key, given in the same transaction. Its signature is not verified yet. */
export type KeyAuthorization = {
  readonly keyId: Hex
  readonly chainId: bigint
  /** Seconds since the epoch; Infinity if it does not expire. */
  readonly expiresAt: number
  /** What the account signed. */
  readonly hash: Hex
  readonly signature: KeySignature
  readonly rlp: Hex
}

/** Throws PaymentRefused. */
export function parseKeyAuthorization(item: Rlp | undefined): KeyAuthorization {
  const [permission, signed, ...rest] = isList(item) ? item : []
  if (!isList(permission) || typeof signed !== 'string' || rest.length > 0) throw invalid()
  const [chain, , keyId, expiry = '0x'] = permission
  if (!isAddress(keyId)) throw invalid()
  const signature = parseKeySignature(signed)
  // Nodes hash the canonical form; another form would give the transaction another hash there.
  if (signature.bytes !== signed) throw invalid()
  return {
    keyId,
    chainId: parseNumber(chain),
    expiresAt: parseSeconds(expiry) || Number.POSITIVE_INFINITY,
    hash: keccak256(encodeRlp(permission)),
    signature,
    rlp: encodeRlp(item!),
  }
}

const invalid = () => malformed('The authorization of the access key is not well formed.')
