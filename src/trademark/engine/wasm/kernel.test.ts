import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { seededRandom } from '../../../kernel/random.ts'
import { CHUNK_SIZE, createKernel, BITMAP_BYTES } from './kernel.ts'

// Unaligned on purpose; bytes around a result must not change.
const [A, B, OUT] = [3, 150_001, 300_007]
const kernel = createKernel(450_000)
const numbersFrom = (at: number) => new DataView(kernel.bytes.buffer, at)

function putList(at: number, values: Uint16Array): void {
  for (const [place, value] of values.entries()) numbersFrom(at).setUint16(place * 2, value, true)
}
function putMap(at: number, values: Uint16Array): void {
  kernel.bytes.fill(0, at, at + BITMAP_BYTES)
  for (const value of values) kernel.bytes[at + (value >>> 3)]! |= 1 << (value & 7)
}
const listAt = (at: number, length: number) =>
  Uint16Array.from({ length }, (_, place) => numbersFrom(at).getUint16(place * 2, true))
function mapAt(at: number): Uint16Array {
  const found: number[] = []
  for (let value = 0; value < CHUNK_SIZE; value++)
    if (((kernel.bytes[at + (value >>> 3)]! >>> (value & 7)) & 1) === 1) found.push(value)
  return Uint16Array.from(found)
}

/** Rising numbers of a chunk, from none to all, often those at its ends. */
const values = fc
  .record({
    seed: fc.nat(),
    share: fc.constantFrom(0, 0.0005, 0.01, 0.5, 1),
    few: fc.array(fc.constantFrom(0, 1, 63, 64, 127, 128, CHUNK_SIZE - 2, CHUNK_SIZE - 1), { maxLength: 4 }),
  })
  .map(({ seed, share, few }) => {
    const random = seededRandom(seed)
    const all = new Set(few)
    for (let value = 0; value < CHUNK_SIZE; value++) if (random.fraction() < share) all.add(value)
    return Uint16Array.from(all).sort()
  })

function check(holds: (a: Uint16Array, b: Uint16Array) => void): void {
  fc.assert(
    fc.property(values, values, (a, b) => {
      kernel.bytes.fill(0xa5)
      holds(a, b)
      assert.equal(kernel.bytes[OUT - 1], 0xa5)
      assert.equal(kernel.bytes.indexOf(0xa5, OUT + 2 * CHUNK_SIZE), OUT + 2 * CHUNK_SIZE)
    }),
    { numRuns: 12 },
  )
}

const inBoth = (a: Uint16Array, b: Uint16Array) => {
  const others = new Set(b)
  return a.filter((value) => others.has(value))
}
const inFirst = (a: Uint16Array, b: Uint16Array) => {
  const others = new Set(b)
  return a.filter((value) => !others.has(value))
}

suite('each kernel function equals plain code', () => {
  for (const [name, naive] of [
    ['both', inBoth],
    ['less', inFirst],
  ] as const)
    test(`${name}, to another address and in place`, () => {
      check((a, b) => {
        const expected = naive(a, b)
        putMap(A, a)
        putMap(B, b)
        assert.equal(kernel[name](A, B, OUT), expected.length)
        assert.deepEqual(mapAt(OUT), expected)
        assert.equal(kernel[name](A, B, A), expected.length)
        assert.deepEqual(mapAt(A), expected)
      })
    })

  test('sift, for numbers in the bitmap and for those that are not', () => {
    check((a, b) => {
      for (const wanted of [0, 1] as const) {
        const expected = wanted === 1 ? inBoth(a, b) : inFirst(a, b)
        putList(A, a)
        putMap(B, b)
        assert.equal(kernel.sift(A, a.length, B, wanted, OUT), expected.length)
        assert.deepEqual(listAt(OUT, expected.length), expected)
        assert.equal(kernel.sift(A, a.length, B, wanted, A), expected.length)
        assert.deepEqual(listAt(A, expected.length), expected)
      }
    })
  })

  test('seek', () => {
    check((a, b) => {
      const expected = inBoth(a, b)
      putList(A, a)
      putList(B, b)
      assert.equal(kernel.seek(A, a.length, B, b.length, OUT), expected.length)
      assert.deepEqual(listAt(OUT, expected.length), expected)
      assert.equal(kernel.seek(A, a.length, B, b.length, A), expected.length)
      assert.deepEqual(listAt(A, expected.length), expected)
    })
  })

  test('spread and gather are inverse', () => {
    check((a) => {
      putList(A, a)
      kernel.spread(A, a.length, B)
      assert.deepEqual(mapAt(B), a)
      assert.equal(kernel.gather(B, OUT), a.length)
      assert.deepEqual(listAt(OUT, a.length), a)
    })
  })
})
