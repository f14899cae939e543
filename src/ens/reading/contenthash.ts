/** Content hashes (ENSIP-7): a multicodec namespace, followed by an identifier in that namespace. */
import type { Hex } from '../../kernel/hex.ts'

/** The parts of a URI such as `ipfs://bafy…`; or the problem, as the rest of a sentence that starts with the field's name. */
export type DecodedContenthash =
  | { readonly ok: true; readonly protocol: string; readonly value: string }
  | { readonly ok: false; readonly problem: string }

type Namespace = { readonly protocol: string; decode(bytes: Buffer): string | undefined }

const LIBP2P_KEY = 0x72
const SWARM_CODECS = new Set([0xfa, 0xfb])
const KECCAK_256 = 0x1b
const IDENTITY = 0x00
/** An Ed25519 public key embedded in the identifier takes at least this. */
const MIN_KEY_BYTES = 36

const ofLength = (length: number, encode: (bytes: Buffer) => string) => (bytes: Buffer) =>
  bytes.length === length ? encode(bytes) : undefined
const hex = (bytes: Buffer): string => bytes.toString('hex')
const base64url = (bytes: Buffer): string => bytes.toString('base64url')
/** An onion address is stored as ASCII text. */
const onionDecoder = (length: number) => (bytes: Buffer) => {
  const text = bytes.toString('latin1')
  return text.length === length && /^[a-z2-7]+$/.test(text) ? text : undefined
}

/** By the multicodec code the hash starts with. */
const NAMESPACES: ReadonlyMap<number, Namespace> = new Map([
  [0xe3, { protocol: 'ipfs', decode: (bytes) => (parseCid(bytes) ? `b${base32(bytes)}` : undefined) }],
  [0xe4, { protocol: 'bzz', decode: decodeSwarm }],
  [0xe5, { protocol: 'ipns', decode: decodeIpns }],
  [0x01bc, { protocol: 'onion', decode: onionDecoder(16) }],
  [0x01bd, { protocol: 'onion3', decode: onionDecoder(56) }],
  [0xb1_99_10, { protocol: 'sia', decode: ofLength(34, base64url) }],
  [0xb2_99_10, { protocol: 'ar', decode: ofLength(32, base64url) }],
  [0xb6_99_10, { protocol: 'adnl', decode: ofLength(32, hex) }],
])

export function decodeContenthash(contenthash: Hex): DecodedContenthash {
  const bytes = Buffer.from(contenthash.slice(2), 'hex')
  const code = varintAt(bytes, 0)
  const namespace = code && NAMESPACES.get(code.value)
  if (!code || !namespace) {
    return {
      ok: false,
      problem: 'does not start with a supported ENSIP-7 code: ipfs, ipns, swarm, onion, skynet, arweave or adnl.',
    }
  }
  const { protocol } = namespace
  const value = namespace.decode(bytes.subarray(code.next))
  return value === undefined
    ? { ok: false, problem: `has the code of ${protocol}, but the rest is not a valid ${protocol} identifier.` }
    : { ok: true, protocol, value }
}

function decodeSwarm(bytes: Buffer): string | undefined {
  const cid = parseCid(bytes)
  const isReference = cid && SWARM_CODECS.has(cid.codec) && cid.hash === KECCAK_256 && cid.digest.length === 32
  return isReference ? hex(cid.digest) : undefined
}

/** Keys only: a DNS name in an IPNS identifier could change hands. */
function decodeIpns(bytes: Buffer): string | undefined {
  const cid = parseCid(bytes)
  if (cid?.codec !== LIBP2P_KEY || (cid.hash === IDENTITY && cid.digest.length < MIN_KEY_BYTES)) return undefined
  return `k${BigInt(`0x${hex(bytes)}`).toString(36)}`
}

type Cid = { readonly codec: number; readonly hash: number; readonly digest: Buffer }

/** A version 1 CID without trailing bytes. */
function parseCid(bytes: Buffer): Cid | undefined {
  const version = varintAt(bytes, 0)
  if (version?.value !== 1) return undefined
  const codec = varintAt(bytes, version.next)
  const hash = codec && varintAt(bytes, codec.next)
  const length = hash && varintAt(bytes, hash.next)
  if (!length || length.value === 0) return undefined
  const digest = bytes.subarray(length.next)
  return digest.length === length.value ? { codec: codec.value, hash: hash.value, digest } : undefined
}

/** An unsigned varint (LEB128). Non-minimal encodings are rejected. */
function varintAt(bytes: Buffer, start: number): { readonly value: number; readonly next: number } | undefined {
  let value = 0
  for (let at = start; at < Math.min(bytes.length, start + 4); at++) {
    const byte = bytes[at]!
    value += (byte & 0x7f) << (7 * (at - start))
    if (byte < 0x80) return byte === 0 && at > start ? undefined : { value, next: at + 1 }
  }
  return undefined
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** RFC 4648 without padding, in lower case. */
function base32(bytes: Buffer): string {
  const characters = Math.ceil((bytes.length * 8) / 5)
  const bits = BigInt(`0x${hex(bytes)}`) << BigInt(characters * 5 - bytes.length * 8)
  const digits = bits.toString(32).padStart(characters, '0')
  return digits.replaceAll(/./g, (digit) => BASE32[Number.parseInt(digit, 32)]!)
}
