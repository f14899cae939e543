import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { editDistance, writeUnits } from '../../../edit-distance.ts'
import { similarityOf, maxSimilarity } from '../../../similarity.ts'
import { formsOf } from '../../../../../test/support/fts5-oracle/word-forms.ts'
import { intersect, union } from '../set-operations.ts'
import { createInterner } from './interner.ts'
import { compilePattern } from './edit-distance.ts'
import { eachHashSkipping, hashOfText, hashSkipping } from '../hash.ts'
import { popCount, letterMask, letterMaskOfText, letterParity } from './letter-masks.ts'
import { sortByKey } from '../radix-sort.ts'
import { sortAlphabetically } from './sort-words.ts'
import { anyValueAt, buildHashTable, openHashTable, bucketOf, matchingValueAt } from './hash-table.ts'

const list = fc.uniqueArray(fc.nat(60), { maxLength: 40 }).map((values) => Uint32Array.from(values).sort())
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'z', '0', '9'), minLength: 1, maxLength: 40 })
const bytesOf = (text: string) => Buffer.from(text, 'latin1')

test('the union of lists equals that of plain sets', () => {
  fc.assert(
    fc.property(fc.array(list, { minLength: 1, maxLength: 5 }), (lists) => {
      const all = [...new Set(lists.flatMap((one) => [...one]))].sort((a, b) => a - b)
      assert.deepEqual([...union(lists)], all)
    }),
  )
})

test('the intersection of lists and bitmaps equals that of plain sets', () => {
  const lists = fc.array(list, { maxLength: 3 })
  fc.assert(
    fc.property(lists, lists, fc.nat(9), (some, more, max) => {
      fc.pre(some.length + more.length > 0)
      const sets = [...some, ...more].map((one) => new Set(one))
      const bitmaps = more.map((one) => {
        const bits = new Uint32Array(2)
        for (const value of one) bits[value >>> 5]! |= 1 << (value & 31)
        return bits
      })
      const isEven = (value: number) => value % 2 === 0
      const common = [...sets[0]!].filter((value) => isEven(value) && sets.every((set) => set.has(value)))
      assert.deepEqual(intersect(some, bitmaps, isEven, max), common.sort((a, b) => a - b).slice(0, max))
    }),
    { numRuns: 500 },
  )
})

test('lists longer than a batch are intersected to their end', () => {
  const every = (step: number) => Uint32Array.from({ length: Math.ceil(100_000 / step) }, (_, at) => at * step)
  const bitmap = new Uint32Array(100_000 / 32)
  for (const value of every(5)) bitmap[value >>> 5]! |= 1 << (value & 31)
  const found = intersect([every(3), every(2)], [bitmap], () => true, 10_000)
  assert.deepEqual(found, [...every(30)])
})

test('an interner numbers strings as a Map would, however large it grows', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), fc.nat(9000), (texts, more) => {
      const dictionary = createInterner()
      const map = new Map<string, number>()
      for (const text of [...texts, ...Array.from({ length: more }, (_, at) => at.toString(36)), ...texts]) {
        if (!map.has(text)) map.set(text, map.size)
        assert.equal(dictionary.numberOf(text), map.get(text))
      }
      const { bytes, ends } = dictionary.trimmed()
      assert.equal(Buffer.from(bytes).toString('latin1'), [...map.keys()].join(''))
      assert.equal(ends.length, map.size)
    }),
    { numRuns: 20 },
  )
})

test('the edit distance to bytes equals that of the strings', () => {
  fc.assert(
    fc.property(word, fc.array(word, { minLength: 1, maxLength: 4 }), (one, others) => {
      const { distanceTo } = compilePattern(one)
      for (const other of others) {
        assert.equal(distanceTo(bytesOf(`x${other}y`), 1, 1 + other.length), editDistance(one, other))
        // Preparing another word in between must not matter.
        assert.equal(compilePattern(other).distanceTo(bytesOf(one), 0, one.length), editDistance(one, other))
      }
    }),
    { numRuns: 500 },
  )
})

