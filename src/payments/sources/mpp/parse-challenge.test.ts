import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { parseUsd } from '../../../kernel/money.ts'
import {
  challengeOf,
  createTestScheme,
  credentialFor,
  headersOf,
  neverAborted,
  OFFER,
  PAYER,
  RECIPIENT,
  refused,
  SECRET,
} from './mpp.fixture.ts'

suite('the challenge of a payment of MPP', () => {
  test('refuses a challenge that is not ours or was touched', async () => {
    const world = createTestScheme()
    const foreign = createTestScheme({ secrets: ['another secret of another server, long enough'] })
    const elsewhere = createTestScheme({ realm: 'other.example' })
    const credential = await credentialFor(world)
    const { challenge } = credential
    const touched = [
      { ...challenge, id: `${challenge.id.slice(0, -1)}${challenge.id.endsWith('A') ? 'B' : 'A'}` },
      { ...challenge, realm: 'other.example' },
      { ...challenge, intent: 'session' },
      { ...challenge, expires: '2026-11-16T12:05:00.000Z' },
      { ...challenge, request: { ...challenge.request, amount: '1' } },
      { ...challenge, opaque: Buffer.from('{"scope":"intel"}').toString('base64url') },
      { ...challenge, digest: 'sha-256=abc' },
      challengeOf(foreign.scheme),
      challengeOf(elsewhere.scheme),
    ]
    for (const each of touched) {
      const headers = headersOf({ ...credential, challenge: each })
      assert.throws(() => world.scheme.parse(headers, OFFER), refused('invalid-challenge', /not one of ours/))
    }
  })

  test('refuses several credentials, and those of another method, with 400', async () => {
    const world = createTestScheme()
    const credential = await credentialFor(world)
    const { authorization } = headersOf(credential)
    const twice = { authorization: `${String(authorization)}, ${String(authorization)}` }
    assert.throws(() => world.scheme.parse(twice, OFFER), { name: 'ApiError', status: 400, message: /one payment/ })
    const stripe = headersOf({ ...credential, challenge: { ...credential.challenge, method: 'stripe' } })
    const type = 'https://paymentauth.org/problems/method-unsupported'
    assert.throws(
      () => world.scheme.parse(stripe, OFFER),
      (error: { status: number; extra: object }) => {
        assert.equal(error.status, 400)
        assert.partialDeepStrictEqual(error.extra, { type, status: 400 })
        return true
      },
    )
  })

  test('refuses the challenge of another ledger', async () => {
    const world = createTestScheme()
    const other = createTestScheme({ ledgerId: 'another ledger' })
    const headers = headersOf(await credentialFor(other))
    assert.ok(other.scheme.parse(headers, OFFER))
    assert.throws(() => world.scheme.parse(headers, OFFER), refused('invalid-challenge', /another instance/))
  })

  test('refuses the challenge of another body', async () => {
    const world = createTestScheme()
    const offer = { ...OFFER, bodyDigest: 'sha-256=:AAAA:' }
    const credential = await credentialFor(world, { offer })
    assert.ok(world.scheme.parse(headersOf(credential), offer))
    const { digest: _, ...undigested } = credential.challenge
    for (const bodyDigest of ['sha-256=:BBBB:', undefined]) {
      const changed = { ...offer, bodyDigest }
      assert.throws(
        () => world.scheme.parse(headersOf(credential), changed),
        refused('invalid-challenge', /another request body/),
      )
      const headers = headersOf({ ...credential, challenge: undigested })
      assert.throws(() => world.scheme.parse(headers, changed), refused('invalid-challenge', /not one of ours/))
    }
  })

  test('honours the price and the recipient of the challenge when they have changed since, for the same request', async () => {
    const world = createTestScheme()
    const headers = headersOf(await credentialFor(world))
    const now = createTestScheme({ recipient: PAYER, clock: world.clock, rpc: world.rpc })
    const dearer = { ...OFFER, price: parseUsd('0.07') }
    const payment = now.scheme.parse(headers, dearer)!
    assert.equal(payment.amount, OFFER.price)
    await payment.verify(neverAborted())
    await payment.settle(neverAborted())
    assert.equal(world.chain.balanceOf(RECIPIENT), OFFER.price)
    const elsewhere = { ...dearer, url: `${OFFER.url}&more=1` }
    assert.throws(() => now.scheme.parse(headers, elsewhere), refused('invalid-challenge', /another offer/))
    const late = now.scheme.parse(headersOf(await credentialFor(world)), dearer)!
    world.clock.advance(5 * 60_000)
    await assert.rejects(late.verify(neverAborted()), refused('payment-expired', /has expired/))
  })

  test('refuses the challenge of another offer: no other price, no other endpoint', async () => {
    const world = createTestScheme()
    const quick = { ...OFFER, scope: 'valuation', price: parseUsd('0.02') }
    const full = { ...quick, price: parseUsd('0.08'), url: `${OFFER.url}&tier=full` }
    const headers = headersOf(await credentialFor(world, { offer: quick }))
    assert.ok(world.scheme.parse(headers, quick))
    for (const offer of [full, { ...quick, scope: 'intel' }]) {
      assert.throws(() => world.scheme.parse(headers, offer), refused('invalid-challenge', /another offer/))
    }
  })

  test('believes challenges of the secret before, and forgets those of the one before that', async () => {
    const old = createTestScheme({ secrets: ['the old secret that was in use until yesterday'] })
    const headers = headersOf(await credentialFor(old))
    const rotated = createTestScheme({ secrets: [SECRET, 'the old secret that was in use until yesterday'] })
    assert.ok(rotated.scheme.parse(headers, OFFER))
    assert.throws(
      () => createTestScheme().scheme.parse(headers, OFFER),
      refused('invalid-challenge', /not one of ours/),
    )
  })
})
