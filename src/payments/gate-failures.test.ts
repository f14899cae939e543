import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '../kernel/errors.ts'
import { base, createWork, isUnavailable, lost, setUp } from './gate.fixture.ts'
import { PaymentRefused } from './scheme.ts'

describe('the gate when something fails', () => {
  test('failed work is not charged, and the payment stays usable for any request', async () => {
    const { gate, ask, chain } = setUp()
    const request = { ...base, headers: { 'payment-signature': 'one' }, signal: new AbortController().signal }
    await assert.rejects(
      gate.serve(
        request,
        createWork(async () => {
          throw new ApiError('timeout', 'The registry was silent.')
        }),
      ),
      { code: 'timeout' },
    )
    assert.equal(chain.charges, 0)
    assert.equal((await ask('one', { say: 'other' })).status, 200)
    assert.equal(chain.charges, 1)
  })

  test('an answer with an error is delivered without charge or receipt, and the payment stays usable', async () => {
    const { gate, ask, chain, ledger } = setUp()
    const request = { ...base, headers: { 'payment-signature': 'one' }, signal: new AbortController().signal }
    const failed = await gate.serve(
      request,
      createWork(async () => ({ error: 'site_timeout' })),
    )
    assert.deepEqual(failed, {
      status: 200,
      headers: ['Cache-Control', 'no-store'],
      body: '{"error":"site_timeout"}',
      isSettled: false,
    })
    assert.deepEqual([chain.charges, await ledger.find('one')], [0, undefined])
    assert.equal((await ask('one', { say: 'other' })).isSettled, true)
    assert.equal((await ask('one')).status, 402)
    assert.equal(chain.charges, 1)
  })

  test('a client that disconnects before the answer is ready is not charged', async () => {
    const { gate, chain, ledger } = setUp()
    const leaving = new AbortController()
    const request = { ...base, headers: { 'payment-signature': 'one' }, signal: leaving.signal }
    const work = async () => {
      leaving.abort(new Error('gone'))
      return {}
    }
    await assert.rejects(gate.serve(request, createWork(work)), { message: 'gone' })
    assert.equal(chain.charges, 0)
    assert.equal(await ledger.find('one'), undefined)
  })

  test('an answer whose payment cannot be settled is withheld, and the payment can be retried', async () => {
    const { ask, chain } = setUp()
    chain.failsBefore = new PaymentRefused('verification-failed', 'The wallet is empty.')
    const { status, headers, body } = await ask('one')
    assert.equal(status, 402)
    assert.ok(!body.includes('said') && !headers.includes('Payment-Receipt'))
    assert.match(body, /The wallet is empty/)
    chain.failsBefore = undefined
    assert.equal((await ask('one')).status, 200)
    assert.equal(chain.charges, 1)
  })

  for (const moved of [true, false]) {
    test(`an unknown outcome is 503, and the repeated request finds the payment ${moved ? '' : 'not '}taken`, async () => {
      const { ask, chain, runs, ledger } = setUp()
      if (moved) chain.failsAfter = lost()
      else chain.failsBefore = lost()
      await assert.rejects(ask('one'), isUnavailable(/not known yet whether the payment went through/))
      assert.equal((await ledger.find('one'))?.state, 'computed')
      assert.equal((await ask('one', { say: 'other' })).status, 402)
      chain.failsAfter = chain.failsBefore = undefined
      const { status, body } = await ask('one')
      assert.deepEqual([status, body], [200, '{"said":"hello"}'])
      assert.deepEqual([chain.charges, runs()], [1, 1])
    })
  }

  test('a refused payment that the chain shows as taken counts as settled', async () => {
    const { ask, chain } = setUp()
    chain.failsAfter = new PaymentRefused('verification-failed', 'Used already.')
    assert.equal((await ask('one')).status, 200)
    assert.equal(chain.charges, 1)
  })

  test('a payment that cannot be verified gives 503, runs no work and asks for no other payment', async () => {
    const { ask, chain, runs } = setUp()
    chain.verifyFails = lost()
    await assert.rejects(ask('one'), isUnavailable(/cannot be checked at the moment; it was not taken/))
    assert.deepEqual([chain.charges, runs()], [0, 0])
  })

  test('a payment that would expire before settlement is refused before the work', async () => {
    const { ask, runs } = setUp()
    const { status, body } = await ask('one/5')
    assert.equal(status, 402)
    assert.match(body, /problems\/payment-expired/)
    assert.equal(runs(), 0)
    assert.equal((await ask('one/300')).status, 200)
  })

  test('recovery settles or releases what a crash left open, as the chain decides', async () => {
    const { ask, chain, gate, clock, ledger } = setUp()
    chain.failsAfter = lost()
    await assert.rejects(ask('paid'))
    chain.failsAfter = undefined
    chain.failsBefore = lost()
    await assert.rejects(ask('unpaid'))
    clock.advance(120_000)
    assert.equal(await gate.recover(new AbortController().signal), 1)
    assert.equal((await ledger.find('paid'))?.state, 'settled')
    assert.equal((await ledger.find('unpaid'))?.state, 'computed')
    chain.recoverFails = new PaymentRefused('payment-expired', 'It can no longer be taken.')
    clock.advance(120_000)
    assert.equal(await gate.recover(new AbortController().signal), 0)
    assert.equal(await ledger.find('unpaid'), undefined)
    assert.equal(chain.charges, 1)
  })
})