test('words are sorted alphabetically, and the radix sort is stable', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 50 }), fc.array(fc.nat(2 ** 32 - 1)), (texts, keys) => {
      const dictionary = createInterner()
      for (const text of texts) dictionary.numberOf(text)
      const { bytes, ends } = dictionary.trimmed()
      assert.deepEqual(
        Array.from(sortAlphabetically(bytes, ends), (number) => texts[number]),
        texts.toSorted((a, b) => (a < b ? -1 : 1)),
      )
      const order = Uint32Array.from(keys.keys())
      assert.deepEqual(
        [...sortByKey(order, (at) => keys[at]!, 2 ** 32 - 1)],
        [...order].sort((a, b) => keys[a]! - keys[b]! || a - b),
      )
    }),
  )
})

test('a hash table finds the values of a hash in insertion order, and few others', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(2 ** 32 - 1), fc.nat(1000)), { maxLength: 300 }), (entries) => {
      const emit = (put: (hash: number, value: number) => void) => entries.forEach(([hash, value]) => put(hash, value))
      const written = buildHashTable(entries.length, 1000, emit)
      const table = openHashTable(written.starts, written.values.bits)
      assert.equal(table.starts.at(-1), entries.length)
      const isOtherBucket = (one: number, other: number) => bucketOf(table, one) !== bucketOf(table, other)
      for (const [hash] of entries) {
        const place = bucketOf(table, hash)
        const places = Array.from(
          { length: table.starts[place + 1]! - table.starts[place]! },
          (_, at) => table.starts[place]! + at,
        )
        const there = entries.filter(([other]) => !isOtherBucket(hash, other))
        assert.deepEqual(
          places.map((at) => anyValueAt(table, at)),
          there.map(([, value]) => value),
        )
        assert.deepEqual(
          places.map((at) => matchingValueAt(table, at, hash)),
          there.map(([other, value]) => ((other ^ hash) % 16 === 0 ? value : -1)),
        )
      }
    }),
  )
})

test('hashing with a letter skipped equals hashing the deletion form', () => {
  fc.assert(
    fc.property(word, fc.nat(39), (text, place) => {
      const left = place % (text.length + 1)
      const form = text.slice(0, left) + text.slice(left + 1)
      assert.equal(hashSkipping(bytesOf(text), 0, text.length, left), hashOfText(form))
      assert.ok(left === text.length || text.length < 3 || text.length > 31 || formsOf(text).includes(form))
    }),
  )
})

test('the hashes with each letter skipped are those of the different deletion forms', () => {
  fc.assert(
    fc.property(word, (text) => {
      const found: number[] = []
      eachHashSkipping(bytesOf(text), 0, text.length, (hash) => found.push(hash))
      const places = Array.from(text, (_, at) => at).filter((at) => at === 0 || text[at] !== text[at - 1])
      assert.deepEqual(
        found,
        places.map((at) => hashSkipping(bytesOf(text), 0, text.length, at)),
      )
    }),
  )
})

test('differing bits of letter masks are a lower bound of the edit distance', () => {
  fc.assert(
    fc.property(word, word, (one, other) => {
      assert.equal(letterMask(bytesOf(one), 0, one.length) >>> 0, letterMaskOfText(one))
      assert.ok(popCount(letterMaskOfText(one) ^ letterMaskOfText(other)) <= 2 * editDistance(one, other))
    }),
  )
  assert.equal(popCount(-1), 32)
})

test('differing parity bits are a lower bound of the edit distance', () => {
  fc.assert(
    fc.property(word, word, (one, other) => {
      const bits = letterParity(bytesOf(one), 0, one.length) ^ letterParity(bytesOf(other), 0, other.length)
      assert.ok(popCount(bits) <= 2 * editDistance(one, other))
    }),
  )
})

test('no similarity exceeds the bound from the lengths', () => {
  fc.assert(
    fc.property(word, word, (one, other) => {
      const units = new Uint16Array(80)
      const middle = writeUnits(one, units)
      const end = writeUnits(other, units, middle)
      assert.ok(similarityOf(units, 0, middle, units, middle, end) <= maxSimilarity(one.length, other.length))
    }),
  )
})
