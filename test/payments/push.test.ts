import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { Challenge, Credential } from 'mppx'
import { keccak256 } from 'viem/utils'
import { ApiError } from '../../src/kernel/errors.ts'
import type { Hex } from '../../src/payments/scheme.ts'
import { QUICK } from '../support/paid-shop.ts'
import { fundedWallet, payMpp, payMppPush } from '../support/paid-wallets.ts'
import { hasReceipt, mustBeRefused, type PaidWorld, startPaidWorld } from '../support/paid-world.ts'

const AT_ONCE = 20
const DAY_MS = 24 * 60 * 60_000

suite('a client that has paid already (push)', () => {
  let world: PaidWorld
  before(async () => {
    world = await startPaidWorld()
  })
  after(() => world.stop())
  const goods = ({ item, tier }: { item: string; tier: string }) => ({ item, tier, serial: 1 })
  const buy = (item: string) => world.pay(payMppPush(world.chains), `/v1/goods/${item}`)

  test('gets its answer once, however often and from wherever it asks', async () => {
    const { wallet, headers, send } = await buy('once')
    const replies = await Promise.all(Array.from({ length: AT_ONCE }, send))
    assert.equal(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size, 1)
    assert.deepEqual([replies[0]!.status, hasReceipt(replies[0]!), world.runsOf('once')], [200, true, 1])
    mustBeRefused(await world.get('/v1/goods/another', headers), 'invalid-challenge')
    assert.equal(world.paidBy(wallet), QUICK)
  })

  test('is owed an answer while the work fails, and gets it with the same payment, also days later', async () => {
    const { wallet, send } = await buy('owed')
    world.shop.onWork(() => {
      throw new ApiError('service_unavailable', 'not now')
    })
    assert.equal((await send()).status, 503)
    world.shop.onWork(() => ({ error: 'site_timeout' }))
    const failed = await send()
    assert.deepEqual([failed.status, hasReceipt(failed)], [200, false])
    const owed = (await world.ledger.list(100)).find(({ details }) => details.payer === wallet.address.toLowerCase())
    assert.equal(owed?.state, 'claimed', 'the ledger still knows who is owed')
    world.shop.onWork(goods)
    world.clock.advance(2 * DAY_MS)
    const reply = await send()
    assert.deepEqual([reply.status, hasReceipt(reply)], [200, true], reply.text)
    assert.deepEqual([(await send()).text, world.paidBy(wallet)], [reply.text, QUICK])
  })

  test('is asked to wait while no node shows the transaction, and never to pay again', async () => {
    const { wallet, send } = await buy('lagging')
    world.chains.onLine(({ method }, ask) => (method === 'eth_getTransactionReceipt' ? null : ask()))
    for (const reply of [await send(), await send()]) {
      assert.equal(reply.status, 503, reply.text)
      assert.ok(reply.headers.has('retry-after'))
      assert.match((reply.body as { message: string }).message, /same payment again/)
    }
    world.chains.onLine()
    assert.equal((await send()).status, 200)
    assert.deepEqual([world.paidBy(wallet), world.runsOf('lagging')], [QUICK, 1])
  })

  test('cannot sell one transfer twice, as a signed transaction and as the hash of a sent one', async () => {
    for (const [first, second] of [
      ['pull', 'push'],
      ['push', 'pull'],
    ] as const) {
      const path = `/v1/goods/${first} ${second}`
      const [wallet, invited] = [fundedWallet(world.chains), await world.get(path)]
      const pull = await payMpp(invited, wallet, world.clock)
      const { payload } = Credential.deserialize(pull['authorization']!) as { payload: { signature: Hex } }
      if (first === 'push') await world.chains.tempo.answer('eth_sendRawTransactionSync', [payload.signature])
      else assert.equal((await world.get(path, pull)).status, 200)
      const hash = keccak256(payload.signature)
      const challenge = Challenge.deserialize(invited.headers.get('www-authenticate')!)
      const source = `did:pkh:eip155:4217:${wallet.address}`
      const push = { authorization: Credential.serialize({ challenge, payload: { type: 'hash', hash }, source }) }
      if (first === 'push') assert.equal((await world.get(path, push)).status, 200)
      mustBeRefused(await world.get(path, second === 'push' ? push : pull), 'invalid-challenge')
      assert.deepEqual([world.paidBy(wallet), world.runsOf(`${first} ${second}`)], [QUICK, 1])
    }
  })

  test('is not helped by the transaction of somebody else, or by that of another challenge', async () => {
    const { headers, send } = await buy('mine')
    const credential = Credential.deserialize(headers['authorization']!)
    const thief = fundedWallet(world.chains)
    const challenge = Challenge.deserialize((await world.get('/v1/goods/mine')).headers.get('www-authenticate')!)
    const stolen = [
      { ...credential, challenge },
      { ...credential, source: `did:pkh:eip155:4217:${thief.address}` },
    ]
    for (const each of stolen) {
      const reply = await world.get('/v1/goods/mine', { authorization: Credential.serialize(each) })
      mustBeRefused(reply, 'verification-failed')
    }
    assert.equal((await send()).status, 200)
  })
})

test('payments with one nonce: one of them is worked on, the others are refused', async (t) => {
  const world = await startPaidWorld()
  t.after(world.stop)
  const wallet = fundedWallet(world.chains)
  const fields = { nonceKey: 0n, nonce: 0, validBefore: undefined }
  const paths = Array.from({ length: AT_ONCE }, (_, at) => `/v1/goods/nonce ${at}`)
  const headers = await Promise.all(
    paths.map(async (path) => payMpp(await world.get(path), wallet, world.clock, { fields })),
  )
  const replies = await Promise.all(paths.map((path, at) => world.get(path, headers[at])))
  const refused = replies.filter(({ status }) => status !== 200)
  assert.equal(refused.length, AT_ONCE - 1)
  for (const reply of refused) mustBeRefused(reply, 'verification-failed')
  assert.deepEqual([world.paidBy(wallet), world.shop.runs.length], [QUICK, 1])
})
