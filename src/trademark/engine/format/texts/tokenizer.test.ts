import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { tokenize } from '../../../tokenize.ts'
import { createTokenizer, type TokenizedText } from './tokenizer.ts'

function numbersOf({ bytes, begin, end }: TokenizedText): number[] {
  const numbers: number[] = []
  for (let at = begin; at < end;) {
    let byte = bytes[at++]!
    let value = byte & 127
    for (let shift = 7; byte > 127; shift += 7) value |= ((byte = bytes[at++]!) & 127) << shift
    numbers.push(value)
  }
  return numbers
}

const words = fc.array(fc.constantFrom("MOM'S", 'Big', 'big', 'GO', '24', '&', 'Café', "'", 'x'.repeat(70)), {
  maxLength: 12,
})

test('readAll gives every word as often as it occurs, read gives each once, and both number words alike', () => {
  fc.assert(
    fc.property(fc.array(words, { maxLength: 30 }), fc.boolean(), (texts, isBytes) => {
      const tokenizer = createTokenizer(0)
      const known: string[] = []
      const numberOf = (word: string) => (known.includes(word) ? known.indexOf(word) : known.push(word) - 1)
      for (const text of texts.map((parts) => parts.join(' '))) {
        // Only ASCII may come as bytes; there are other bytes around it.
        const bytes = Buffer.from(`..${text}..`)
        const input = isBytes && bytes.length === text.length + 4 ? { bytes, begin: 2, end: bytes.length - 2 } : text
        const tokens = tokenize(text)
        const expected = tokens.map(numberOf)
        const found = tokenizer.readAll(input)
        assert.deepEqual(numbersOf(found), expected)
        assert.equal(found.count, expected.length)
        const letters = tokens.join('')
        assert.equal(Buffer.from(found.bytes.slice(found.letters, found.letters + letters.length)).toString(), letters)
        assert.deepEqual(numbersOf(tokenizer.read(input)), [...new Set(expected)])
      }
      assert.equal(tokenizer.size(), known.length)
      for (const [number, word] of known.entries())
        assert.equal(tokenizer.bytes().toString('latin1', tokenizer.beginOf(number), tokenizer.endOf(number)), word)
    }),
  )
})
