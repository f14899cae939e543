import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { encodeFunctionResult, parseAbi } from 'viem/utils'
import { QUICK } from '../support/paid-shop.ts'
import { payX402 } from '../support/paid-wallets.ts'
import { startPaidWorld } from '../support/paid-world.ts'

const PATH = '/v1/goods/a'
const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000f'
const ORACLE = parseAbi(['function getL1Fee(bytes data) view returns (uint256)'])

async function open(t: TestContext) {
  const world = await startPaidWorld()
  t.after(world.stop)
  return world
}

test('gas that costs more than a quarter of the price: 503 before the work, and the payment stays usable', async (t) => {
  const world = await open(t)
  const { wallet, send } = await world.pay(payX402, PATH)
  // 105,000 gas at 0.1 gwei and $5,000 an ether cost five cents, and the answer two.
  world.chains.base.setBaseFee(100_000_000n)
  const reply = await send()
  assert.deepEqual([reply.status, world.runsOf('a'), world.paidBy(wallet)], [503, 0, 0n])
  world.chains.base.setBaseFee(5_000_000n)
  assert.equal((await send()).status, 200)
  assert.deepEqual([world.runsOf('a'), world.paidBy(wallet)], [1, QUICK])
})

test('a higher price covers gas that a lower one does not', async (t) => {
  const world = await open(t)
  world.chains.base.setBaseFee(20_000_000n)
  const cheap = await world.pay(payX402, PATH)
  const dear = await world.pay(payX402, `${PATH}?tier=full`)
  assert.deepEqual([(await cheap.send()).status, (await dear.send()).status], [503, 200])
})

test("the chain's fee for data on Ethereum counts as gas", async (t) => {
  const world = await open(t)
  let l1FeeWei = 10n ** 12n
  world.chains.onLine(({ method, params }, ask) => {
    const [call] = params as [{ to?: string }]
    if (method !== 'eth_call' || call.to?.toLowerCase() !== GAS_PRICE_ORACLE) return ask()
    return encodeFunctionResult({ abi: ORACLE, result: l1FeeWei })
  })
  const { send } = await world.pay(payX402, PATH)
  assert.deepEqual([(await send()).status, world.runsOf('a')], [503, 0])
  l1FeeWei = 10n ** 10n
  assert.equal((await send()).status, 200)
})
