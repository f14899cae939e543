import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Reply } from '../support/door.ts'
import { FULL, openShop, QUICK } from '../support/paid-shop.ts'
import { fromBase64, fundedWallet, newWallet, PAYERS, payMpp, payX402 } from '../support/paid-wallets.ts'
import type { MppChanges, Wallet, X402Changes } from '../support/paid-wallets.ts'
import { hasReceipt, mustBeRefused, type PaidWorld, startPaidWorld } from '../support/paid-world.ts'

const SOMEBODY_ELSE = '0x2222222222222222222222222222222222222222'
const AT_ONCE = 20

describe('one payment is for one answer', () => {
  let world: PaidWorld
  before(async () => {
    world = await startPaidWorld()
  })
  after(() => world.stop())
  const goods = ({ item, tier }: { item: string; tier: string }) => ({ item, tier, serial: 1 })
  /** Waits for this many more requests: one that comes after the answer was delivered needs its token. */
  const allHaveCome = (count = AT_ONCE) => {
    const { length } = world.shop.calls
    return async () => {
      while (world.shop.calls.length < length + count) await setImmediate()
    }
  }
  /** What the ledger says of this wallet's payment. */
  const bookOf = async ({ address }: Wallet) =>
    (await world.ledger.list(1000)).find(({ details }) => details.payer.toLowerCase() === address.toLowerCase())?.state

  for (const [name, payer] of PAYERS) {
    test(`${name}: sent again for the same request it fetches the same answer, and is not charged again`, async () => {
      const item = `again ${name}`
      const { wallet, send } = await world.pay(payer, `/v1/goods/${item}`)
      const [first, second] = [await send(), await send()]
      assert.deepEqual([first.status, second.status, second.text], [200, 200, first.text])
      assert.equal(first.headers.get('cache-control'), 'private')
      assert.ok(hasReceipt(first) && hasReceipt(second))
      assert.deepEqual([world.paidBy(wallet), world.runsOf(item)], [QUICK, 1])
    })

    test(`${name}: for another request it is refused, and neither worked for nor charged`, async () => {
      const { wallet, headers, send } = await world.pay(payer, '/v1/goods/one')
      assert.equal((await send()).status, 200)
      const others = ['/v1/goods/other', '/v1/services/one', '/v1/goods/ONE']
      for (const other of others) mustBeRefused(await world.get(other, headers), 'invalid-challenge', other)
      assert.deepEqual([world.paidBy(wallet), world.runsOf('other')], [QUICK, 0])
    })

    test(`${name}: a request is the same however it is written, and asks for the same payment`, async () => {
      const item = `same ${name}`
      const path = `/v1/goods/${item}`
      const spellings = [path, `${path}?tier=quick`, `${path}?tier=`, `${path}?tier`, `${path}?x=1&tier=quick&y=`]
      const invited = await Promise.all(spellings.map((each) => world.get(each)))
      const resources = invited.map(({ headers }) => {
        const { resource } = fromBase64(headers.get('payment-required')!) as { resource: { url: string } }
        return resource.url
      })
      assert.deepEqual([...new Set(resources)], [`https://shop.example/v1/goods/${encodeURIComponent(item)}`])
      const wallet = fundedWallet(world.chains)
      const headers = await payer(invited[2]!, wallet, world.clock)
      const replies: Reply[] = []
      for (const each of spellings) {
        const token = replies[0]?.headers.get('payment-token')
        replies.push(await world.get(each, { ...headers, ...(token && { 'payment-token': token }) }))
      }
      assert.equal(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size, 1)
      assert.deepEqual([replies[0]!.status, world.paidBy(wallet), world.runsOf(item)], [200, QUICK, 1])
      mustBeRefused(await world.get(`${path}?tier=full`, headers), /insufficient|invalid-challenge/)
    })

    test(`${name}: after answers that carry error it buys exactly one answer`, async () => {
      const item = `error ${name}`
      world.shop.onWork(() => ({ error: 'site_timeout' }))
      const { wallet, headers, send } = await world.pay(payer, `/v1/goods/${item}`)
      for (const reply of [await send(), await world.get(`/v1/goods/other ${item}`, headers)]) {
        assert.deepEqual([reply.status, reply.text], [200, '{"error":"site_timeout"}'])
        assert.equal(reply.headers.get('cache-control'), 'no-store')
        assert.ok(!hasReceipt(reply))
      }
      assert.deepEqual([world.paidBy(wallet), await bookOf(wallet)], [0n, undefined])
      world.shop.onWork(goods)
      const [first, second] = [await send(), await send()]
      assert.deepEqual([first.status, second.text, hasReceipt(first)], [200, first.text, true])
      mustBeRefused(await world.get(`/v1/goods/other ${item}`, headers), 'invalid-challenge')
      assert.deepEqual([world.paidBy(wallet), await bookOf(wallet)], [QUICK, 'settled'])
    })

    test(`${name}: used at once while some answers carry error, it is charged for one answer`, async () => {
      const item = `some errors ${name}`
      let runs = 0
      const { wallet, send } = await world.pay(payer, `/v1/goods/${item}`)
      const haveCome = allHaveCome()
      world.shop.onWork(async (asked) => {
        await haveCome()
        return ++runs <= 3 ? { error: 'site_timeout' } : goods(asked)
      })
      const replies = await Promise.all(Array.from({ length: AT_ONCE }, send))
      const failed = replies.filter(({ text }) => text === '{"error":"site_timeout"}')
      const sold = replies.filter((reply) => !failed.includes(reply))
      assert.deepEqual([failed.length, failed.some(hasReceipt), runs], [3, false, 4])
      assert.deepEqual([new Set(sold.map(({ text }) => text)).size, sold.every(hasReceipt)], [1, true])
      assert.equal(world.paidBy(wallet), QUICK)
      world.shop.onWork(goods)
    })

    test(`${name}: used ${AT_ONCE} times at once for the same request, it is charged and worked for once`, async () => {
      const item = `at once ${name}`
      const { wallet, send } = await world.pay(payer, `/v1/goods/${item}`)
      const haveCome = allHaveCome()
      world.shop.onWork(async (asked) => {
        await haveCome()
        return goods(asked)
      })
      const replies = await Promise.all(Array.from({ length: AT_ONCE }, send))
      assert.equal(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size, 1)
      assert.equal(replies[0]!.status, 200)
      assert.deepEqual([world.paidBy(wallet), world.runsOf(item)], [QUICK, 1])
      world.shop.onWork(goods)
    })

    test(`${name}: used at once for ${AT_ONCE} requests, it buys one of them`, async () => {
      const { wallet, headers } = await world.pay(payer, '/v1/goods/first')
      const paths = Array.from({ length: AT_ONCE }, (_, at) => `/v1/goods/${name} ${at}`)
      const replies = await Promise.all(paths.map((path) => world.get(path, headers)))
      const refused = replies.filter(({ status }) => status !== 200)
      assert.equal(refused.length, AT_ONCE - 1)
      for (const reply of refused) mustBeRefused(reply, 'invalid-challenge')
      assert.equal(world.paidBy(wallet), QUICK)
      assert.equal(world.shop.runs.filter((item) => item.startsWith(`${name} `)).length, 1)
    })

    test(`${name}: the cheaper price does not buy the better answer, nor the other way round`, async () => {
      const path = `/v1/goods/tier ${name}`
      const cheap = await world.pay(payer, `${path}?tier=quick`)
      mustBeRefused(await world.get(`${path}?tier=full`, cheap.headers), /insufficient|invalid-challenge/)
      const dear = await world.pay(payer, `${path}?tier=full`)
      mustBeRefused(await world.get(`${path}?tier=quick`, dear.headers), /verification-failed|invalid-challenge/)
      assert.deepEqual([world.paidBy(cheap.wallet), world.paidBy(dear.wallet)], [0n, 0n])
      assert.equal(world.runsOf(`tier ${name}`), 0)
      assert.equal((await dear.send()).status, 200)
      assert.equal(world.paidBy(dear.wallet), FULL)
    })
  }

  test('an MPP challenge is for one endpoint; an x402 payment names none, and the first to come has it', async () => {
    const mpp = await world.pay(payMpp, '/v1/goods/scope')
    mustBeRefused(await world.get('/v1/services/scope', mpp.headers), 'invalid-challenge')
    const x402 = await world.pay(payX402, '/v1/goods/scope')
    assert.equal((await world.get('/v1/services/scope', x402.headers)).status, 200)
    mustBeRefused(await x402.send(), 'invalid-challenge')
    assert.deepEqual([world.paidBy(mpp.wallet), world.paidBy(x402.wallet)], [0n, QUICK])
  })

  test('who read a payment off the chain does not have it: without its signature no answer is given out', async () => {
    const { wallet, headers, send } = await world.pay(payX402, '/v1/goods/public')
    assert.equal((await send()).status, 200)
    const sent = JSON.parse(Buffer.from(headers['payment-signature']!, 'base64').toString()) as {
      payload: { signature: string }
    }
    const signature = `0x${'11'.repeat(64)}1b`
    const forged = { ...sent, payload: { ...sent.payload, signature } }
    const header = Buffer.from(JSON.stringify(forged)).toString('base64')
    const reply = await world.get('/v1/goods/public', { 'payment-signature': header })
    mustBeRefused(reply, 'invalid-challenge')
    assert.equal(world.paidBy(wallet), QUICK)
  })
})

