import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '../kernel/errors.ts'
import type { PaidRequest } from '../kernel/paywall.ts'
import { createGate } from './gate.ts'
import { base, createWork, headerOf, isUnavailable, lost, setUp } from './gate.fixture.ts'

describe('the gate', () => {
  test('a request without payment gets a 402 with the challenges of all schemes, and runs no work', async () => {
    const { ask, runs } = setUp()
    const { status, headers, body } = await ask()
    assert.equal(status, 402)
    assert.deepEqual([headerOf(headers, 'X-x402'), headerOf(headers, 'X-mpp')], ['invited', 'invited'])
    assert.equal(headerOf(headers, 'Cache-Control'), 'no-store')
    assert.deepEqual(JSON.parse(body), {
      error: 'payment_required',
      message: 'This costs $0.05 a request, paid by x402 (see accepts) or MPP (see the WWW-Authenticate header).',
      type: 'https://paymentauth.org/problems/payment-required',
      title: 'Payment Required',
      status: 402,
      detail: 'This costs $0.05 a request, paid by x402 (see accepts) or MPP (see the WWW-Authenticate header).',
      x402: 'pay',
      mpp: 'pay',
    })
    assert.equal(runs(), 0)
  })

  test('a paid request gets the answer with a receipt', async () => {
    const { ask, chain, ledger } = setUp()
    const { status, headers, body } = await ask('one')
    assert.deepEqual([status, body], [200, '{"said":"hello"}'])
    assert.deepEqual(headers.slice(0, 5), ['Cache-Control', 'private', 'Payment-Receipt', 'one', 'Payment-Token'])
    assert.equal(chain.charges, 1)
    assert.equal((await ledger.find('one'))?.state, 'settled')
  })

  test('the same payment for the same request replays the answer and is charged once', async () => {
    const { ask, chain, runs } = setUp()
    const [first, second] = [await ask('one'), await ask('one')]
    assert.deepEqual([second.status, second.body], [first.status, first.body])
    assert.deepEqual(second.headers, first.headers.slice(0, 4))
    assert.deepEqual([chain.charges, runs()], [1, 1])
  })

  test('a payment that was used for one request is refused for another', async () => {
    const { ask, chain, runs } = setUp()
    await ask('one')
    const { status, body } = await ask('one', { say: 'other' })
    assert.equal(status, 402)
    assert.match(body, /problems\/invalid-challenge/)
    assert.deepEqual([chain.charges, runs()], [1, 1])
  })

  test('knowing the key of a payment without its signature does not get the answer', async () => {
    const { ask, chain } = setUp()
    await ask('one')
    const { status, body } = await ask('one/300/forged')
    assert.equal(status, 402)
    assert.ok(!body.includes('said'))
    chain.failsAfter = lost()
    await assert.rejects(ask('two'))
    chain.failsAfter = undefined
    assert.equal((await ask('two/300/forged')).status, 402)
    assert.equal((await ask('two')).status, 200)
  })

  test('100 concurrent requests with one payment: one charge, one run, the same answer for equal requests', async () => {
    const { ask, chain, runs } = setUp()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => ask('one', { say: at % 4 === 0 ? 'b' : 'a' })),
    )
    const paid = answers.filter(({ status }) => status === 200)
    assert.equal(new Set(paid.map(({ body }) => body)).size, 1)
    assert.ok(paid.length === 75 || paid.length === 25)
    assert.equal(answers.filter(({ status }) => status === 402).length, 100 - paid.length)
    assert.deepEqual([chain.charges, runs()], [1, 1])
  })

  test('a request that cannot be prepared fails before payment is asked for, but a bought answer is still delivered', async () => {
    const { gate, ask, chain } = setUp()
    await ask('one')
    const closed = async () => {
      throw new ApiError('service_unavailable', 'There is no browser here.')
    }
    const signal = new AbortController().signal
    for (const headers of [{}, { 'payment-signature': 'broken' }, { 'payment-signature': 'two' }]) {
      await assert.rejects(gate.serve({ ...base, headers, signal }, closed), isUnavailable(/no browser/))
    }
    const bought = await gate.serve({ ...base, headers: { 'payment-signature': 'one' }, signal }, closed)
    assert.deepEqual([bought.status, bought.body, chain.charges], [200, '{"said":"hello"}', 1])
  })

  test('isSigned makes no network calls', async () => {
    const { gate, chain } = setUp()
    chain.verifyFails = lost()
    const isSigned = (headers: PaidRequest['headers']) =>
      gate.isSigned({ ...base, headers, signal: new AbortController().signal })
    assert.equal(await isSigned({ 'payment-signature': 'one' }), true)
    for (const headers of [
      {},
      { 'payment-signature': 'broken' },
      { 'payment-signature': 'one/300/forged' },
      { 'payment-signature': 'one', authorization: 'two' },
    ]) {
      assert.equal(await isSigned(headers), false)
    }
  })

  test('two payments in one request are rejected, even if one of them is malformed', async () => {
    const { ask } = setUp()
    for (const payment of ['one', 'broken']) {
      await assert.rejects(ask(payment, { headers: { authorization: 'two' } }), { code: 'invalid_request' })
    }
    assert.match((await ask('broken')).body, /problems\/malformed-credential/)
  })

  test('without any scheme every request is 503', async () => {
    const { needs } = setUp()
    const gate = createGate({ ...needs, schemes: [], wait: async () => {} })
    await assert.rejects(
      gate.serve(
        { ...base, headers: {}, signal: new AbortController().signal },
        createWork(async () => ({})),
      ),
      {
        code: 'service_unavailable',
      },
    )
  })
})
