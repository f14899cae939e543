import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { raiseFees } from './pending-transactions.ts'

test('a replacement bids at least an eighth more, enough to be mined, and never above the cap', () => {
  const price = fc.bigInt({ min: 1n, max: 2n ** 64n })
  fc.assert(
    fc.property(price, price, price, price, price, (maxFeePerGas, share, basePrice, tip, most) => {
      const before = { maxFeePerGas, maxPriorityFeePerGas: share % (maxFeePerGas + 1n) }
      const raised = raiseFees(before, { basePrice, tip, extraWei: 0n }, most)
      if (!raised) return
      assert.ok(raised.maxFeePerGas <= most && raised.maxFeePerGas >= basePrice)
      assert.ok(raised.maxPriorityFeePerGas <= raised.maxFeePerGas)
      for (const field of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const)
        assert.ok(raised[field] * 8n >= before[field] * 9n, field)
    }),
  )
  const before = { maxFeePerGas: 80n, maxPriorityFeePerGas: 8n }
  assert.deepEqual(raiseFees(before, { basePrice: 10n, tip: 1n, extraWei: 0n }, 90n), {
    maxFeePerGas: 90n,
    maxPriorityFeePerGas: 9n,
  })
  assert.equal(raiseFees(before, { basePrice: 10n, tip: 1n, extraWei: 0n }, 89n), null)
})
