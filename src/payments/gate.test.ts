import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { manualClock } from '../kernel/clock.ts'
import { ApiError, UpstreamError } from '../kernel/errors.ts'
import { parseUsd } from '../kernel/money.ts'
import type { PaidRequest } from '../kernel/paywall.ts'
import { seededRandom } from '../kernel/random.ts'
import { createGate } from './gate.ts'
import { type Payment, PaymentRefused, type Scheme, type Settlement } from './scheme.ts'
import { memoryLedger } from './sources/memory-ledger.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const lost = () => new UpstreamError('timeout', 'the node did not answer')

/** A bank in place of a chain: it knows who has paid, and can be made to fail at every step. */
function playBank(clock: ReturnType<typeof manualClock>) {
  const taken = new Set<string>()
  const bank = {
    taken,
    /** How often money moved. */
    charges: 0,
    verifyFails: undefined as Error | undefined,
    /** Thrown by `settle` before or after the money has moved. */
    failsBefore: undefined as Error | undefined,
    failsAfter: undefined as Error | undefined,
    recoverFails: undefined as Error | undefined,
  }
  const settlementOf = (key: string): Settlement => ({
    transaction: `0x${Buffer.from(key).toString('hex')}`,
    headers: ['Payment-Receipt', key],
  })
  const paymentOf = (stored: string): Payment => {
    const [key = '', seconds = '300', signature = 'signed'] = stored.split('/')
    return {
      key,
      payer: 'somebody',
      proof: signature,
      stored,
      expiresAt: Number(seconds) + clock.now() / 1000,
      isSigned: async () => signature === 'signed',
      async verify() {
        if (bank.verifyFails) throw bank.verifyFails
        if (taken.has(key)) throw new PaymentRefused('verification-failed', 'The payment was used.')
      },
      async settle() {
        if (bank.failsBefore) throw bank.failsBefore
        if (taken.has(key)) throw new PaymentRefused('verification-failed', 'The payment was used.')
        taken.add(key)
        bank.charges++
        if (bank.failsAfter) throw bank.failsAfter
        return settlementOf(key)
      },
      async recover() {
        if (bank.recoverFails) throw bank.recoverFails
        return taken.has(key) ? settlementOf(key) : null
      },
    }
  }
  const scheme = (id: Scheme['id'], header: string): Scheme => ({
    id,
    challenge: (_offer, why) => ({
      headers: [`X-${id}`, 'invited'],
      members: `"${id}":${JSON.stringify(why ?? 'pay')}`,
    }),
    parse(headers) {
      const text = headers[header]
      if (text === undefined) return undefined
      if (text === 'broken') throw new PaymentRefused('malformed-credential', 'That is no payment.')
      return paymentOf(String(text))
    },
    restore: paymentOf,
  })
  return { bank, schemes: [scheme('x402', 'payment-signature'), scheme('mpp', 'authorization')] }
}

function setUp() {
  const clock = manualClock()
  const { bank, schemes } = playBank(clock)
  const ledger = memoryLedger({ clock })
  const needs = { schemes, ledger, clock, random: seededRandom(1), log: silent }
  const gate = createGate({ ...needs, wait: async (ms) => clock.advance(ms) })
  let runs = 0
  const ask = (payment?: string, { say = 'hello', headers = {}, signal = new AbortController().signal } = {}) => {
    const request: PaidRequest = {
      endpoint: 'echo',
      description: 'Repeat a word',
      price: parseUsd('0.05'),
      url: `https://api.example/echo?say=${say}`,
      fingerprint: say,
      headers: { ...(payment !== undefined && { 'payment-signature': payment }), ...headers },
      signal,
    }
    return gate.serve(
      request,
      sells(async () => {
        runs++
        return { said: say }
      }),
    )
  }
  return { clock, bank, ledger, gate, ask, needs, runs: () => runs }
}

/** Nothing to prepare; the answer is charged unless it carries `error`. */
const sells = (work: () => Promise<object>) => async () => async () => {
  const body = await work()
  return { status: 200, body: JSON.stringify(body), isCharged: !('error' in body) }
}

const headerOf = (headers: readonly string[], name: string) => headers[headers.indexOf(name) + 1]
const isUnavailable = (sentence: RegExp) => (error: unknown) =>
  error instanceof ApiError && error.code === 'service_unavailable' && sentence.test(error.message)

