import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { route } from '../../src/kernel/endpoint.ts'
import { paidEcho } from '../../src/payments/contract.ts'
import { creditRoutes } from '../../src/payments/credit-routes.ts'
import { mcpMount } from '../../src/surfaces/mcp/mount.ts'
import { bearer, ECHO, newPaymentToken } from '../support/credit-shop.ts'
import { errorOf, formatToolCall, hasReceipt, payForCall, postMcp } from '../support/mcp-payments.ts'
import { startPaidRoutes } from '../support/paid-routes.ts'
import { fundedWallet, payX402 } from '../support/paid-wallets.ts'
import { quiet } from '../support/simulated-payments.ts'

const BALANCE = 'onoma/credit-balance'
const echo = route(paidEcho, ({ say }) => ({
  said: say,
  at: '2026-11-15T12:00:00.000Z',
  ...(say === 'fails' && { error: 'site_timeout' }),
}))

describe('paid tools over MCP with prepaid credit', () => {
  let world: Awaited<ReturnType<typeof startPaidRoutes>>
  before(async () => {
    const options = { version: '0.0.0', host: '127.0.0.1', publicUrl: 'https://shop.example', log: quiet }
    world = await startPaidRoutes(
      (_clock, credits) => [echo, ...creditRoutes(() => credits)],
      [mcpMount([echo], options)],
    )
  })
  after(() => world.stop())

  const call = (say: string, _meta?: object) => ({ name: paidEcho.name, arguments: { say }, ...(_meta && { _meta }) })
  const post = (message: unknown, token?: string) =>
    postMcp(world.url, message, { headers: token ? bearer(token) : {} })
  async function buyCredit(): Promise<string> {
    const payment = await payX402(
      await world.post('/v1/credit', { amount: 1 }),
      fundedWallet(world.chains, 10_000_000n),
      world.clock,
    )
    const bought = await world.post('/v1/credit', { amount: 1 }, { ...payment, 'payment-token': newPaymentToken() })
    return (bought.body as { token: string }).token
  }
  const balance = async (token: string) =>
    ((await world.get('/v1/credit', bearer(token))).body as { balance: string }).balance

  test('every call of a request draws on the token of the request, and shows what is left', async () => {
    const token = await buyCredit()
    const [first, second] = await post([formatToolCall(call('a'), 1), formatToolCall(call('b'), 2)], token)
    for (const [reply, said] of [
      [first, 'a'],
      [second, 'b'],
    ] as const) {
      assert.equal(reply?.result?.structuredContent?.['said'], said, JSON.stringify(reply))
      assert.match(String(reply?.result?._meta?.[BALANCE]), /^0\.9/)
    }
    assert.equal(await balance(token), '0.90')
    assert.equal((await world.get(`${ECHO}c`, bearer(token))).status, 200)
    assert.equal(await balance(token), '0.85')
  })

  test('a call that fails is not drawn', async () => {
    const token = await buyCredit()
    const [reply] = await post(formatToolCall(call('fails')), token)
    assert.equal(JSON.parse(reply!.result!.content[0].text).error, 'site_timeout')
    assert.equal(await balance(token), '1.00')
  })

  test('a payment in the call is taken instead of the credit', async () => {
    const token = await buyCredit()
    const wallet = fundedWallet(world.chains)
    const [unpaid] = await post(formatToolCall(call('own')))
    const { meta } = await payForCall(unpaid!, payX402, wallet, world.clock)
    const [paid] = await post(formatToolCall(call('own', meta)), token)
    assert.ok(hasReceipt(paid!))
    assert.equal(await balance(token), '1.00')
  })

  test('an unknown token is an error that says so, and nothing is answered', async () => {
    const [reply] = await post(formatToolCall(call('x')), `onoma_credit_${'A'.repeat(43)}`)
    assert.equal(errorOf(reply!).error, 'invalid_token')
  })
})
