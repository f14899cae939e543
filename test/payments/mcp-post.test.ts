import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as z from 'zod'
import { endpoint, route } from '../../src/kernel/endpoint.ts'
import { mcpMount } from '../../src/surfaces/mcp/mount.ts'
import { callTool, hasReceipt, type Meta, metaOf, mustAskForPayment, payForCall } from '../support/mcp-payments.ts'
import { startPaidRoutes } from '../support/paid-routes.ts'
import { fundedWallet, paidBy, payMpp, payX402, type Payer } from '../support/paid-wallets.ts'
import { quiet } from '../support/simulated-payments.ts'

const value = endpoint({
  name: 'valueAll',
  capability: { name: 'test', description: 'For tests.' },
  method: 'POST',
  path: '/v1/value-all',
  summary: 'Value names',
  description: 'For tests.',
  input: z.object({ names: z.array(z.string()).max(9).meta({ description: 'Which.' }) }),
  output: z.object({ count: z.number() }),
  errors: [],
  rate: 'counted',
  tool: true,
  price: { usd: '0.02', each: 'names' },
  example: { input: { names: ['a'] }, output: { count: 1 } },
})

const routes = [route(value, ({ names }) => ({ count: names.length }))]
const ONE = ['a']
const FIVE = ['a', 'b', 'c', 'd', 'e']

describe('a paid tool whose endpoint takes a POST', () => {
  let world: Awaited<ReturnType<typeof startPaidRoutes>>
  before(async () => {
    const options = { version: '0.0.0', host: '127.0.0.1', publicUrl: 'https://shop.example', log: quiet }
    world = await startPaidRoutes(() => routes, [mcpMount(routes, options)])
  })
  after(() => world.stop())

  const call = (names: string[], _meta?: Meta) =>
    callTool(world.url, { name: 'valueAll', arguments: { names }, ...(_meta && { _meta }) })
  const pay = async (names: string[], payer: Payer) => {
    const wallet = fundedWallet(world.chains)
    return { wallet, ...(await payForCall(await call(names), payer, wallet, world.clock)) }
  }

  for (const [name, payer] of [
    ['x402', payX402],
    ['MPP', payMpp],
  ] as const) {
    test(`${name}: can be paid for without a body digest`, async () => {
      const { wallet, meta } = await pay(FIVE, payer)
      assert.equal((await call(FIVE, meta)).result!.structuredContent!['count'], 5)
      assert.equal(paidBy(world.chains, wallet), 100_000n)
    })

    test(`${name}: the price of one name does not buy five`, async () => {
      const { wallet, meta } = await pay(ONE, payer)
      const refused = await call(FIVE, meta)
      mustAskForPayment(refused, payer === payMpp ? 'invalid-challenge' : 'payment-insufficient')
      assert.equal(paidBy(world.chains, wallet), 0n)
      assert.ok(hasReceipt(await call(ONE, meta)))
    })

    test(`${name}: a payment quoted and used over MCP gives over HTTP the same answer, and no other`, async () => {
      const { wallet, headers, meta } = await pay(ONE, payer)
      const token = 'T'.repeat(43)
      const bought = await call(ONE, { ...meta, 'onoma/payment-token': token })
      const same = await world.post('/v1/value-all', { names: ONE }, { ...headers, 'payment-token': token })
      assert.deepEqual([same.status, same.text], [200, bought.result!.content[0].text])
      assert.equal((await world.post('/v1/value-all', { names: ['b'] }, headers)).status, 402)
      assert.equal((await world.post('/v1/value-all', { names: FIVE }, headers)).status, 402)
      assert.equal(paidBy(world.chains, wallet), 20_000n)
    })
  }

  test('MPP: a challenge that names a body is not for a call without one', async () => {
    const wallet = fundedWallet(world.chains)
    const asked = await world.post('/v1/value-all', { names: ONE })
    const headers = await payMpp(asked, wallet, world.clock)
    mustAskForPayment(await call(ONE, metaOf(headers)), 'invalid-challenge')
    assert.equal((await world.post('/v1/value-all', { names: ONE }, headers)).status, 200)
  })
})
