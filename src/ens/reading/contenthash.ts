/** Where content for a name is found (ENSIP-7): a namespace, and bytes that mean something there. */
import type { Hex } from '../chain/chain.ts'

/** What a content hash says, as a URI: `ipfs://bafy…`; or what is wrong with it, to follow its name in a sentence. */
export type ContentReading =
  | { readonly ok: true; readonly protocol: string; readonly value: string }
  | { readonly ok: false; readonly problem: string }

type Namespace = { readonly protocol: string; read(bytes: Buffer): string | undefined }

const LIBP2P_KEY = 0x72
const SWARM_CODECS = new Set([0xfa, 0xfb])
const KECCAK_256 = 0x1b
const IDENTITY = 0x00
/** The least an Ed25519 key takes when it stands in the identifier itself. */
const MIN_KEY_LENGTH = 36

const ofLength = (length: number, write: (bytes: Buffer) => string) => (bytes: Buffer) =>
  bytes.length === length ? write(bytes) : undefined
const hex = (bytes: Buffer): string => bytes.toString('hex')
const base64url = (bytes: Buffer): string => bytes.toString('base64url')
/** A hidden service is written out in letters, not packed. */
const onion = (length: number) => (bytes: Buffer) => {
  const text = bytes.toString('latin1')
  return text.length === length && /^[a-z2-7]+$/.test(text) ? text : undefined
}

/** By the code of the multicodec table that the hash starts with. */
const NAMESPACES: ReadonlyMap<number, Namespace> = new Map([
  [0xe3, { protocol: 'ipfs', read: (bytes) => (cidOf(bytes) ? `b${base32(bytes)}` : undefined) }],
  [0xe4, { protocol: 'bzz', read: swarm }],
  [0xe5, { protocol: 'ipns', read: ipns }],
  [0x01bc, { protocol: 'onion', read: onion(16) }],
  [0x01bd, { protocol: 'onion3', read: onion(56) }],
  [0xb1_99_10, { protocol: 'sia', read: ofLength(34, base64url) }],
  [0xb2_99_10, { protocol: 'ar', read: ofLength(32, base64url) }],
  [0xb6_99_10, { protocol: 'adnl', read: ofLength(32, hex) }],
])

export function readContenthash(contenthash: Hex): ContentReading {
  const bytes = Buffer.from(contenthash.slice(2), 'hex')
  const code = varintAt(bytes, 0)
  const namespace = code && NAMESPACES.get(code.value)
  if (!code || !namespace) {
    return {
      ok: false,
      problem: 'starts with no code of ENSIP-7 that is in use: ipfs, ipns, swarm, onion, skynet, arweave, adnl.',
    }
  }
  const { protocol } = namespace
  const value = namespace.read(bytes.subarray(code.next))
  return value === undefined
    ? { ok: false, problem: `starts as one of ${protocol}, but what follows is not well formed.` }
    : { ok: true, protocol, value }
}

function swarm(bytes: Buffer): string | undefined {
  const cid = cidOf(bytes)
  const isReference = cid && SWARM_CODECS.has(cid.codec) && cid.hash === KECCAK_256 && cid.digest.length === 32
  return isReference ? hex(cid.digest) : undefined
}

/** Names of keys only: a host name in its place would be whoever's the host is. */
function ipns(bytes: Buffer): string | undefined {
  const cid = cidOf(bytes)
  if (cid?.codec !== LIBP2P_KEY || (cid.hash === IDENTITY && cid.digest.length < MIN_KEY_LENGTH)) return undefined
  return `k${BigInt(`0x${hex(bytes)}`).toString(36)}`
}

type Cid = { readonly codec: number; readonly hash: number; readonly digest: Buffer }

/** A version 1 content identifier that ends where its hash ends. */
function cidOf(bytes: Buffer): Cid | undefined {
  const version = varintAt(bytes, 0)
  if (version?.value !== 1) return undefined
  const codec = varintAt(bytes, version.next)
  const hash = codec && varintAt(bytes, codec.next)
  const length = hash && varintAt(bytes, hash.next)
  if (!length || length.value === 0) return undefined
  const digest = bytes.subarray(length.next)
  return digest.length === length.value ? { codec: codec.value, hash: hash.value, digest } : undefined
}

/** Seven bits a byte, the lowest first, and only the shortest way to write a number. */
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
