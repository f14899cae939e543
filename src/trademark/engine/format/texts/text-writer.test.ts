import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { seededRandom } from '../../../../kernel/random.ts'
import { tokenize } from '../../../tokenize.ts'
import type { Sections } from '../segment-file.ts'
import { encodePostingLists } from './posting-writer.ts'
import { createTokenBuffer, createTokenReader, type TokenBuffer } from './token-buffer.ts'
import { openTermDictionary } from './term-dictionary.ts'
import { sortedOrder, encodeRuns } from '../radix-sort.ts'
import { createTokenizer, type TokenizedText } from './tokenizer.ts'

/** Decodes varints. */
function numbersOf({ bytes, begin, end }: TokenizedText): number[] {
  const numbers: number[] = []
  for (let at = begin; at < end;) {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++]!
      value += (byte & 127) * scale
      if (byte < 128) break
    }
    numbers.push(value)
  }
  return numbers
}

const openOf = (sections: Sections) =>
  openTermDictionary('x', {
    documents: 0,
    numbers: (section) => sections[section] as Uint32Array,
    bytes: (section) => sections[section] as Uint8Array,
    read: () => {},
    tombstones: null,
    deletedFrequency: () => 0,
  })

suite('the tokenizer gives the words of tokenize, numbered in the order of first use', () => {
  const words = createTokenizer(5)
  const known = new Map<string, number>()
  function check(text: string): void {
    const tokens = [...new Set(tokenize(text))]
    for (const token of tokens) if (!known.has(token)) known.set(token, known.size)
    const read = words.read(text)
    assert.equal(read.count, tokens.length)
    assert.deepEqual(
      numbersOf(read),
      tokens.map((token) => known.get(token)! + 5),
    )
  }
  const sign = fc.constantFrom(...Array.from('aAzZ019 \'’-.,"`&@[{/:é™ßİıﬁ①٣Ａ\u0301\ud83d\u0000\u007f\n'))
  const texts: [string, fc.Arbitrary<string>][] = [
    ['for characters with rules of their own', fc.string({ unit: sign, maxLength: 40 })],
    ['for ASCII', fc.string({ unit: 'binary-ascii', maxLength: 60 })],
    ['for any string', fc.string({ unit: 'binary', maxLength: 40 })],
  ]
  for (const [kind, text] of texts)
    test(kind, () => {
      fc.assert(fc.property(text, check), { numRuns: 2000 })
    })
  test('for long texts and very many words', () => {
    for (const unit of ['A b', "o'x", 'é ', 'word ']) check(unit.repeat(50_000))
    check(Array.from({ length: 30_000 }, (_, at) => (at * 7).toString(36)).join(' '))
    for (let from = 0; from < 300_000; from += 100)
      check(Array.from({ length: 100 }, (_, at) => `w${((from + at) * 31) % 200_000}`).join('; '))
  })
  test('and the term dictionary finds the words', () => {
    assert.equal(words.size(), known.size)
    const find = openOf(words.finish('x'))
    for (const [word, number] of known) if (find(word) !== number) assert.equal(find(word), number, word)
    for (const word of ['', 'no such word', 'zzzzz9', 'é']) assert.equal(find(word), -1)
  })
})

test('the radix sort equals a plain sort, and its runs give back the keys', () => {
  const key = fc.oneof(fc.nat(3), fc.nat(2 ** 31 - 1), fc.constantFrom(65_535, 65_536, 2 ** 32 - 1))
  fc.assert(
    fc.property(fc.array(fc.tuple(key, key), { maxLength: 50 }), (pairs) => {
      const [first, second] = [0, 1].map((at) => Uint32Array.from(pairs, (pair) => pair[at as 0 | 1])) as [
        Uint32Array,
        Uint32Array,
      ]
      const order = sortedOrder(first, second)
      const plain = [...pairs.keys()].sort((a, b) => first[a]! - first[b]! || second[a]! - second[b]! || a - b)
      assert.deepEqual([...order], plain)
      const { values, ends } = encodeRuns(first, order)
      const decoded = [...values].flatMap((value, at) => Array(ends[at]! - (ends[at - 1] ?? 0)).fill(value) as number[])
      assert.deepEqual(
        decoded,
        plain.map((at) => first[at]),
      )
    }),
  )
})

