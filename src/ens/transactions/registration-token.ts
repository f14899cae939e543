/**
 * The registration id: an encrypted, authenticated token with everything the second step needs. Nothing is stored, so it
 * survives restarts and works on every instance that shares the keys. It contains the commitment's secret: never log it.
 */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { getAddress } from '../../kernel/ethereum/bytes.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Random } from '../../kernel/random.ts'
import type { Hex } from '../../kernel/hex.ts'
import { type Registration, createRegistration } from './commitment.ts'
import { parseEnsName } from '../contract/names.ts'

/** Commitments on the chain expire after a day, too. */
const TTL_SECONDS = 86_400
/** The clock of the issuing instance may be ahead by this. */
const MAX_CLOCK_SKEW_SECONDS = 300

const VERSION = 1
const KEY_ID_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES
/** Issue time (6 bytes), duration (6), flags (1), controller, resolver, owner (20 each), secret (32); then the label. */
const FIXED_BYTES = 6 + 6 + 1 + 3 * 20 + 32
const MAX_TOKEN_LENGTH = Math.ceil(((HEADER_BYTES + FIXED_BYTES + 63 + TAG_BYTES) * 4) / 3)
const FLAG_REVERSE_RECORD = 1
const FLAG_KIND_2023 = 2
const CIPHER = 'aes-256-gcm'
/** HKDF info. Change it whenever the token's layout or meaning changes. */
const KEY_PURPOSE = 'onoma ens registration token 1'

export type OpenedToken =
  | { readonly ok: true; readonly registration: Registration; readonly issuedAt: number }
  | { readonly ok: false; readonly reason: 'expired' | 'unknown' }

export type RegistrationTokens = {
  issue(registration: Registration): string
  /** `unknown` for every invalid token: the reason would only help an attacker. */
  open(token: string): OpenedToken
}

type Key = { readonly id: Buffer; readonly secret: Buffer }

/** The first key encrypts, all keys decrypt. To rotate, put a new key first and remove the old one a day later. */
export function createRegistrationTokens(needs: {
  readonly keys: readonly Uint8Array[]
  readonly clock: Clock
  readonly random: Random
}): RegistrationTokens {
  const { clock, random } = needs
  const keys = needs.keys.map(deriveKey)
  const [current] = keys
  if (current === undefined) throw new RangeError('at least one key is required')
  const nowSeconds = () => Math.floor(clock.now() / 1000)

  return {
    issue(registration) {
      const nonce = Buffer.from(random.bytes(NONCE_BYTES))
      const header = Buffer.concat([Buffer.of(VERSION), current.id, nonce])
      const cipher = createCipheriv(CIPHER, current.secret, nonce).setAAD(header)
      const encrypted = [cipher.update(encodeRegistration(registration, nowSeconds())), cipher.final()]
      return Buffer.concat([header, ...encrypted, cipher.getAuthTag()]).toString('base64url')
    },
    open(token) {
      const plain = decrypt(token, keys)
      const opened = plain && decodeRegistration(plain)
      if (!opened || opened.issuedAt > nowSeconds() + MAX_CLOCK_SKEW_SECONDS) return { ok: false, reason: 'unknown' }
      return nowSeconds() < opened.issuedAt + TTL_SECONDS ? { ok: true, ...opened } : { ok: false, reason: 'expired' }
    },
  }
}

/** Configured keys have any length; HKDF derives one of the right size. */
function deriveKey(key: Uint8Array): Key {
  if (key.length === 0) throw new RangeError('a key must not be empty')
  const stretched = Buffer.from(hkdfSync('sha256', key, '', KEY_PURPOSE, 32 + KEY_ID_BYTES))
  return { secret: stretched.subarray(0, 32), id: stretched.subarray(32) }
}

function decrypt(token: string, keys: readonly Key[]): Buffer | undefined {
  if (token.length > MAX_TOKEN_LENGTH || !/^[\w-]+$/.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  // The last base64 character may have unused bits: accept only the canonical encoding.
  if (
    bytes.length < HEADER_BYTES + FIXED_BYTES + TAG_BYTES ||
    bytes[0] !== VERSION ||
    bytes.toString('base64url') !== token
  ) {
    return undefined
  }
  const key = keys.find(({ id }) => id.equals(bytes.subarray(1, 1 + KEY_ID_BYTES)))
  if (key === undefined) return undefined
  const decipher = createDecipheriv(CIPHER, key.secret, bytes.subarray(1 + KEY_ID_BYTES, HEADER_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(bytes.subarray(0, HEADER_BYTES)).setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(HEADER_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    return undefined
  }
}

/** The resolver calls are left out: they follow from owner and flags. */
function encodeRegistration(registration: Registration, issuedAt: number): Buffer {
  const { kind, controller, resolver, owner, durationSeconds, secret, reverseRecord, label } = registration
  const numbers = Buffer.alloc(13)
  numbers.writeUIntBE(issuedAt, 0, 6)
  numbers.writeUIntBE(durationSeconds, 6, 6)
  numbers[12] = (reverseRecord ? FLAG_REVERSE_RECORD : 0) | (kind === '2023' ? FLAG_KIND_2023 : 0)
  const fields = [controller, resolver, owner, secret].map((hex) => Buffer.from(hex.slice(2), 'hex'))
  return Buffer.concat([numbers, ...fields, Buffer.from(label, 'latin1')])
}

function decodeRegistration(plain: Buffer): { registration: Registration; issuedAt: number } | undefined {
  const hex = (start: number, length: number): Hex => `0x${plain.toString('hex', start, start + length)}`
  const address = (start: number): Hex => getAddress(hex(start, 20))
  const name = parseEnsName(plain.toString('latin1', FIXED_BYTES))
  if (!name.ok) return undefined
  const flags = plain[12]!
  const request = {
    label: name.name,
    owner: address(53),
    durationSeconds: plain.readUIntBE(6, 6),
    secret: hex(73, 32),
    reverseRecord: (flags & FLAG_REVERSE_RECORD) !== 0,
  }
  const kind = (flags & FLAG_KIND_2023) === 0 ? '2025' : '2023'
  const registration = createRegistration(request, { kind, address: address(13), resolver: address(33) })
  return { registration, issuedAt: plain.readUIntBE(0, 6) }
}
