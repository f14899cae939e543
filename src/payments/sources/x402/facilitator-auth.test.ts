import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { test } from 'node:test'
import { manualClock } from '../../../kernel/clock.ts'
import { secureRandom } from '../../../kernel/random.ts'
import { createFacilitatorAuth } from './facilitator-auth.ts'

const clock = manualClock()
const needs = { clock, random: secureRandom }
const URL = 'https://facilitator.example/platform/v2/x402/settle'
const ed25519 = generateKeyPairSync('ed25519')
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const { d, x } = ed25519.privateKey.export({ format: 'jwk' })
const ed25519Secret = Buffer.concat([Buffer.from(d!, 'base64url'), Buffer.from(x!, 'base64url')]).toString('base64')
const pem = p256.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()

for (const [alg, keySecret, pair] of [
  ['EdDSA', ed25519Secret, ed25519],
  ['ES256', pem, p256],
  ['ES256', pem.replaceAll('\n', String.raw`\n`), p256],
] as const) {
  test(`${alg}: a new token for each request, bound to it, for two minutes`, () => {
    const authenticate = createFacilitatorAuth({ keyId: 'key-1', keySecret }, needs)
    const tokens = [1, 2].map(() => authenticate('POST', URL)['authorization']!.replace('Bearer ', ''))
    assert.notEqual(tokens[0], tokens[1])
    const [header, claims, signature] = tokens[0]!.split('.') as [string, string, string]
    const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())
    const { nonce, ...rest } = read(header) as { nonce: string }
    assert.deepEqual(rest, { alg, kid: 'key-1', typ: 'JWT' })
    assert.match(nonce, /^[0-9a-f]{32}$/)
    const now = clock.now() / 1000
    assert.deepEqual(read(claims), {
      sub: 'key-1',
      iss: 'cdp',
      uris: ['POST facilitator.example/platform/v2/x402/settle'],
      iat: now,
      nbf: now,
      exp: now + 120,
    })
    const key = createPublicKey(pair.publicKey.export({ format: 'pem', type: 'spki' }))
    const bytes = Buffer.from(`${header}.${claims}`)
    const own = { key, ...(alg === 'ES256' && { dsaEncoding: 'ieee-p1363' as const }) }
    assert.ok(verify(alg === 'EdDSA' ? null : 'sha256', bytes, own, Buffer.from(signature, 'base64url')))
  })
}

test('a fixed header is sent as it is, and without authentication there is none', () => {
  const header = { name: 'x-api-key', value: 'abc' }
  assert.deepEqual(createFacilitatorAuth({ header }, needs)('POST', URL), { 'x-api-key': 'abc' })
  assert.deepEqual(createFacilitatorAuth(undefined, needs)('GET', URL), {})
})

test('a secret that cannot be a key is refused, and not repeated', () => {
  for (const keySecret of ['hunter2', Buffer.alloc(32).toString('base64'), '-----BEGIN hunter2-----']) {
    assert.throws(
      () => createFacilitatorAuth({ keyId: 'a', keySecret }, needs),
      (error: Error) => /neither base64/.test(error.message) && !error.message.includes('hunter2'),
    )
  }
})