describe('a payment that is not exactly what was asked for is refused before anything is done', () => {
  let world: PaidWorld
  before(async () => {
    world = await startPaidWorld()
  })
  after(() => world.stop())
  const now = () => BigInt(Math.floor(world.clock.now() / 1000))

  const x402: [string, string, () => X402Changes][] = [
    ['too little', 'payment-insufficient', () => ({ value: QUICK - 1n })],
    ['too much', 'verification-failed', () => ({ value: QUICK + 1n })],
    ['nothing', 'payment-insufficient', () => ({ value: 0n })],
    ['to somebody else', 'verification-failed', () => ({ to: SOMEBODY_ELSE })],
    ['signed for another chain', 'verification-failed', () => ({ domain: { chainId: 1 } })],
    ['signed for another token', 'verification-failed', () => ({ domain: { verifyingContract: SOMEBODY_ELSE } })],
    ['in another token, by its own words', 'verification-failed', () => ({ accepted: { asset: SOMEBODY_ELSE } })],
    ['on another chain, by its own words', 'verification-failed', () => ({ accepted: { network: 'eip155:1' } })],
    ['at another price, by its own words', 'verification-failed', () => ({ accepted: { amount: '1' } })],
    ['of another kind', 'verification-failed', () => ({ accepted: { scheme: 'upto' } })],
    ['expired', 'payment-expired', () => ({ validBefore: now() - 1n })],
    ['about to expire', 'payment-expired', () => ({ validBefore: now() + 5n })],
    ['not valid yet', 'verification-failed', () => ({ validAfter: now() + 60n })],
    ["out of somebody else's purse", 'verification-failed', () => ({ from: SOMEBODY_ELSE })],
    ['with another signature', 'verification-failed', () => ({ signature: `0x${'11'.repeat(64)}1b` })],
    ['with the mirror image of its signature', 'verification-failed', () => ({ signature: `0x${'f1'.repeat(64)}1b` })],
  ]
  for (const [what, problem, changes] of x402) {
    test(`x402: ${what}`, async () => {
      const wallet = fundedWallet(world.chains)
      const headers = await payX402(await world.get('/v1/goods/a'), wallet, world.clock, changes())
      mustBeRefused(await world.get('/v1/goods/a', headers), problem)
      assert.deepEqual([world.paidBy(wallet), world.runsOf('a')], [0n, 0])
    })
  }

  const mpp: [string, string, () => MppChanges][] = [
    ['too little', 'payment-insufficient', () => ({ amount: QUICK - 1n })],
    ['too much', 'verification-failed', () => ({ amount: QUICK + 1n })],
    ['to somebody else', 'verification-failed', () => ({ recipient: SOMEBODY_ELSE })],
    ['in another token', 'verification-failed', () => ({ token: SOMEBODY_ELSE })],
    ['signed for another chain', 'verification-failed', () => ({ fields: { chainId: 42_431 } })],
    ['expired', 'payment-expired', () => ({ fields: { validBefore: Number(now()) - 1 } })],
    ['about to expire', 'payment-expired', () => ({ fields: { validBefore: Number(now()) + 5 } })],
    ['for good', 'verification-failed', () => ({ fields: { validBefore: Number(now()) + 3600 } })],
    ['not valid yet', 'verification-failed', () => ({ fields: { validAfter: Number(now()) + 10 } })],
    ['with the memo of another challenge', 'invalid-challenge', () => ({ challengeId: 'A'.repeat(43) })],
    ['with a memo for another shop', 'invalid-challenge', () => ({ realm: 'other.example' })],
    ['without a memo of the kind', 'invalid-challenge', () => ({ memo: `0x${'00'.repeat(32)}` })],
    ['signed by somebody else', 'verification-failed', () => ({ key: newWallet().key })],
    ['in the name of somebody else', 'verification-failed', () => ({ source: `did:pkh:eip155:4217:${SOMEBODY_ELSE}` })],
    ['by a payer of another chain', 'malformed-credential', () => ({ source: `did:pkh:eip155:1:${SOMEBODY_ELSE}` })],
    ['for a challenge with another id', 'invalid-challenge', () => ({ challenge: { id: 'A'.repeat(43) } })],
    ['for a challenge of another realm', 'invalid-challenge', () => ({ challenge: { realm: 'other.example' } })],
    [
      'for a challenge made longer',
      'invalid-challenge',
      () => ({ challenge: { expires: '2027-01-01T00:00:00.000Z' } }),
    ],
    [
      'for a challenge made cheaper',
      'invalid-challenge',
      () => ({
        challenge: { request: { amount: '1', currency: SOMEBODY_ELSE, recipient: SOMEBODY_ELSE } },
        amount: 1n,
      }),
    ],
  ]
  for (const [what, problem, changes] of mpp) {
    test(`MPP: ${what}`, async () => {
      const wallet = fundedWallet(world.chains)
      const headers = await payMpp(await world.get('/v1/goods/a'), wallet, world.clock, changes())
      mustBeRefused(await world.get('/v1/goods/a', headers), problem)
      assert.deepEqual([world.paidBy(wallet), world.runsOf('a')], [0n, 0])
    })
  }

  test('MPP: for a challenge that has expired, though the transfer itself has not', async () => {
    const [wallet, invited] = [fundedWallet(world.chains), await world.get('/v1/goods/a')]
    world.clock.advance(5 * 60_000)
    mustBeRefused(await world.get('/v1/goods/a', await payMpp(invited, wallet, world.clock)), 'payment-expired')
    assert.deepEqual([world.paidBy(wallet), world.runsOf('a')], [0n, 0])
  })

  for (const [name, payer] of PAYERS) {
    test(`${name}: by a wallet with too little`, async () => {
      const wallet = fundedWallet(world.chains, QUICK - 1n)
      const headers = await payer(await world.get('/v1/goods/a'), wallet, world.clock)
      mustBeRefused(await world.get('/v1/goods/a', headers), 'payment-insufficient')
      assert.equal(world.runsOf('a'), 0)
    })
  }

  const neighbours: [string, { publicUrl?: string; secret?: string }][] = [
    ['a shop with another secret', { secret: 'the secret of the shop next door, and not of ours' }],
    ['a shop of another name with the same secret', { publicUrl: 'https://next-door.example' }],
  ]
  for (const [who, options] of neighbours) {
    test(`MPP: for a challenge of ${who}`, async (t) => {
      const { clock, chains, ledger } = world
      const neighbour = await openShop({ urls: chains.urls, clock, ledger, ...options })
      t.after(neighbour.stop)
      const wallet = fundedWallet(chains)
      const headers = await payMpp(await neighbour.get('/v1/goods/a'), wallet, clock)
      mustBeRefused(await world.get('/v1/goods/a', headers), 'invalid-challenge')
      assert.deepEqual([world.paidBy(wallet), world.runsOf('a')], [0n, 0])
      assert.equal((await neighbour.get('/v1/goods/a', headers)).status, 200)
    })
  }
})
