import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { blockValueAt, openBlocks, encodeBlocks, decodeBlocks } from './blocks.ts'
import { openBitPacked, bitPack, valueAt } from './bit-packed.ts'

test('a bit-packed array gives back its values', () => {
  const numbers = fc
    .integer({ min: 0, max: 30 })
    .chain((bits) => fc.array(fc.nat(2 ** bits), { minLength: 1, maxLength: 200 }))
  fc.assert(
    fc.property(numbers, (values) => {
      const largest = values.reduce((max, value) => Math.max(max, value))
      const packed = openBitPacked(bitPack(values.length, largest, (at) => values[at]!))
      assert.deepEqual(
        values.map((_, at) => valueAt(packed, at)),
        values,
      )
    }),
    { numRuns: 500 },
  )
})

test('a block array gives back its values, and consecutive values need no residuals', () => {
  const far = fc.array(fc.nat(2 ** 32 - 1), { maxLength: 200 })
  const near = fc.tuple(fc.nat(2 ** 31), fc.array(fc.nat(50), { maxLength: 200 })).map(([start, steps]) => {
    let value = start
    return steps.map((step) => (value += step))
  })
  fc.assert(
    fc.property(fc.oneof(far, near), (values) => {
      const packed = encodeBlocks(Uint32Array.from(values))
      assert.deepEqual([...decodeBlocks(packed)], values)
      const blocks = openBlocks(packed)
      assert.equal(blocks.length, values.length)
      assert.deepEqual(
        values.map((_, at) => blockValueAt(blocks, at)),
        values,
      )
    }),
    { numRuns: 1000 },
  )
  assert.equal(encodeBlocks(Uint32Array.from({ length: 6400 }, (_, at) => 7 + at)).length, 1 + 2 * 100 + 1)
})
