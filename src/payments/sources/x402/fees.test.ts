import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { computeFees } from './fees.ts'

test('a transaction bids for gas that may become three times as dear, and a tip', () => {
  assert.deepEqual(computeFees(100n, 7n, 1_000_000n), { maxFeePerGas: 307n, maxPriorityFeePerGas: 7n })
  assert.deepEqual(computeFees(100n, 7n, 200n), { maxFeePerGas: 200n, maxPriorityFeePerGas: 7n })
  assert.deepEqual(computeFees(100n, 500n, 200n), { maxFeePerGas: 200n, maxPriorityFeePerGas: 100n })
})

test('never more than the cap, and always enough to be taken', () => {
  const price = fc.bigInt({ min: 0n, max: 2n ** 96n })
  fc.assert(
    fc.property(price, price, price, (basePrice, tip, room) => {
      const most = basePrice + room + 1n
      const { maxFeePerGas, maxPriorityFeePerGas } = computeFees(basePrice, tip, most)
      assert.ok(maxFeePerGas <= most && maxFeePerGas >= basePrice)
      assert.ok(maxPriorityFeePerGas >= 0n && maxPriorityFeePerGas <= maxFeePerGas - basePrice)
    }),
  )
})
