import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secureRandom, seededRandom } from '../../kernel/random.ts'
import { createBufferedRandom } from './buffered-random.ts'

test('the bytes of the source are used once each, and more are taken when they run out', () => {
  let taken = 0
  const bytes = (length: number) => {
    const words = new Uint32Array(length / 4).map((_, at) => at + taken / 4)
    taken += length
    // Big-endian, at an offset into a larger buffer as Buffers are.
    const buffer = Buffer.alloc(length + 8)
    for (const [at, word] of words.entries()) buffer.writeUInt32BE(word, 8 + 4 * at)
    return buffer.subarray(8)
  }
  const random = createBufferedRandom({ ...seededRandom(1), bytes })
  const drawn = Array.from({ length: 3000 }, () => random.fraction() * 2 ** 32)
  assert.deepEqual(
    drawn,
    Array.from(drawn, (_, at) => at),
  )
})

test('draws cover the whole range evenly', () => {
  const random = createBufferedRandom(secureRandom)
  const ids = Array.from({ length: 64_000 }, () => random.below(0x10000))
  const counts = Array.from({ length: 16 }, () => 0)
  for (const id of ids) counts[id >> 12]!++
  // 4,000 expected with a standard deviation of 61: a failure by chance has a probability below 1e-15.
  for (const count of counts) assert.ok(count > 3500 && count < 4500, counts.join(' '))
  assert.ok(ids.every((id) => Number.isInteger(id) && id >= 0 && id < 0x10000))
})
