import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { ApiError } from '../../src/kernel/errors.ts'
import { offerWhenReady } from '../../src/payments/scheme-readiness.ts'
import {
  callTool,
  errorOf,
  formatToolCall,
  hasReceipt,
  type Meta,
  mustAskForPayment,
  MPP_RECEIPT,
  payForCall,
  postMcp,
  TOKEN,
  X402_RECEIPT,
} from '../support/mcp-payments.ts'
import { FULL, QUICK } from '../support/paid-shop.ts'
import {
  fundedWallet,
  payMpp,
  payMppPush,
  payX402,
  payX402v1,
  type Payer,
  type X402Changes,
} from '../support/paid-wallets.ts'
import { type PaidWorld, startPaidWorld } from '../support/paid-world.ts'

const PAYERS: readonly (readonly [string, Payer])[] = [
  ['x402', payX402],
  ['MPP', payMpp],
]

describe('paid tools over MCP', () => {
  let world: PaidWorld
  before(async () => {
    world = await startPaidWorld()
  })
  after(() => world.stop())

  const call = (item: string, _meta?: Meta, more: { name?: string; tier?: string; signal?: AbortSignal } = {}) => {
    const { name = 'goods', tier, signal } = more
    return callTool(
      world.shop.url,
      { name, arguments: { item, ...(tier && { tier }) }, ...(_meta && { _meta }) },
      signal,
    )
  }
  /** A payment for the item by a new wallet, not sent yet. */
  const pay = async (item: string, payer: Payer, more: Parameters<typeof call>[2] = {}) => {
    const wallet = fundedWallet(world.chains)
    return { wallet, ...(await payForCall(await call(item, undefined, more), payer, wallet, world.clock)) }
  }
  const pathOf = (item: string) => `/v1/goods/${item}`

  for (const [name, payer] of PAYERS) {
    test(`${name}: are sold once, with a receipt and a token`, async () => {
      const { wallet, meta } = await pay(`sold ${name}`, payer)
      const { result } = await call(`sold ${name}`, meta)
      assert.equal(result!.structuredContent!['item'], `sold ${name}`)
      assert.deepEqual(JSON.parse(result!.content[0].text), result!.structuredContent)
      assert.equal(result!.isError, undefined)
      assert.match(String(result!._meta![TOKEN]), /^[\w-]{43}$/)
      if (payer === payX402) {
        const { success, transaction } = result!._meta![X402_RECEIPT] as Record<string, unknown>
        assert.equal(success, true)
        assert.match(String(transaction), /^0x[\da-f]{64}$/)
      } else {
        const { challenge } = meta['org.paymentauth/credential'] as { challenge: { id: string } }
        const { status, challengeId } = result!._meta![MPP_RECEIPT] as Record<string, unknown>
        assert.deepEqual([status, challengeId], ['success', challenge.id])
      }
      assert.equal(world.paidBy(wallet), QUICK)
    })

    test(`${name}: the same payment in ten calls at once pays once, and all get one answer`, async () => {
      const item = `parallel ${name}`
      const { wallet, meta } = await pay(item, payer)
      const replies = await Promise.all(Array.from({ length: 10 }, () => call(item, meta)))
      const answers = new Set(
        replies.filter(({ result }) => !result!.isError).map(({ result }) => result!.content[0].text),
      )
      assert.equal(answers.size, 1)
      assert.deepEqual([world.paidBy(wallet), world.runsOf(item)], [QUICK, 1])
    })

    test(`${name}: a payment used over HTTP buys nothing else over MCP, and the other way round`, async () => {
      const { wallet, headers, meta } = await pay(`http ${name}`, payer)
      const token = { 'payment-token': 'H'.repeat(43) }
      const bought = await world.get(pathOf(`http ${name}`), { ...headers, ...token })
      assert.equal(bought.status, 200)
      // The same request is the same purchase, through either door.
      const again = await call(`http ${name}`, { ...meta, [TOKEN]: token['payment-token'] })
      assert.equal(again.result!.content[0].text, bought.text)
      mustAskForPayment(await call(`http ${name} other`, meta), 'invalid-challenge')
      mustAskForPayment(await call(`http ${name}`, meta, { name: 'services' }), 'invalid-challenge')
      assert.equal(world.paidBy(wallet), QUICK)

      const other = await pay(`mcp ${name}`, payer)
      const first = await call(`mcp ${name}`, { ...other.meta, [TOKEN]: token['payment-token'] })
      assert.ok(hasReceipt(first))
      assert.equal((await world.get(pathOf(`mcp ${name} other`), other.headers)).status, 402)
      const fetched = await world.get(pathOf(`mcp ${name}`), { ...other.headers, ...token })
      assert.deepEqual([fetched.status, fetched.text], [200, first.result!.content[0].text])
      assert.deepEqual([world.paidBy(other.wallet), world.runsOf(`mcp ${name}`)], [QUICK, 1])
    })

    test(`${name}: one payment through both doors at once pays once`, async () => {
      const item = `doors ${name}`
      const { wallet, headers, meta } = await pay(item, payer)
      await Promise.all(
        [...Array(5).keys()].map((at) => (at % 2 ? call(item, meta) : world.get(pathOf(item), headers))),
      )
      assert.deepEqual([world.paidBy(wallet), world.runsOf(item)], [QUICK, 1])
    })

    test(`${name}: a payment for the cheap tier does not buy the full one, nor another tool`, async () => {
      const { wallet, meta } = await pay(`cheap ${name}`, payer)
      const full = await call(`cheap ${name}`, meta, { tier: 'full' })
      assert.equal(errorOf(full).error, 'payment_required')
      assert.ok(!hasReceipt(full))
      if (payer === payMpp)
        mustAskForPayment(await call(`cheap ${name}`, meta, { name: 'services' }), 'invalid-challenge')
      assert.deepEqual([world.paidBy(wallet), world.runsOf(`cheap ${name}`)], [0n, 0])
      // It was refused, not used up.
      assert.ok(hasReceipt(await call(`cheap ${name}`, meta)))
    })

    test(`${name}: a batch of calls with one payment buys one of them`, async () => {
      const items = ['a', 'b', 'c', 'a'].map((letter) => `batch ${name} ${letter}`)
      const { wallet, meta } = await pay(items[0]!, payer)
      const calls = items.map((item, at) => formatToolCall({ name: 'goods', arguments: { item }, _meta: meta }, at))
      const replies = await postMcp(world.shop.url, calls)
      assert.equal(replies.length, 4)
      const bought = new Set(replies.filter((reply) => hasReceipt(reply)).map(({ result }) => result!.content[0].text))
      assert.equal(bought.size, 1)
      assert.equal(world.paidBy(wallet), QUICK)
    })

    test(`${name}: work that fails is not charged, and the payment stays usable`, async () => {
      const item = `fails ${name}`
      const { wallet, meta } = await pay(item, payer)
      world.shop.onWork(() => {
        throw new ApiError('domain_not_found', 'There is none.')
      })
      assert.equal(errorOf(await call(item, meta)).error, 'domain_not_found')
      world.shop.onWork(() => ({ item, tier: 'quick', serial: 1, error: 'site_timeout' }))
      const uncharged = await call(item, meta)
      assert.deepEqual([uncharged.result!.isError, hasReceipt(uncharged)], [undefined, false])
      assert.equal(world.paidBy(wallet), 0n)
      world.shop.onWork((input) => ({ ...input, serial: 1 }))
      assert.ok(hasReceipt(await call(item, meta)))
      assert.equal(world.paidBy(wallet), QUICK)
    })

    test(`${name}: a client that hangs up after paying gets the answer by the same call`, async () => {
      const item = `lost ${name}`
      const { wallet, meta } = await pay(item, payer)
      const leaving = new AbortController()
      world.chains.onLine(async ({ method }, ask) => {
        if (method.startsWith('eth_sendRawTransaction')) {
          leaving.abort()
          world.chains.onLine()
          while (!world.shop.calls.at(-1)!.signal.aborted) await setImmediate()
        }
        return ask()
      })
      await assert.rejects(call(item, meta, { signal: leaving.signal }))
      await world.shop.calls.at(-1)!.done
      assert.equal(world.paidBy(wallet), QUICK)
      const found = await call(item, meta)
      assert.equal(found.result!.structuredContent!['item'], item)
      assert.deepEqual([world.paidBy(wallet), world.runsOf(item)], [QUICK, 1])
    })
  }

  test('x402: an answer that was delivered is fetched again with its token only', async () => {
    const { wallet, meta } = await pay('token', payX402)
    const first = await call('token', meta)
    const entryOf = async () =>
      (await world.ledger.list(1000)).find(({ details }) => details.payer === wallet.address.toLowerCase())
    while ((await entryOf())?.deliveredAt === undefined) await setImmediate()
    const refused = await call('token', meta)
    mustAskForPayment(refused, 'invalid-challenge')
    assert.match(errorOf(refused).message, /over MCP: onoma\/payment-token in _meta/)
    mustAskForPayment(await call('token', { ...meta, [TOKEN]: 'x'.repeat(43) }), 'invalid-challenge')
    const again = await call('token', { ...meta, [TOKEN]: first.result!._meta![TOKEN] })
    assert.deepEqual(again.result!.structuredContent, first.result!.structuredContent)
    assert.equal(world.paidBy(wallet), QUICK)
  })

  test('x402: a payment of version 1 is accepted, and its receipt has the place of version 2', async () => {
    const payer: Payer = (invited, wallet, clock) => {
      const { accepts } = invited.body as { accepts: [{ amount: string }] }
      const [quote] = accepts
      return payX402v1(
        { ...invited, body: { accepts: [{ ...quote, maxAmountRequired: quote.amount }] } },
        wallet,
        clock,
      )
    }
    const { wallet, meta } = await pay('version 1', payer)
    const { network } = (await call('version 1', meta)).result!._meta![X402_RECEIPT] as { network: string }
    assert.deepEqual([network, world.paidBy(wallet)], ['base', QUICK])
  })

  test('MPP push: the client makes the transfer itself, and names it in the call', async () => {
    const { wallet, meta } = await pay('push', payMppPush(world.chains))
    const bought = await call('push', meta)
    assert.ok(hasReceipt(bought))
    assert.equal(world.paidBy(wallet), QUICK)
  })

  const changes: Readonly<Record<string, X402Changes>> = {
    'pays too little': { value: QUICK - 1n },
    'pays somebody else': { to: `0x${'99'.repeat(20)}` },
    'says that it accepts a lower price': { value: 1n, accepted: { amount: '1' } },
    'has a foreign signature': { signature: `0x${'11'.repeat(65)}` },
    'has expired': { validBefore: 1n },
  }
  for (const [what, changed] of Object.entries(changes)) {
    test(`x402: a payment that ${what} buys nothing`, async () => {
      const payer: Payer = (invited, wallet, clock) => payX402(invited, wallet, clock, changed)
      const { wallet, meta } = await pay(what, payer)
      const refused = await call(what, meta)
      assert.equal(errorOf(refused).error, 'payment_required')
      assert.doesNotMatch(errorOf(refused).message, /waysToPay says/)
      assert.ok(!hasReceipt(refused))
      assert.deepEqual([world.paidBy(wallet), world.runsOf(what)], [0n, 0])
    })
  }

  test('MPP: a challenge whose price was changed is refused, with a fresh one', async () => {
    const { wallet, meta } = await pay('changed', payMpp)
    const credential = meta['org.paymentauth/credential'] as { challenge: { id: string; request: object } }
    const request = { ...credential.challenge.request, amount: '1' }
    const cheaper = { ...credential, challenge: { ...credential.challenge, request } }
    const refused = await call('changed', { 'org.paymentauth/credential': cheaper })
    mustAskForPayment(refused, 'invalid-challenge')
    assert.doesNotMatch(JSON.stringify(refused.result!._meta), new RegExp(credential.challenge.id))
    assert.equal(world.paidBy(wallet), 0n)
    // The members of the request may come in any order.
    const reordered = Object.fromEntries(Object.entries(credential.challenge.request).toReversed())
    const same = { ...credential, challenge: { ...credential.challenge, request: reordered } }
    assert.ok(hasReceipt(await call('changed', { 'org.paymentauth/credential': same })))
  })

  test('MPP: a malformed credential is invalid params, and nothing is asked for', async () => {
    const { meta } = await pay('malformed', payMpp)
    const credential = meta['org.paymentauth/credential'] as { challenge: object }
    for (const broken of [
      { ...credential, payload: undefined },
      { ...credential, payload: { type: 'transaction', signature: 'x' } },
      { ...credential, source: 'me' },
      { ...credential, challenge: { request: {} } },
      { ...credential, challenge: { ...credential.challenge, opaque: { a: 1 } } },
      'Payment abc',
    ]) {
      const { error } = await call('malformed', { 'org.paymentauth/credential': broken })
      assert.equal(error?.code, -32602, JSON.stringify(broken))
    }
    const other = { ...credential, challenge: { ...credential.challenge, method: 'stripe' } }
    const unsupported = errorOf(await call('malformed', { 'org.paymentauth/credential': other }))
    assert.match(String(unsupported['type']), /method-unsupported/)
    assert.equal(world.runsOf('malformed'), 0)
  })

  test('two payments at once are refused, and neither is taken', async () => {
    const [one, two] = [await pay('two', payX402), await pay('two', payMpp)]
    const { error } = await call('two', { ...one.meta, ...two.meta })
    assert.equal(error!.code, -32602)
    assert.match(error!.message, /one payment, not two/)
    assert.deepEqual([world.paidBy(one.wallet), world.paidBy(two.wallet), world.runsOf('two')], [0n, 0n, 0])
  })

  test('garbage in _meta gets a readable error, and the server goes on', async () => {
    /** The JSON of the `_meta` as it stands on the wire; JSON.stringify would refuse some of it. */
    const send = async (meta: string) => {
      const params = `{"name":"goods","arguments":{"item":"garbage"},"_meta":${meta}}`
      const [reply] = await postMcp(world.shop.url, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`)
      return reply!
    }
    const long = JSON.stringify('x'.repeat(200_000))
    for (const meta of [
      `{"x402/payment":${long}}`,
      `{"x402/payment":{"x402Version":2,"more":${long}}}`,
      `{"x402/payment":${'['.repeat(15_000)}${']'.repeat(15_000)}}`,
      `{"x402/payment":{"x402Version":2,"deep":${'['.repeat(15_000)}${']'.repeat(15_000)}}}`,
      `{"org.paymentauth/credential":${'{"a":'.repeat(15_000)}1${'}'.repeat(15_000)}}`,
      '{"x402/payment":{"__proto__":{"x402Version":2},"constructor":{"prototype":{}}}}',
    ]) {
      const { error } = await send(meta)
      assert.equal(error?.code, -32602)
      assert.ok(error.message.length < 200)
    }
    assert.match(errorOf(await send('{"x402/payment":{"x402Version":2,"payload":7}}')).message, /cannot be read/)
    assert.match((await send(`{"a":"${'x'.repeat(2 ** 20)}"}`)).error!.message, /at most/)
    mustAskForPayment(await send('{"__proto__":{"x402/payment":{}}}'), 'payment-required')
    assert.equal(world.runsOf('garbage'), 0)
  })

  test('a valid payment with any one member replaced is never sold for another price, and never an internal error', async () => {
    const paid = [await pay('fuzz', payX402), await pay('fuzz', payMpp)]
    const pathsOf = (value: unknown, path: readonly string[] = []): (readonly string[])[] =>
      typeof value === 'object' && value !== null
        ? [path, ...Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]))]
        : [path]
    const replace = (value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown =>
      name === undefined ? by : { ...(value as Meta), [name]: replace((value as Meta)[name], rest, by) }
    const cases = paid.flatMap(({ meta }) =>
      pathsOf(meta)
        .slice(1)
        .map((path) => ({ meta, path })),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...cases), fc.jsonValue({ maxDepth: 2 }), async ({ meta, path }, by) => {
        const { result, error } = await call('fuzz', replace(meta, path, by) as Meta)
        if (error) assert.equal(error.code, -32602)
        else if (result!.isError)
          assert.match(errorOf({ id: 1, result: result! }).error, /^(?:payment_required|invalid_request)$/)
        // What the seal and the signature do not cover may change.
        else assert.equal(result!.structuredContent!['item'], 'fuzz')
      }),
      { numRuns: 150 },
    )
    for (const { wallet } of paid) assert.ok(world.paidBy(wallet) <= QUICK)
  })

  test('invalid arguments are reported before money is asked for or taken', async () => {
    const { wallet, meta } = await pay('input', payX402)
    for (const _meta of [undefined, meta]) {
      const reply = await call('x'.repeat(41), _meta)
      assert.equal(errorOf(reply).error, 'invalid_parameter')
      assert.equal(reply.result!._meta, undefined)
    }
    assert.equal(world.paidBy(wallet), 0n)
  })

  test('equivalent arguments are the same purchase as over HTTP', async () => {
    const { wallet, headers, meta } = await pay('same', payMpp)
    const first = await call('same', meta, { tier: 'quick' })
    const second = await world.get('/v1/goods/same?tier=quick', headers)
    assert.equal(second.text, first.result!.content[0].text)
    assert.equal(world.paidBy(wallet), QUICK)
    const full = await pay('same', payMpp, { tier: 'full' })
    assert.ok(hasReceipt(await call('same', full.meta, { tier: 'full' })))
    assert.equal(world.paidBy(full.wallet), FULL)
  })
})

test('a paid call takes one unit of the rate limit and gives it back; calls that buy nothing use it up', async (t) => {
  const world = await startPaidWorld({ rateLimit: 2 })
  t.after(() => world.stop())
  const call = (item: string, _meta?: Meta) =>
    callTool(world.shop.url, { name: 'goods', arguments: { item }, ...(_meta && { _meta }) })
  const asked = await call('limited')
  const paid = await Promise.all(
    Array.from({ length: 6 }, () => payForCall(asked, payX402, fundedWallet(world.chains), world.clock)),
  )
  for (const { meta } of paid) assert.ok(hasReceipt(await call('limited', meta)))
  assert.equal(errorOf(await call('limited')).error, 'payment_required')
  const limited = errorOf(await call('limited'))
  assert.equal(limited.error, 'rate_limit_exceeded')
  assert.ok(Number(limited['retryAfterSeconds']) > 0)
  // Above the limit a signed payment still buys; one that is not signed does not.
  const late = await payForCall(asked, payX402, fundedWallet(world.chains), world.clock)
  assert.ok(hasReceipt(await call('limited', late.meta)))
  const forged: Payer = (invited, wallet, clock) =>
    payX402(invited, wallet, clock, { signature: `0x${'11'.repeat(65)}` })
  const bad = await payForCall(asked, forged, fundedWallet(world.chains), world.clock)
  for (let time = 0; time < 4; time++)
    assert.equal(errorOf(await call('limited', bad.meta)).error, 'rate_limit_exceeded')
})

test('while payments are not possible, a paid tool says why and when to ask again', async (t) => {
  const why = { reason: 'The Base node cannot be used.', retryAfterSeconds: 7 }
  const world = await startPaidWorld({ wrap: (scheme) => offerWhenReady(scheme, () => why) })
  t.after(() => world.stop())
  const reply = await callTool(world.shop.url, { name: 'goods', arguments: { item: 'a' } })
  const { error, message, retryAfterSeconds } = errorOf(reply)
  assert.deepEqual([error, retryAfterSeconds], ['service_unavailable', 7])
  assert.match(message, /nothing was charged\. The Base node cannot be used\./)
  assert.equal(reply.result!._meta, undefined)
})
