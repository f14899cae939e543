import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QUICK } from '../support/paid-shop.ts'
import { fundedWallet, payX402 } from '../support/paid-wallets.ts'
import { startPaidWorld } from '../support/paid-world.ts'

const PATH = '/v1/goods/a'

test('a client that signs anew for an identifier it has paid under gets 409, and is charged once', async (t) => {
  const world = await startPaidWorld()
  t.after(world.stop)
  const wallet = fundedWallet(world.chains)
  const named = (id: string) => ({ whole: { extensions: { 'payment-identifier': { info: { required: false, id } } } } })
  const pay = async (id: string, from = wallet) => payX402(await world.get(PATH), from, world.clock, named(id))
  const first = await pay('order_0123456789abcdef')
  const answer = await world.get(PATH, first)
  assert.equal(answer.status, 200)
  // The same payment again is the same answer; another one under its name is not taken.
  const token = { 'payment-token': answer.headers.get('payment-token')! }
  assert.equal((await world.get(PATH, { ...first, ...token })).text, answer.text)
  const second = await world.get(PATH, await pay('order_0123456789abcdef'))
  assert.deepEqual([second.status, (second.body as { error: string }).error], [409, 'payment_identifier_conflict'])
  assert.deepEqual([world.paidBy(wallet), world.runsOf('a')], [QUICK, 1])
  // Names belong to one payer.
  const other = await pay('order_0123456789abcdef', fundedWallet(world.chains))
  assert.equal((await world.get(PATH, other)).status, 200)
  assert.equal((await world.get(PATH, await pay('order_fedcba9876543210'))).status, 200)
})
