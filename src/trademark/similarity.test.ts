import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { editDistance } from './edit-distance.ts'
import { jaroWinkler } from './similarity.ts'

/** The textbook algorithm with its whole table. */
function naiveOsa(a: string, b: string): number {
  const d = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i || j))
  for (let j = 0; j <= b.length; j++) d[0]![j] = j
  for (let i = 1; i <= a.length; i++) {
    d[i]![0] = i
    for (let j = 1; j <= b.length; j++) {
      d[i]![j] = Math.min(
        d[i - 1]![j]! + 1,
        d[i]![j - 1]! + 1,
        d[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? d[i - 2]![j - 2]! + 1 : Infinity,
      )
    }
  }
  return d[a.length]![b.length]!
}

/** As published: each letter of the longer text takes the first free partner. */
function naiveJaroWinkler(one: string, other: string): number {
  if (one === '' || other === '') return one === other ? 1 : 0
  const inOrder = one.length < other.length || (one.length === other.length && one <= other)
  const [short, long] = inOrder ? [one, other] : [other, one]
  const reach = Math.max(0, Math.floor(long.length / 2) - 1)
  const partner = new Map<number, number>()
  for (let j = 0; j < long.length; j++) {
    for (let i = 0; i < short.length; i++) {
      if (Math.abs(i - j) > reach || partner.has(i) || short[i] !== long[j]) continue
      partner.set(i, j)
      break
    }
  }
  const fromShort = [...partner.keys()].sort((x, y) => x - y).map((i) => short[i])
  const fromLong = [...partner.values()].sort((x, y) => x - y).map((j) => long[j])
  const common = partner.size
  if (common === 0) return 0
  const unordered = fromShort.filter((unit, at) => unit !== fromLong[at]).length
  const jaro = (common / short.length + common / long.length + (common - unordered / 2) / common) / 3
  let first = 0
  while (first < 4 && first < short.length && short[first] === long[first]) first++
  return jaro + first * 0.1 * (1 - jaro)
}

const letters = (maxLength: number, alphabet = 'abc') =>
  fc.array(fc.constantFrom(...alphabet.split('')), { maxLength }).map((list) => list.join(''))
const spellings = [letters(6, 'ab'), letters(12), letters(31, 'abcdefgh'), letters(40), letters(90, 'abcdefgh')]
const anything = fc.oneof(...spellings, fc.string({ unit: 'binary', maxLength: 60 }))
const pair = fc.tuple(anything, anything)
/** Close to each other, where the recurrences differ most. */
const nearPair = anything.chain((text) =>
  fc
    .array(fc.tuple(fc.nat({ max: 90 }), fc.nat({ max: 2 }), fc.constantFrom('a', 'b', 'c', 'x')), { maxLength: 4 })
    .map((edits): [string, string] => {
      const changed = text.split('')
      for (const [at, remove, insert] of edits) changed.splice(at, remove, insert)
      return [text, changed.join('')]
    }),
)

test('the distance of known pairs', () => {
  for (const [a, b, distance] of [
    ['', '', 0],
    ['', 'abc', 3],
    ['kodak', 'kodak', 0],
    ['kodak', 'kodack', 1],
    ['kodak', 'koadk', 1],
    ['kodak', 'codac', 2],
    ['ca', 'abc', 3],
    ['kitten', 'sitting', 3],
  ] as const)
    assert.equal(editDistance(a, b), distance, `${a} ${b}`)
})

test('Jaro–Winkler of the published pairs', () => {
  for (const [a, b, likeness] of [
    ['martha', 'marhta', 0.9611],
    ['dwayne', 'duane', 0.84],
    ['dixon', 'dicksonx', 0.8133],
    ['abc', 'abc', 1],
    ['abc', 'xyz', 0],
    ['', 'abc', 0],
    // Too far apart to be the same letter.
    ['z', `${'y'.repeat(69)}z`, 0],
  ] as const)
    assert.equal(Math.round(jaroWinkler(a, b) * 1e4) / 1e4, likeness, `${a} ${b}`)
})

test('the bit-parallel distance equals the textbook algorithm for any text', () => {
  fc.assert(
    fc.property(fc.oneof(pair, nearPair), ([a, b]) => {
      assert.equal(editDistance(a, b), naiveOsa(a.slice(0, 256), b.slice(0, 256)))
    }),
    { numRuns: 2000 },
  )
})

test('Jaro–Winkler equals the textbook algorithm for any text', () => {
  fc.assert(
    fc.property(fc.oneof(pair, nearPair), ([a, b]) => {
      assert.ok(Math.abs(jaroWinkler(a, b) - naiveJaroWinkler(a, b)) < 1e-12, `${jaroWinkler(a, b)}`)
    }),
    { numRuns: 2000 },
  )
})

test('both measures are symmetric, and perfect only for equal texts', () => {
  fc.assert(
    fc.property(fc.oneof(pair, nearPair), ([a, b]) => {
      assert.equal(editDistance(a, b), editDistance(b, a))
      assert.equal(jaroWinkler(a, b), jaroWinkler(b, a))
      assert.equal(editDistance(a, b) === 0, a === b)
      assert.equal(jaroWinkler(a, b) === 1, a === b)
    }),
    { numRuns: 1000 },
  )
})

test('of very long texts only the beginnings are compared', () => {
  assert.equal(editDistance('a'.repeat(1000), 'a'.repeat(300)), 0)
  assert.equal(editDistance(`b${'a'.repeat(1000)}`, 'a'.repeat(300)), 1)
})