describe('the gate', () => {
  test('invites whoever does not pay, in the words of every protocol at once, and runs nothing', async () => {
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

  test('gives the answer with its receipt once it is paid', async () => {
    const { ask, bank, ledger } = setUp()
    const { status, headers, body } = await ask('one')
    assert.deepEqual([status, body], [200, '{"said":"hello"}'])
    assert.deepEqual(headers, ['Cache-Control', 'private', 'Payment-Receipt', 'one'])
    assert.equal(bank.charges, 1)
    assert.equal((await ledger.find('one'))?.state, 'settled')
  })

  test('the same payment for the same request gives the same answer and costs nothing more', async () => {
    const { ask, bank, runs } = setUp()
    assert.deepEqual(await ask('one'), await ask('one'))
    assert.deepEqual([bank.charges, runs()], [1, 1])
  })

  test('a payment that was used for one request is refused for another', async () => {
    const { ask, bank, runs } = setUp()
    await ask('one')
    const { status, body } = await ask('one', { say: 'other' })
    assert.equal(status, 402)
    assert.match(body, /problems\/invalid-challenge/)
    assert.deepEqual([bank.charges, runs()], [1, 1])
  })

  test('who only knows of a payment does not get what was bought with it', async () => {
    const { ask, bank } = setUp()
    await ask('one')
    const { status, body } = await ask('one/300/forged')
    assert.equal(status, 402)
    assert.ok(!body.includes('said'))
    bank.failsAfter = lost()
    await assert.rejects(ask('two'))
    bank.failsAfter = undefined
    assert.equal((await ask('two/300/forged')).status, 402)
    assert.equal((await ask('two')).status, 200)
  })

  test('a hundred at once with one payment: one charge, one run, the same answer for all who ask the same', async () => {
    const { ask, bank, runs } = setUp()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => ask('one', { say: at % 4 === 0 ? 'b' : 'a' })),
    )
    const paid = answers.filter(({ status }) => status === 200)
    assert.equal(new Set(paid.map(({ body }) => body)).size, 1)
    assert.ok(paid.length === 75 || paid.length === 25)
    assert.equal(answers.filter(({ status }) => status === 402).length, 100 - paid.length)
    assert.deepEqual([bank.charges, runs()], [1, 1])
  })

  test('work that fails is not charged, and its payment stays good, for this or anything else', async () => {
    const { gate, ask, bank } = setUp()
    const request = { ...base, headers: { 'payment-signature': 'one' }, signal: new AbortController().signal }
    await assert.rejects(
      gate.serve(
        request,
        sells(async () => {
          throw new ApiError('timeout', 'The registry was silent.')
        }),
      ),
      { code: 'timeout' },
    )
    assert.equal(bank.charges, 0)
    assert.equal((await ask('one', { say: 'other' })).status, 200)
    assert.equal(bank.charges, 1)
  })

  test('an answer that carries error is delivered without a charge or a receipt, and its payment buys another', async () => {
    const { gate, ask, bank, ledger } = setUp()
    const request = { ...base, headers: { 'payment-signature': 'one' }, signal: new AbortController().signal }
    const failed = await gate.serve(
      request,
      sells(async () => ({ error: 'site_timeout' })),
    )
    assert.deepEqual(failed, {
      status: 200,
      headers: ['Cache-Control', 'no-store'],
      body: '{"error":"site_timeout"}',
      isSettled: false,
    })
    assert.deepEqual([bank.charges, await ledger.find('one')], [0, undefined])
    assert.equal((await ask('one', { say: 'other' })).isSettled, true)
    assert.equal((await ask('one')).status, 402)
    assert.equal(bank.charges, 1)
  })

  test('what cannot be prepared is told before money is spoken of, but never keeps back what was bought', async () => {
    const { gate, ask, bank } = setUp()
    await ask('one')
    const closed = async () => {
      throw new ApiError('service_unavailable', 'There is no browser here.')
    }
    const signal = new AbortController().signal
    for (const headers of [{}, { 'payment-signature': 'broken' }, { 'payment-signature': 'two' }]) {
      await assert.rejects(gate.serve({ ...base, headers, signal }, closed), isUnavailable(/no browser/))
    }
    const bought = await gate.serve({ ...base, headers: { 'payment-signature': 'one' }, signal }, closed)
    assert.deepEqual([bought.status, bought.body, bank.charges], [200, '{"said":"hello"}', 1])
  })

  test('a payment is signed or not without anybody being asked', async () => {
    const { gate, bank } = setUp()
    bank.verifyFails = lost()
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

  test('whoever goes away before the answer is ready is not charged', async () => {
    const { gate, bank, ledger } = setUp()
    const leaving = new AbortController()
    const request = { ...base, headers: { 'payment-signature': 'one' }, signal: leaving.signal }
    const work = async () => {
      leaving.abort(new Error('gone'))
      return {}
    }
    await assert.rejects(gate.serve(request, sells(work)), { message: 'gone' })
    assert.equal(bank.charges, 0)
    assert.equal(await ledger.find('one'), undefined)
  })

  test('a payment that cannot be settled keeps the answer back, and may be tried again', async () => {
    const { ask, bank } = setUp()
    bank.failsBefore = new PaymentRefused('verification-failed', 'The wallet is empty.')
    const { status, headers, body } = await ask('one')
    assert.equal(status, 402)
    assert.ok(!body.includes('said') && !headers.includes('Payment-Receipt'))
    assert.match(body, /The wallet is empty/)
    bank.failsBefore = undefined
    assert.equal((await ask('one')).status, 200)
    assert.equal(bank.charges, 1)
  })

  for (const moved of [true, false]) {
    test(`an outcome nobody knows is 503, and the repeated request finds that the money has ${moved ? '' : 'not '}moved`, async () => {
      const { ask, bank, runs, ledger } = setUp()
      if (moved) bank.failsAfter = lost()
      else bank.failsBefore = lost()
      await assert.rejects(ask('one'), isUnavailable(/not known yet whether the payment went through/))
      assert.equal((await ledger.find('one'))?.state, 'computed')
      assert.equal((await ask('one', { say: 'other' })).status, 402)
      bank.failsAfter = bank.failsBefore = undefined
      const { status, body } = await ask('one')
      assert.deepEqual([status, body], [200, '{"said":"hello"}'])
      assert.deepEqual([bank.charges, runs()], [1, 1])
    })
  }

  test('a refusal that hides an earlier success is a success', async () => {
    const { ask, bank } = setUp()
    bank.failsAfter = new PaymentRefused('verification-failed', 'Used already.')
    assert.equal((await ask('one')).status, 200)
    assert.equal(bank.charges, 1)
  })

  test('where payments cannot be checked it says so, and neither asks for another nor runs anything', async () => {
    const { ask, bank, runs } = setUp()
    bank.verifyFails = lost()
    await assert.rejects(ask('one'), isUnavailable(/cannot be checked at the moment; it was not taken/))
    assert.deepEqual([bank.charges, runs()], [0, 0])
  })

  test('a payment that would expire before it is settled is refused before the work', async () => {
    const { ask, runs } = setUp()
    const { status, body } = await ask('one/5')
    assert.equal(status, 402)
    assert.match(body, /problems\/payment-expired/)
    assert.equal(runs(), 0)
    assert.equal((await ask('one/300')).status, 200)
  })

  test('two payments in one request are refused, even where one of them is none', async () => {
    const { ask } = setUp()
    for (const payment of ['one', 'broken']) {
      await assert.rejects(ask(payment, { headers: { authorization: 'two' } }), { code: 'invalid_request' })
    }
    assert.match((await ask('broken')).body, /problems\/malformed-credential/)
  })

  test('where nothing can be paid it is closed before money is spoken of', async () => {
    const { needs } = setUp()
    const gate = createGate({ ...needs, schemes: [], wait: async () => {} })
    await assert.rejects(
      gate.serve(
        { ...base, headers: {}, signal: new AbortController().signal },
        sells(async () => ({})),
      ),
      {
        code: 'service_unavailable',
      },
    )
  })

  test('what a crash left open is closed by what the chain says', async () => {
    const { ask, bank, gate, clock, ledger } = setUp()
    bank.failsAfter = lost()
    await assert.rejects(ask('paid'))
    bank.failsAfter = undefined
    bank.failsBefore = lost()
    await assert.rejects(ask('unpaid'))
    clock.advance(120_000)
    assert.equal(await gate.recover(new AbortController().signal), 1)
    assert.equal((await ledger.find('paid'))?.state, 'settled')
    assert.equal((await ledger.find('unpaid'))?.state, 'computed')
    bank.recoverFails = new PaymentRefused('payment-expired', 'It can no longer be taken.')
    clock.advance(120_000)
    assert.equal(await gate.recover(new AbortController().signal), 0)
    assert.equal(await ledger.find('unpaid'), undefined)
    assert.equal(bank.charges, 1)
  })
})

const base: Omit<PaidRequest, 'headers' | 'signal'> = {
  endpoint: 'echo',
  description: 'Repeat a word',
  price: parseUsd('0.05'),
  url: 'https://api.example/echo?say=hello',
  fingerprint: 'hello',
}
