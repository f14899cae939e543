import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { FeedError } from '../../auction-house.ts'
import { jsonListReader } from './json-list.ts'
import { lineReader } from './lines.ts'

function read(pieces: readonly string[], list?: string): unknown[] {
  const reader = jsonListReader(list)
  const found = pieces.flatMap((piece) => [...reader.push(piece)])
  reader.end()
  return found.map((text) => JSON.parse(text) as unknown)
}
function cut(text: string, places: readonly number[]): string[] {
  const at = [0, ...places.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b), text.length]
  return at.slice(1).map((end, index) => text.slice(at[index], end))
}

suite('a list in JSON', () => {
  const one = { a: 1, b: '}]"\\', c: { d: [1, { e: 2 }] } }
  const table: [string, string, string | undefined, unknown[]][] = [
    ['the document itself', JSON.stringify([one, one]), undefined, [one, one]],
    ['an empty list', '[]', undefined, []],
    ['the first member that is a list', JSON.stringify({ meta: { x: [9] }, data: [one] }), undefined, [one]],
    ['the named member', JSON.stringify({ other: [{ no: 1 }], data: [one] }), 'data', [one]],
    ['followed by other members', JSON.stringify({ data: [one], rest: [{ no: 1 }], n: 5 }), 'data', [one]],
    ['with values that are not objects', `[1, "x{", ${JSON.stringify(one)}, null]`, undefined, [one]],
  ]
  for (const [what, text, list, expected] of table) {
    test(`is found: ${what}`, () => {
      assert.deepEqual(read([text], list), expected)
      assert.deepEqual(read(text.split(''), list), expected, 'a character at a time')
    })
  }

  const bad: [string, string, string?][] = [
    ['it is truncated', '[{"a":1},{"b"'],
    ['it is truncated inside a string', '[{"a":1}],"x'],
    ['there is no list', '{"status":"error","message":"no key"}'],
    ['the named list is missing', '{"data":[{}]}', 'auction_list'],
    ['it is a web page', '<!doctype html><html></html>'],
    ['it closes more than it opened', '[]]'],
    ['it is nested too deeply', '['.repeat(1000)],
    ['a record is too long', `[{"a":"${'x'.repeat(2 * 1024 * 1024)}`],
  ]
  for (const [what, text, list] of bad) {
    test(`is rejected if ${what}`, () => assert.throws(() => read(cut(text, [1000, 5000, 1_500_000]), list), FeedError))
  }

  test('gives the same records however it is split into chunks', () => {
    const value = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), fc.array(fc.nat()), fc.boolean(), (wanted, places, wrapped) => {
        const text = JSON.stringify(wrapped ? { first: 1, list: wanted, last: 'x' } : wanted, null, places.length % 3)
        assert.deepEqual(read(cut(text, places), wrapped ? 'list' : undefined), JSON.parse(JSON.stringify(wanted)))
      }),
    )
  })

  test('of any text is parsed or rejected with a FeedError', () => {
    const text = fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', '\\', ':', ',', 'a', '1'), maxLength: 60 })
    fc.assert(
      fc.property(text, fc.array(fc.nat()), (any, places) => {
        try {
          const reader = jsonListReader(undefined)
          for (const piece of cut(any, places)) Array.from(reader.push(piece))
          reader.end()
        } catch (error) {
          assert.ok(error instanceof FeedError)
        }
      }),
    )
  })
})

test('lines do not depend on the chunks, and a line that is too long is rejected', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,9}$/)), fc.array(fc.nat()), (lines, places) => {
      const reader = lineReader()
      const text = lines.join('\r\n')
      const found = [...cut(text, places).flatMap((piece) => [...reader.push(piece)]), ...reader.end()]
      assert.deepEqual(found, lines)
    }),
  )
  assert.throws(() => Array.from(lineReader().push('x'.repeat(2 * 1024 * 1024))), FeedError)
})
