import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  bearer,
  type CreditShop,
  ECHO,
  newPaymentToken,
  payMpp,
  payX402,
  startCreditShop,
} from '../support/credit-shop.ts'
import type { Reply } from '../support/door.ts'

const HOUR_MS = 60 * 60 * 1000
const errorOf = ({ body }: Reply) => (body as { error: string }).error
const messageOf = ({ body }: Reply) => (body as { message: string }).message

describe('prepaid credit', () => {
  let shop: CreditShop
  before(async () => {
    shop = await startCreditShop()
  })
  after(() => shop.stop())

  for (const [name, payer] of [
    ['x402', payX402],
    ['MPP', payMpp],
  ] as const) {
    test(`${name} buys credit once, and requests draw on it without a call to a chain`, async () => {
      const had = shop.paid()
      const token = await shop.buy(5, payer)
      assert.match(token, /^onoma_credit_[\w-]{43}$/)
      assert.equal(shop.paid() - had, 5_000_000n)
      const asked = shop.chains.asked.length
      for (const left of ['4.95', '4.90']) {
        const reply = await shop.echo('hi', token)
        assert.equal(reply.status, 200, reply.text)
        assert.equal((reply.body as { said: string }).said, 'hi')
        assert.equal(reply.headers.get('credit-balance'), left)
        assert.equal(reply.headers.get('cache-control'), 'private')
      }
      assert.deepEqual(await shop.balance(token), {
        balance: '4.90',
        bought: '5.00',
        spent: '0.10',
        reserved: '0.00',
        state: 'usable',
        currency: 'USD',
        expiresAt: null,
      })
      assert.equal(shop.chains.asked.length, asked)
      assert.equal(shop.paid() - had, 5_000_000n)
    })
  }

  test('its price is its amount, in both protocols', async () => {
    const reply = await shop.invite(7)
    assert.equal(reply.status, 402)
    assert.match(messageOf(reply), /^This costs \$7\.00 /)
    const { accepts } = reply.body as { accepts: [{ maxAmountRequired: string }] }
    assert.equal(accepts[0].maxAmountRequired, '7000000')
    const request = /request="([\w-]+)"/.exec(reply.headers.get('www-authenticate')!)![1]!
    assert.equal(JSON.parse(Buffer.from(request, 'base64url').toString()).amount, '7000000')
  })

  test('the price of one amount does not buy another', async () => {
    const had = shop.paid()
    for (const payer of [payX402, payMpp]) {
      const reply = await shop.post('/v1/credit', { amount: 100 }, await shop.pay(1, payer))
      assert.equal(reply.status, 402, reply.text)
    }
    assert.equal(shop.paid(), had)
  })

  test('is stored without its token: neither the ledger nor a saved answer has it', async () => {
    const token = await shop.buy(1)
    const entries = await shop.ledger.list(1)
    assert.ok(entries[0]!.answer!.body.includes('"bought":"1.00"'))
    const stored = JSON.stringify(entries, (_name, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    assert.ok(!stored.includes(token.slice(-20)))
  })

  test('an answer that failed or carries error is not drawn', async () => {
    const token = await shop.buy(1)
    const failed = await shop.echo('fails', token)
    assert.equal(failed.status, 404)
    const uncharged = await shop.echo('errs', token)
    assert.equal(uncharged.status, 200)
    assert.equal(uncharged.headers.get('credit-balance'), null)
    const { balance, reserved } = await shop.balance(token)
    assert.deepEqual([balance, reserved], ['1.00', '0.00'])
  })

  test('an empty credit gets the price, the balance and both challenges with 402, and can still be looked at', async () => {
    const token = await shop.buy(1)
    for (let at = 0; at < 20; at++) assert.equal((await shop.echo(String(at), token)).status, 200)
    const runs = shop.runs.length
    const reply = await shop.echo('more', token)
    assert.equal(reply.status, 402)
    assert.equal(errorOf(reply), 'payment_required')
    assert.match(messageOf(reply), /^The credit has \$0\.00 left, and this costs \$0\.05; /)
    assert.ok(reply.headers.has('payment-required') && reply.headers.has('www-authenticate'))
    assert.equal(shop.runs.length, runs)
    assert.equal((await shop.balance(token))['balance'], '0.00')
  })

  test('of a hundred requests at once, as many are answered as the credit covers', async () => {
    const token = await shop.buy(1)
    const replies = await Promise.all(Array.from({ length: 100 }, (_, at) => shop.echo(`at once ${at}`, token)))
    assert.equal(replies.filter(({ status }) => status === 200).length, 20)
    assert.equal(replies.filter(({ status }) => status === 402).length, 80)
    const balances = replies.flatMap(({ headers }) => headers.get('credit-balance') ?? [])
    assert.equal(new Set(balances).size, 20)
    const { balance, spent, reserved } = await shop.balance(token)
    assert.deepEqual([balance, spent, reserved], ['0.00', '1.00', '0.00'])
  })

  describe('with an Idempotency-Key', () => {
    const key = (text: string) => ({ 'idempotency-key': text })

    test('the same request gets the same answer for a day, and is drawn once', async () => {
      const token = await shop.buy(1)
      shop.onWork(() => String(shop.runs.length))
      const first = await shop.echo('again', token, key('a'))
      const runs = shop.runs.length
      shop.clock.advance(23 * HOUR_MS)
      const second = await shop.echo('again', token, key('a'))
      assert.deepEqual([second.status, second.text], [200, first.text])
      assert.equal(second.headers.get('credit-balance'), '0.95')
      assert.equal(shop.runs.length, runs)
      shop.clock.advance(2 * HOUR_MS)
      await shop.ledger.prune(shop.clock.now())
      const later = await shop.echo('again', token, key('a'))
      assert.notEqual(later.text, first.text)
      assert.equal((await shop.balance(token))['spent'], '0.10')
      shop.onWork((say) => say)
    })

    test('another request with a used key is 409 and not drawn', async () => {
      const token = await shop.buy(1)
      assert.equal((await shop.echo('one', token, key('b'))).status, 200)
      const reply = await shop.echo('two', token, key('b'))
      assert.deepEqual([reply.status, errorOf(reply)], [409, 'idempotency_key_reused'])
      assert.match(messageOf(reply), /Idempotency-Key was used for another request/)
      assert.equal((await shop.balance(token))['spent'], '0.05')
    })

    test('requests at once with one key are worked on once and share the answer', async () => {
      const token = await shop.buy(1)
      const before = shop.runs.length
      const replies = await Promise.all(Array.from({ length: 20 }, () => shop.echo('shared', token, key('c'))))
      assert.equal(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size, 1)
      assert.equal(replies[0]!.status, 200)
      assert.equal(shop.runs.length - before, 1)
      assert.equal((await shop.balance(token))['spent'], '0.05')
    })

    test("another credit's key means nothing: neither its answer nor a conflict", async () => {
      const [mine, other] = [await shop.buy(1), await shop.buy(1)]
      assert.equal((await shop.echo('secret', mine, key('d'))).status, 200)
      const before = shop.runs.length
      assert.equal((await shop.echo('secret', other, key('d'))).status, 200)
      assert.equal(shop.runs.length - before, 1)
      assert.equal((await shop.echo('else', other, key('e'))).status, 200)
    })

    test('after a failure the same key works again', async () => {
      const token = await shop.buy(1)
      assert.equal((await shop.echo('fails', token, key('f'))).status, 404)
      assert.equal((await shop.echo('works', token, key('f'))).status, 200)
    })

    test('a key that is too long or has spaces is 400', async () => {
      const token = await shop.buy(1)
      for (const text of ['x'.repeat(129), 'a b']) assert.equal((await shop.echo('x', token, key(text))).status, 400)
      assert.equal((await shop.balance(token))['spent'], '0.00')
    })
  })

  test('a client that leaves before its answer is not charged', async () => {
    const token = await shop.buy(1)
    const left = Promise.withResolvers<void>()
    const began = Promise.withResolvers<void>()
    shop.onWork(async (say, { signal }) => {
      began.resolve()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      left.resolve()
      return say
    })
    const leaving = new AbortController()
    const request = fetch(shop.url + ECHO, { headers: bearer(token), signal: leaving.signal })
    await began.promise
    assert.equal((await shop.balance(token))['reserved'], '0.05')
    leaving.abort()
    await assert.rejects(request)
    await left.promise
    shop.onWork((say) => say)
    for (let look = 0; look < 1000 && (await shop.balance(token))['reserved'] !== '0.00'; look++);
    assert.equal((await shop.balance(token))['balance'], '1.00')
  })

  describe('attacks', () => {
    test('a token that was guessed, changed or of another service opens nothing', async () => {
      const token = await shop.buy(1)
      const changed = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')
      for (const guess of [
        changed,
        `onoma_credit_${'A'.repeat(43)}`,
        'onoma_credit_',
        `${token}x`,
        token.toUpperCase(),
      ]) {
        const reply = await shop.echo('guess', guess)
        // Without the prefix it is no token of ours: the request is simply not paid.
        const isOurs = /^onoma_credit_/i.test(guess)
        assert.equal(reply.status, isOurs ? 401 : 402, guess)
        if (isOurs) {
          assert.equal(errorOf(reply), 'invalid_token')
          assert.equal(reply.headers.get('www-authenticate'), 'Bearer realm="credit", error="invalid_token"')
        }
        assert.equal((await shop.get('/v1/credit', bearer(guess))).status, 401)
      }
      assert.equal((await shop.get('/v1/credit')).status, 401)
      assert.equal((await shop.balance(token))['spent'], '0.00')
    })

    test('a token in the query or the body is not accepted', async () => {
      const token = await shop.buy(1)
      assert.equal((await shop.get(`${ECHO}hi&token=${token}&access_token=${token}`)).status, 402)
      assert.equal((await shop.get(`/v1/credit?token=${token}&access_token=${token}`)).status, 401)
      assert.equal((await shop.post('/v1/credit', { amount: 1, token })).status, 402)
      assert.equal((await shop.balance(token))['spent'], '0.00')
    })

    test('a token and a payment in one request are 400, and neither is used', async () => {
      const token = await shop.buy(1)
      const had = shop.paid()
      for (const payer of [payX402, payMpp]) {
        const payment = await payer(await shop.get(`${ECHO}both`), shop.wallet, shop.clock)
        const authorization = [payment['authorization'], `Bearer ${token}`].filter(Boolean).join(', ')
        const reply = await shop.get(`${ECHO}both`, { ...payment, authorization })
        assert.equal(reply.status, 400, reply.text)
        assert.match(messageOf(reply), /not both/)
      }
      assert.equal(shop.paid(), had)
      assert.equal((await shop.balance(token))['spent'], '0.00')
      const two = await shop.get(`${ECHO}two`, { authorization: `Bearer ${token}, Bearer ${token}` })
      assert.equal(two.status, 400)
    })

    test('credit does not buy credit', async () => {
      const token = await shop.buy(5)
      const reply = await shop.post('/v1/credit', { amount: 1 }, bearer(token))
      assert.equal(reply.status, 400)
      assert.match(messageOf(reply), /Credit cannot be bought with credit/)
      assert.equal((await shop.balance(token))['balance'], '5.00')
    })

    test('an amount that is no whole number of dollars within the bounds is 400 before a price is quoted', async () => {
      for (const amount of ['0', '-5', '1e9', '101', '5.5', '"5"', 'null', '[5]', 'true']) {
        const reply = await shop.post('/v1/credit', `{"amount":${amount}}`)
        assert.equal(reply.status, 400, amount)
        assert.ok(!reply.headers.has('payment-required'), amount)
      }
      assert.equal((await shop.post('/v1/credit', '{"amount":NaN}')).status, 400)
      assert.equal((await shop.post('/v1/credit', '{}')).status, 400)
      assert.equal((await shop.post('/v1/credit', '{"amount":5,"amount":1}')).status, 400)
    })

    test('HEAD is never drawn', async () => {
      const token = await shop.buy(1)
      const { status } = await fetch(`${shop.url}${ECHO}head`, { method: 'HEAD', headers: bearer(token) })
      assert.equal(status, 402)
      assert.equal((await shop.balance(token))['spent'], '0.00')
    })

    test('who rebuilds an x402 payment from the chain does not get the token, the buyer does', async () => {
      const headers = await shop.pay(3)
      const { 'payment-token': own, ...payment } = headers
      const first = await shop.post('/v1/credit', { amount: 3 }, headers)
      assert.equal(first.status, 200)
      const without = await shop.post('/v1/credit', { amount: 3 }, payment)
      assert.equal(without.status, 400)
      assert.match(messageOf(without), /Payment-Token/)
      for (let attempt = 0; attempt < 3; attempt++) {
        const stranger = await shop.post(
          '/v1/credit',
          { amount: 3 },
          { ...payment, 'payment-token': newPaymentToken() },
        )
        assert.equal(stranger.status, 402, stranger.text)
        assert.ok(!stranger.text.includes('onoma_credit_'))
      }
      const again = await shop.post('/v1/credit', { amount: 3 }, { ...payment, 'payment-token': own })
      assert.deepEqual([again.status, again.text], [200, first.text])
      shop.clock.advance(25 * HOUR_MS)
      await shop.ledger.prune(shop.clock.now())
      const late = await shop.post('/v1/credit', { amount: 3 }, { ...payment, 'payment-token': own })
      assert.equal(late.status, 402)
      assert.equal((await shop.balance((first.body as { token: string }).token))['balance'], '3.00')
    })

    test('an x402 payment without a token of the buyer is not taken, and can be sent again with one', async () => {
      const { 'payment-token': own, ...payment } = await shop.pay(2)
      const had = shop.paid()
      assert.equal((await shop.post('/v1/credit', { amount: 2 }, payment)).status, 400)
      assert.equal(shop.paid(), had)
      const reply = await shop.post('/v1/credit', { amount: 2 }, { ...payment, 'payment-token': own })
      assert.equal(reply.status, 200)
      assert.equal(shop.paid() - had, 2_000_000n)
    })
  })

  test('a payment that the chain has dropped for good ends its credit, and says so', async () => {
    const token = await shop.buy(1)
    const [entry] = await shop.ledger.list(1)
    await shop.ledger.recheck(entry!.key, 'lost')
    const reply = await shop.echo('lost', token)
    assert.equal(reply.status, 402)
    assert.match(messageOf(reply), /^The chain has dropped the payment that bought this credit/)
    const { balance, state } = await shop.balance(token)
    assert.deepEqual([balance, state], ['0.00', 'lost'])
    await shop.ledger.recheck(entry!.key, { transaction: entry!.receipt!.transaction })
    assert.equal((await shop.echo('found', token)).status, 200)
  })
})
