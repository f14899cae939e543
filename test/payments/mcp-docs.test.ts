import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import { callTool, errorOf, payForCall } from '../support/mcp-payments.ts'
import { fundedWallet, payMpp, payX402 } from '../support/paid-wallets.ts'
import { type PaidWorld, startPaidWorld } from '../support/paid-world.ts'

const page = readFileSync(new URL('../../docs/payments.md', import.meta.url), 'utf8')
const section = page.slice(page.indexOf('## Agents'), page.indexOf('## What a client can rely on'))
const blocks = [...section.matchAll(/```json\n(.*?)```/gs)].map(([, json]) => JSON.parse(json!) as Fields)

type Fields = Record<string, unknown>

/** Where values stand, without the values. What the page leaves out with `…` is not compared. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !['extensions', 'structuredContent'].includes(name))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, shapeOf(member)]),
  )
}

suite('the JSON that docs/payments.md shows to agents', () => {
  let world: PaidWorld
  before(async () => {
    world = await startPaidWorld()
  })
  after(() => world.stop())

  const [unpaid, text, byX402, byMpp, paid] = blocks as [Fields, Fields, Fields, Fields, Fields]
  const call = (meta: object = {}) => callTool(world.shop.url, { name: 'goods', arguments: { item: 'a' }, ...meta })

  test('has the shape of what an unpaid call gets', async () => {
    assert.equal(blocks.length, 5)
    const asked = await call()
    assert.deepEqual(shapeOf(unpaid), shapeOf(asked.result))
    const told = errorOf(asked)
    assert.deepEqual(shapeOf(text), shapeOf(told))
    assert.deepEqual(text['waysToPay'], told['waysToPay'])
    assert.equal(String(text['message']).replaceAll('valueDomain', 'goods'), told.message)
  })

  test('has the shape of payments and receipts', async () => {
    const receipts: Fields = {}
    for (const [documented, payer] of [
      [byX402, payX402],
      [byMpp, payMpp],
    ] as const) {
      const { meta } = await payForCall(await call(), payer, fundedWallet(world.chains), world.clock)
      const { 'onoma/payment-token': token, ...payment } = documented['_meta'] as Fields
      assert.deepEqual(Object.keys(payment), Object.keys(meta))
      const [[ours], [theirs]] = [Object.values(payment), Object.values(meta)] as [[Fields], [Fields]]
      assert.deepEqual(Object.keys(ours), Object.keys(theirs))
      assert.deepEqual(shapeOf(ours['payload']), shapeOf(theirs['payload']))
      assert.equal(token === undefined, documented === byMpp)
      const { result } = await call({ _meta: meta })
      Object.assign(receipts, result!._meta)
      assert.deepEqual(Object.keys(paid).toSorted(), Object.keys(result!).toSorted())
    }
    assert.deepEqual(shapeOf(paid['_meta']), shapeOf(receipts))
  })
})
