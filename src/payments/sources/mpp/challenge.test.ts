import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { Challenge, PaymentRequest } from 'mppx'
import { challengeOf, createTestScheme, LEDGER_ID, OFFER, RECIPIENT, SECRET } from './mpp.fixture.ts'
import { TEMPO_USDC } from './scheme.ts'

suite('a challenge of MPP', () => {
  test('is one that mppx believes, and only with our secret', () => {
    const { scheme } = createTestScheme()
    const challenge = challengeOf(scheme)
    assert.equal(Challenge.verify(challenge, { secretKey: SECRET }), true)
    assert.equal(Challenge.verify(challenge, { secretKey: `${SECRET}!` }), false)
    assert.deepEqual(challenge.request, {
      amount: '50000',
      currency: TEMPO_USDC,
      methodDetails: { chainId: 4217, supportedModes: ['pull', 'push'] },
      recipient: RECIPIENT,
    })
    assert.equal(challenge.expires, '2026-11-15T12:05:00.000Z')
    assert.equal(challenge.description, OFFER.description)
  })

  test('is written and sealed byte for byte as the scheme has it', () => {
    const { scheme } = createTestScheme()
    const { headers, members } = scheme.challenge(OFFER, 'because')
    const methodDetails = { chainId: 4217, supportedModes: ['pull', 'push'] }
    const asked = { amount: '50000', currency: TEMPO_USDC, methodDetails, recipient: RECIPIENT }
    const request = Buffer.from(JSON.stringify(asked)).toString('base64url')
    const resource = createHash('sha256').update(OFFER.url).digest('base64url').slice(0, 16)
    const opened = { ledger: LEDGER_ID, nonce: 'oACH-_dHnLht0', resource, scope: 'intel' }
    const opaque = Buffer.from(JSON.stringify(opened)).toString('base64url')
    const sealed = `api.example|tempo|charge|${request}|2026-11-15T12:05:00.000Z||${opaque}`
    const id = createHmac('sha256', SECRET).update(sealed).digest('base64url')
    assert.deepEqual(headers, [
      'WWW-Authenticate',
      `Payment id="${id}", realm="api.example", method="tempo", intent="charge", request="${request}", description="Everything about a domain", expires="2026-11-15T12:05:00.000Z", opaque="${opaque}"`,
    ])
    assert.equal(members, `"challengeId":"${id}"`)
    assert.equal(PaymentRequest.serialize(PaymentRequest.deserialize(request)), request)
  })

  test('covers the body of the request with its digest', () => {
    const { scheme } = createTestScheme()
    const bodyDigest = 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:'
    const challenge = challengeOf(scheme, { ...OFFER, bodyDigest })
    assert.equal(challenge.digest, bodyDigest)
    assert.equal(Challenge.verify(challenge, { secretKey: SECRET }), true)
    assert.equal(Challenge.verify({ ...challenge, digest: 'sha-256=:AAAA:' }, { secretKey: SECRET }), false)
  })

  test('is never the same twice, also not in the same millisecond', () => {
    const { scheme } = createTestScheme()
    const ids = Array.from({ length: 100 }, () => challengeOf(scheme).id)
    assert.equal(new Set(ids).size, 100)
  })

  test('survives any description', () => {
    const { scheme } = createTestScheme()
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (description) => {
        const { headers } = scheme.challenge({ ...OFFER, description }, undefined)
        assert.match(headers[1]!, /^[\x20-\xFF]*$/)
        const challenge = Challenge.deserialize(headers[1]!)
        assert.equal(challenge.description ?? '', description.replaceAll(/[\r\n]+/g, ' '))
        assert.equal(Challenge.verify(challenge, { secretKey: SECRET }), true)
      }),
    )
  })
})
