import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { BASE } from '../../src/payments/sources/x402/network.ts'
import { type Payer, payMpp, payX402 } from '../support/paid-wallets.ts'
import { startPaidWorld } from '../support/paid-world.ts'

const PATH = '/v1/goods/a'
const PRICES = ['eth_getBlockByNumber', 'eth_maxPriorityFeePerGas', 'eth_call', 'eth_call']
const TRIAL = ['eth_call', 'eth_call', 'eth_getCode', 'eth_call']
const SEND = ['eth_sendRawTransaction', 'eth_getTransactionReceipt']

/** A shop whose first payment, after which the nonce and the chain are known, was made. */
async function openUsedShop(t: TestContext) {
  const world = await startPaidWorld()
  t.after(world.stop)
  const callsOf = async (payer: Payer, meanwhileMs = 0): Promise<readonly string[]> => {
    const { send } = await world.pay(payer, PATH)
    world.shop.onWork(({ item, tier }) => {
      world.clock.advance(meanwhileMs)
      return { item, tier, serial: 1 }
    })
    const before = world.chains.asked.length
    assert.equal((await send()).status, 200)
    return world.chains.asked.slice(before).map(({ method }) => method)
  }
  await callsOf(payX402)
  await callsOf(payMpp)
  return { ...world, callsOf }
}

suite('what a payment asks the nodes', () => {
  test('x402: one trial, without gas prices that are younger than a block, and one transaction with its receipt', async (t) => {
    const { callsOf } = await openUsedShop(t)
    assert.deepEqual(await callsOf(payX402), [...TRIAL, ...SEND])
  })

  test('x402 after work that took longer than a block: a second trial, with new gas prices', async (t) => {
    const { callsOf, clock } = await openUsedShop(t)
    clock.advance(1000 * BASE.blockSeconds)
    const trial = [...TRIAL, ...PRICES]
    assert.deepEqual(await callsOf(payX402, 1000 * BASE.blockSeconds), [...trial, ...trial, ...SEND])
  })

  test('MPP: one simulation and one transaction', async (t) => {
    const { callsOf } = await openUsedShop(t)
    const simulation = ['eth_getTransactionReceipt', 'eth_call', 'eth_call']
    assert.deepEqual(await callsOf(payMpp), [...simulation, 'eth_sendRawTransactionSync'])
  })
})
