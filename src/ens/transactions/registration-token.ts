/**
 * The registration id: all that the second step needs, sealed so that only this service can read or make one. Nothing
 * is stored, so it outlives a restart and is good at every instance that shares the keys. It carries the secret of the
 * commitment: never log it.
 */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { getAddress } from 'viem/utils'
import type { Clock } from '../../kernel/clock.ts'
import type { Random } from '../../kernel/random.ts'
import type { Hex } from '../chain/chain.ts'
import { type Registration, registrationOf } from './commitment.ts'
import { parseEnsName } from '../contract/names.ts'

/** A commitment lives no longer on the chain. */
const LIFETIME_SECONDS = 86_400
/** How far another instance's clock may be ahead. */
const SKEW_SECONDS = 300

const VERSION = 1
const KEY_ID = 4
const NONCE = 12
const TAG = 16
const HEADER = 1 + KEY_ID + NONCE
/** Seconds (6 bytes), duration (6), flags (1), controller, resolver, owner (20 each), secret (32); the label follows. */
const FIXED = 6 + 6 + 1 + 3 * 20 + 32
const LONGEST = Math.ceil(((HEADER + FIXED + 63 + TAG) * 4) / 3)
const REVERSE_RECORD = 1
const KIND_2023 = 2
const CIPHER = 'aes-256-gcm'
/** Changes with the layout or the meaning of what is sealed. */
const PURPOSE = 'onoma ens registration token 1'

export type OpenedToken =
  | { readonly ok: true; readonly registration: Registration; readonly issuedAt: number }
  | { readonly ok: false; readonly why: 'expired' | 'unknown' }

export type RegistrationTokens = {
  issue(registration: Registration): string
  /** `unknown` is all that is said of a text that is not ours, whatever is wrong with it. */
  open(token: string): OpenedToken
}

type Key = { readonly id: Buffer; readonly secret: Buffer }

/** The first key seals, all of them open: a new key is put in front, and the old one taken away a day later. */
export function createTokens(needs: {
  readonly keys: readonly Uint8Array[]
  readonly clock: Clock
  readonly random: Random
}): RegistrationTokens {
  const { clock, random } = needs
  const keys = needs.keys.map(stretch)
  const [current] = keys
  if (current === undefined) throw new RangeError('at least one key is needed')
  const nowSeconds = () => Math.floor(clock.now() / 1000)

  return {
    issue(registration) {
      const nonce = Buffer.from(random.bytes(NONCE))
      const header = Buffer.concat([Buffer.of(VERSION), current.id, nonce])
      const cipher = createCipheriv(CIPHER, current.secret, nonce).setAAD(header)
      const sealed = [cipher.update(pack(registration, nowSeconds())), cipher.final()]
      return Buffer.concat([header, ...sealed, cipher.getAuthTag()]).toString('base64url')
    },
    open(token) {
      const plain = unseal(token, keys)
      const opened = plain && unpack(plain)
      if (!opened || opened.issuedAt > nowSeconds() + SKEW_SECONDS) return { ok: false, why: 'unknown' }
      return nowSeconds() < opened.issuedAt + LIFETIME_SECONDS ? { ok: true, ...opened } : { ok: false, why: 'expired' }
    },
  }
}

/** Keys come in any length from the configuration. */
function stretch(key: Uint8Array): Key {
  if (key.length === 0) throw new RangeError('a key may not be empty')
  const stretched = Buffer.from(hkdfSync('sha256', key, '', PURPOSE, 32 + KEY_ID))
  return { secret: stretched.subarray(0, 32), id: stretched.subarray(32) }
}

function unseal(token: string, keys: readonly Key[]): Buffer | undefined {
  if (token.length > LONGEST || !/^[\w-]+$/.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  // The last character may have bits to spare: only one way of writing them is ours.
  if (bytes.length < HEADER + FIXED + TAG || bytes[0] !== VERSION || bytes.toString('base64url') !== token) {
    return undefined
  }
  const key = keys.find(({ id }) => id.equals(bytes.subarray(1, 1 + KEY_ID)))
  if (key === undefined) return undefined
  const decipher = createDecipheriv(CIPHER, key.secret, bytes.subarray(1 + KEY_ID, HEADER), { authTagLength: TAG })
  decipher.setAAD(bytes.subarray(0, HEADER)).setAuthTag(bytes.subarray(-TAG))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(HEADER, -TAG)), decipher.final()])
  } catch {
    return undefined
  }
}

/** The calls to the resolver are not in it: they follow from owner and flags. */
function pack(registration: Registration, issuedAt: number): Buffer {
  const { kind, controller, resolver, owner, durationSeconds, secret, reverseRecord, label } = registration
  const numbers = Buffer.alloc(13)
  numbers.writeUIntBE(issuedAt, 0, 6)
  numbers.writeUIntBE(durationSeconds, 6, 6)
  numbers[12] = (reverseRecord ? REVERSE_RECORD : 0) | (kind === '2023' ? KIND_2023 : 0)
  const fields = [controller, resolver, owner, secret].map((hex) => Buffer.from(hex.slice(2), 'hex'))
  return Buffer.concat([numbers, ...fields, Buffer.from(label, 'latin1')])
}

function unpack(plain: Buffer): { registration: Registration; issuedAt: number } | undefined {
  const hex = (start: number, length: number): Hex => `0x${plain.toString('hex', start, start + length)}`
  const address = (start: number): Hex => getAddress(hex(start, 20))
  const name = parseEnsName(plain.toString('latin1', FIXED))
  if (!name.ok) return undefined
  const flags = plain[12]!
  const wish = {
    label: name.name,
    owner: address(53),
    durationSeconds: plain.readUIntBE(6, 6),
    secret: hex(73, 32),
    reverseRecord: (flags & REVERSE_RECORD) !== 0,
  }
  const kind = (flags & KIND_2023) === 0 ? '2025' : '2023'
  const registration = registrationOf(wish, { kind, address: address(13), resolver: address(33) })
  return { registration, issuedAt: plain.readUIntBE(0, 6) }
}