suite('the token buffer', () => {
  const random = seededRandom(8)
  const texts = Array.from({ length: 300 }, (_, at) => ({
    extra: random.below(3) - 1,
    numbers: Array.from({ length: at === 7 ? 70_000 : random.below(40) }, () =>
      Math.floor(2 ** (31 * random.fraction())),
    ),
  }))
  const fill = (collection: ReturnType<typeof createTokenBuffer>) => {
    for (const { numbers, extra } of texts) {
      const bytes = numbers.flatMap(bytesOf)
      collection.add(
        { count: numbers.length, bytes: Uint8Array.from([9, ...bytes]), begin: 1, end: bytes.length + 1 },
        extra,
      )
    }
    return collection
  }
  /** Reads these texts in steps, and checks that they are right. */
  const check = (tokens: TokenBuffer, asked: readonly number[], step: number) => {
    const read = createTokenReader(tokens, Uint32Array.from(asked), step, 2 * step)
    for (let first = 0; first < asked.length; first += step) {
      const some = asked.slice(first, first + step)
      const { words, ends, count } = read(first, some.length)
      let end = 0
      for (const [at, number] of some.entries()) {
        const { numbers, extra } = texts[number]!
        const expected = extra < 0 ? numbers : [extra, ...numbers]
        assert.deepEqual([...words.subarray(end, ends[at])], expected)
        end += expected.length
      }
      assert.equal(count, end)
    }
  }
  const orders = [[299, 7, 7, 0], [7], [...texts.keys()].toReversed(), []]

  test('gives back any texts in any order', () => {
    const tokens = fill(createTokenBuffer()).done()
    for (const asked of orders) for (const step of [300, 64]) check(tokens, asked, step)
  })

  test('gives them back from its spill file, of which no name is left', (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'onoma-trademark-'))
    context.after(() => rmSync(folder, { recursive: true, force: true }))
    const collection = fill(createTokenBuffer(join(folder, 'tokens'), null, 1 << 10))
    const tokens = collection.done()
    // Only the last block, and those of texts too long for one, stay in memory.
    assert.ok(tokens.blocks.length > 10)
    assert.ok(tokens.blocks.slice(0, -1).every((block) => block === null || block.length > 1 << 10))
    assert.deepEqual(readdirSync(folder), [])
    for (const asked of orders) for (const step of [300, 64, 16]) check(tokens, asked, step)
    collection.close()
  })
})

test('posting lists are the same whether they are built at once or in parts', () => {
  const random = seededRandom(9)
  const count = 60
  const collection = createTokenBuffer()
  const documents = 70_000
  for (let at = 0; at < documents; at++) {
    const numbers = Array.from({ length: count }, (_, word) => word).filter(
      (word) => random.fraction() < 1 / (word + 2),
    )
    collection.add({ count: numbers.length, bytes: Uint8Array.from(numbers), begin: 0, end: numbers.length }, -1)
  }
  const order = sortedOrder(Uint32Array.from({ length: documents }, () => random.below(1000)))
  const build = (partWords?: number) => {
    const { ends, lists } = encodePostingLists(collection.done(), order, count, partWords)
    const parts = [...lists]
    return { ends, parts: parts.length, bytes: Buffer.concat(parts.map((part) => Buffer.from(part.buffer))) }
  }
  const whole = build()
  assert.equal(whole.parts, 1)
  for (const partWords of [1, 5000]) {
    const { ends, parts, bytes } = build(partWords)
    assert.ok(parts > 5)
    assert.deepEqual(ends, whole.ends)
    assert.ok(bytes.equals(whole.bytes))
  }
})

/** Encodes a varint. */
function bytesOf(value: number): number[] {
  return value > 127 ? [128 | (value & 127), ...bytesOf(value >>> 7)] : [value]
}
