import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { getAddress } from 'viem/utils'
import { manualClock } from '../../kernel/clock.ts'
import { seededRandom } from '../../kernel/random.ts'
import type { Hex } from '../../kernel/hex.ts'
import { computeCommitment, type Registration, createRegistration } from './commitment.ts'
import { MAINNET } from '../chain/deployments.ts'
import type { EnsName } from '../contract/names.ts'
import { createRegistrationTokens } from './registration-token.ts'

const key = (text: string) => Buffer.from(text)
const DAY = 86_400_000

function world(keys: readonly Uint8Array[] = [key('first key')]) {
  const clock = manualClock()
  const random = seededRandom(1)
  const withKeys = (others: readonly Uint8Array[]) => createRegistrationTokens({ keys: others, clock, random })
  return { clock, withKeys, tokens: withKeys(keys) }
}

const registration = (more: Partial<Registration> = {}, kind: '2025' | '2023' = '2025'): Registration =>
  createRegistration(
    {
      label: 'example' as EnsName,
      owner: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
      durationSeconds: 31_536_000,
      secret: `0x${'2b'.repeat(32)}`,
      reverseRecord: true,
      ...more,
    },
    MAINNET.controllers[kind],
  )

test('an opened token gives the same commitment as the registration it was issued for', () => {
  const { tokens, clock } = world()
  const hex = (bytes: number) =>
    fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((each): Hex => `0x${Buffer.from(each).toString('hex')}`)
  const address = hex(20).map((each) => getAddress(each))
  const wish = fc.record({
    label: fc.constantFrom('abc', 'example', 'a-b-c', `x${'9'.repeat(62)}`).map((text) => text as EnsName),
    owner: address,
    durationSeconds: fc.integer({ min: 1, max: 3_153_600_000 }),
    secret: hex(32),
    reverseRecord: fc.boolean(),
  })
  const controller = fc.record({ kind: fc.constantFrom('2025', '2023'), address, resolver: address })
  fc.assert(
    fc.property(wish, controller, (wish, controller) => {
      const sealed = createRegistration(wish, controller)
      const token = tokens.issue(sealed)
      assert.match(token, /^[\w-]+$/)
      const opened = tokens.open(token)
      assert.deepEqual(opened, { ok: true, registration: sealed, issuedAt: clock.now() / 1000 })
      assert.ok(opened.ok && computeCommitment(opened.registration) === computeCommitment(sealed))
    }),
  )
})

test('a token is valid for exactly a day', () => {
  const { tokens, clock } = world()
  const token = tokens.issue(registration())
  clock.advance(DAY - 1000)
  assert.ok(tokens.open(token).ok)
  clock.advance(1000)
  assert.deepEqual(tokens.open(token), { ok: false, reason: 'expired' })
})

test('a token from the future is unknown, beyond a small clock skew', () => {
  const { tokens, clock, withKeys } = world()
  const issuedIn = (ms: number) => {
    const ahead = createRegistrationTokens({
      keys: [key('first key')],
      clock: manualClock(clock.now() + ms),
      random: seededRandom(2),
    })
    return tokens.open(ahead.issue(registration()))
  }
  assert.ok(issuedIn(60_000).ok)
  assert.deepEqual(issuedIn(3_600_000), { ok: false, reason: 'unknown' })
  assert.ok(withKeys([key('first key')]).open(tokens.issue(registration())).ok, 'another instance opens it')
})

test('the first key encrypts, and older keys decrypt until they are removed', () => {
  const { tokens, withKeys } = world()
  const old = tokens.issue(registration())
  const rotated = withKeys([key('second key'), key('first key')])
  assert.ok(rotated.open(old).ok)
  const fresh = rotated.issue(registration())
  assert.deepEqual(tokens.open(fresh), { ok: false, reason: 'unknown' }, 'the new key seals')
  assert.deepEqual(withKeys([key('second key')]).open(old), { ok: false, reason: 'unknown' })
  assert.ok(withKeys([key('second key')]).open(fresh).ok)
})

test('keys may have any length but must not be empty, and one is required', () => {
  for (const length of [1, 16, 32, 1000]) {
    const { tokens } = world([Buffer.alloc(length, 7)])
    assert.ok(tokens.open(tokens.issue(registration())).ok)
  }
  assert.throws(() => world([]), RangeError)
  assert.throws(() => world([Buffer.alloc(0)]), RangeError)
})

test('two tokens of one registration share only version and key id', () => {
  const { tokens } = world()
  const [one, two] = [tokens.issue(registration()), tokens.issue(registration())]
  assert.notEqual(one.slice(7), two.slice(7))
  const { secret, owner } = registration()
  for (const part of [secret, owner]) {
    assert.ok(!Buffer.from(one, 'base64url').includes(Buffer.from(part.slice(2), 'hex')), 'nothing shows')
  }
})

test('a token with any character changed is unknown', () => {
  const { tokens } = world()
  const token = tokens.issue(registration())
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  for (let at = 0; at < token.length; at++) {
    for (const other of [
      alphabet[(alphabet.indexOf(token[at]!) + 1) % 64]!,
      alphabet[(alphabet.indexOf(token[at]!) + 33) % 64]!,
    ]) {
      const changed = token.slice(0, at) + other + token.slice(at + 1)
      assert.deepEqual(tokens.open(changed), { ok: false, reason: 'unknown' }, `character ${at}`)
    }
  }
})

test('truncated, extended, padded or other text is unknown, and nothing throws', () => {
  const { tokens } = world()
  const token = tokens.issue(registration())
  const foreign = [
    '',
    ' ',
    token.slice(0, -1),
    token.slice(1),
    `${token}A`,
    `${token}=`,
    ` ${token}`,
    token + token,
    'é'.repeat(200),
  ]
  for (const text of foreign) assert.deepEqual(tokens.open(text), { ok: false, reason: 'unknown' }, text)
  for (let length = 0; length < token.length; length++) assert.ok(!tokens.open(token.slice(0, length)).ok)
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => !tokens.open(text).ok))
  const bytes = Buffer.from(token, 'base64url')
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (tail) => {
      // With the right version and key in front, the rest is random.
      const text = Buffer.concat([bytes.subarray(0, 5), tail]).toString('base64url')
      assert.deepEqual(tokens.open(text), { ok: false, reason: 'unknown' })
    }),
  )
})
