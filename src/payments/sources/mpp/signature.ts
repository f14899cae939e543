import { createHash } from 'node:crypto'
import { concatHex, hexToBytes, keccak256 } from '../../../kernel/ethereum/bytes.ts'
import { recoverSigner } from '../../../kernel/ethereum/secp256k1.ts'
import { type Hex, PaymentRefused } from '../../scheme.ts'

/** The signature of a Tempo transaction, in the one form that the chain hashes. Not verified yet. */
export type TempoSignature = {
  readonly bytes: Hex
  /** Set if an access key signed for this account. */
  readonly account: Hex | undefined
  /** The signature of the key itself: all bytes, or those after the account. */
  readonly key: KeySignature
}

export type KeySignature =
  | { readonly type: 'secp256k1'; readonly bytes: Hex }
  | { readonly type: 'p256'; readonly bytes: Hex; readonly publicKey: Hex; readonly isPrehashed: boolean }
  | { readonly type: 'webAuthn'; readonly bytes: Hex; readonly publicKey: Hex; readonly webAuthnData: Hex }

const SECP256K1_BYTES = 65
const P256_BYTES = 130
const MAX_WEBAUTHN_BYTES = 2049
/** r, s, x and y. */
const P256_WORDS_BYTES = 128
/** Hash of the relying party, flags, counter. */
const AUTHENTICATOR_DATA_BYTES = 37
const MIN_WEBAUTHN_BYTES = 1 + AUTHENTICATOR_DATA_BYTES + P256_WORDS_BYTES
/** Half the order of each curve: of the two valid `s` values the chain accepts the lower one. */
const MAX_SECP256K1_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const MAX_P256_S = 0x7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8n

/** Accepts a single key (secp256k1, P256, passkey) or an access key that signs for an account. Throws PaymentRefused. */
export function parseSignature(value: Hex): TempoSignature {
  if (sizeOf(value) === SECP256K1_BYTES || !value.startsWith('0x04')) {
    const key = parseKeySignature(value)
    return { bytes: key.bytes, account: undefined, key }
  }
  const account = bytesOf(value, 1, 21)
  if (sizeOf(account) !== 20) throw malformed()
  const key = parseKeySignature(bytesOf(value, 21))
  return { bytes: concatHex(['0x04', account, key.bytes]), account, key }
}

/** The signature of one key, in canonical form. Throws PaymentRefused. */
export function parseKeySignature(value: Hex): KeySignature {
  const size = sizeOf(value)
  if (size === SECP256K1_BYTES) {
    // v may be 27/28 or 0/1; nodes hash it as 27/28.
    const parity = ['1b', '1c', '00', '01'].indexOf(value.slice(-2))
    if (parity < 0 || BigInt(bytesOf(value, 32, 64)) > MAX_SECP256K1_S) throw malformed()
    return { type: 'secp256k1', bytes: `${value.slice(0, -2)}${parity % 2 === 0 ? '1b' : '1c'}` as Hex }
  }
  if (value.startsWith('0x01') && size === P256_BYTES) {
    const prehash = value.slice(-2)
    // The chain takes any other byte for 01 and hashes it as 01.
    if ((prehash !== '00' && prehash !== '01') || BigInt(bytesOf(value, 33, 65)) > MAX_P256_S) throw malformed()
    return { type: 'p256', bytes: value, publicKey: bytesOf(value, 65, 129), isPrehashed: prehash === '01' }
  }
  if (value.startsWith('0x02') && size >= MIN_WEBAUTHN_BYTES && size <= MAX_WEBAUTHN_BYTES) {
    const wordsAt = size - P256_WORDS_BYTES
    if (BigInt(bytesOf(value, wordsAt + 32, wordsAt + 64)) > MAX_P256_S) throw malformed()
    return {
      type: 'webAuthn',
      bytes: value,
      publicKey: bytesOf(value, wordsAt + 64),
      webAuthnData: bytesOf(value, 1, wordsAt),
    }
  }
  const kinds = 'an ordinary key (secp256k1), P256, a passkey or an access key'
  throw new PaymentRefused('verification-failed', `The transaction is not signed by ${kinds}.`)
}

/** Address of the key that signed this hash; null if the signature is invalid. */
export async function signerOf(signature: KeySignature, hash: Hex): Promise<Hex | null> {
  try {
    if (signature.type === 'secp256k1') return await recoverSigner(hash, signature.bytes)
    const isValid = await (signature.type === 'p256' ? verifyP256(signature, hash) : verifyWebAuthn(signature, hash))
    return isValid ? `0x${keccak256(signature.publicKey).slice(-40)}` : null
  } catch {
    return null
  }
}

/** What an access key signs instead of the hash of the transaction. */
export const accessKeyHash = (hash: Hex, account: Hex): Hex => keccak256(concatHex(['0x04', hash, account]))

const verifyP256 = ({ bytes, publicKey, isPrehashed }: KeySignature & { type: 'p256' }, hash: Hex): Promise<boolean> =>
  verifyPoint({ rs: bytesOf(bytes, 1, 65), publicKey, payload: hexToBytes(hash), isHashedFirst: isPrehashed })

/** Flags of the authenticator data. */
const USER_PRESENT_OR_VERIFIED = 0x05
const ATTESTED_OR_EXTENDED = 0xc0

/** The rules of the chain: an assertion of a present user over exactly this hash. The origin is free. */
async function verifyWebAuthn(
  { bytes, publicKey, webAuthnData }: KeySignature & { type: 'webAuthn' },
  hash: Hex,
): Promise<boolean> {
  const data = hexToBytes(webAuthnData)
  const [authenticatorData, clientData] = [
    data.subarray(0, AUTHENTICATOR_DATA_BYTES),
    data.subarray(AUTHENTICATOR_DATA_BYTES),
  ]
  const flags = authenticatorData[32]!
  if ((flags & USER_PRESENT_OR_VERIFIED) === 0 || (flags & ATTESTED_OR_EXTENDED) !== 0) return false
  const { type, challenge } = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(clientData)) as {
    readonly type?: unknown
    readonly challenge?: unknown
  }
  if (type !== 'webauthn.get' || challenge !== Buffer.from(hexToBytes(hash)).toString('base64url')) return false
  const clientDataHash = createHash('sha256').update(clientData).digest()
  const payload = Buffer.concat([authenticatorData, clientDataHash])
  const wordsAt = sizeOf(bytes) - P256_WORDS_BYTES
  return verifyPoint({ rs: bytesOf(bytes, wordsAt, wordsAt + 64), publicKey, payload, isHashedFirst: true })
}

type P256Check = { readonly rs: Hex; readonly publicKey: Hex; readonly payload: Uint8Array; isHashedFirst: boolean }

async function verifyPoint({ rs, publicKey, payload, isHashedFirst }: P256Check): Promise<boolean> {
  // Few wallets sign so, and computing the parameters of the curve would delay every start.
  const { verify } = await import('ox/P256')
  return verify({
    hash: isHashedFirst,
    payload,
    publicKey: { prefix: 4, x: BigInt(bytesOf(publicKey, 0, 32)), y: BigInt(bytesOf(publicKey, 32, 64)) },
    signature: { r: BigInt(bytesOf(rs, 0, 32)), s: BigInt(bytesOf(rs, 32, 64)) },
  })
}

const sizeOf = (value: Hex): number => (value.length - 2) / 2
const bytesOf = (value: Hex, start: number, end?: number): Hex =>
  `0x${value.slice(2 + 2 * start, end === undefined ? undefined : 2 + 2 * end)}`

const malformed = () => new PaymentRefused('malformed-credential', 'The signature is not canonical.')
