import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { FeedError } from '../../auction-house.ts'
import { csvReader } from './csv.ts'

function read(pieces: readonly string[], delimiter = ','): string[][] {
  const reader = csvReader(delimiter)
  return [...pieces.flatMap((piece) => [...reader.push(piece)]), ...reader.end()]
}

/** Cuts a text at these places, wherever they are. */
function cut(text: string, places: readonly number[]): string[] {
  const at = [0, ...places.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b), text.length]
  return at.slice(1).map((end, index) => text.slice(at[index], end))
}

suite('CSV', () => {
  const table: [string, string, string[][]][] = [
    [
      'plain lines',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'no line end at the end',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'CRLF',
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['quotes', '"a,1","b ""x"" y"\n', [['a,1', 'b "x" y']]],
    [
      'line ends in quotes',
      '"a\r\nb",c\n1,2\n',
      [
        ['a\r\nb', 'c'],
        ['1', '2'],
      ],
    ],
    ['a quote inside a field', 'a"b,c\n', [['a"b', 'c']]],
    [
      'empty fields',
      ',,\n"",x,\n',
      [
        ['', '', ''],
        ['', 'x', ''],
      ],
    ],
    ['empty lines, which are left out', '\n\na\n\r\n', [['a']]],
    [
      'a quoted field, CRLF behind it',
      'x,"a"\r\ny,b\r\n',
      [
        ['x', 'a'],
        ['y', 'b'],
      ],
    ],
  ]
  for (const [what, text, expected] of table) {
    test(`is read: ${what}`, () => {
      assert.deepEqual(read([text]), expected)
      assert.deepEqual(read(text.split('')), expected, 'a character at a time')
    })
  }

  test('may have another delimiter', () => assert.deepEqual(read(['a;"b;c"\n'], ';'), [['a', 'b;c']]))

  test('that ends inside a quote is not complete, and one that never closes is given up', () => {
    assert.throws(() => read(['a,"b\nc,d\n']), FeedError)
    const reader = csvReader(',')
    assert.throws(() => {
      for (let more = 0; more < 40; more++) Array.from(reader.push(`"${'x'.repeat(64 * 1024)}`.slice(more ? 1 : 0)))
    }, FeedError)
  })

  const field = fc.string({ unit: fc.constantFrom('a', 'b', ',', '"', '\n', '\r', ' ', 'é', ';'), maxLength: 8 })
  const records = fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), { maxLength: 6 })

  test('comes back as it was written, wherever the pieces end', () => {
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
    fc.assert(
      fc.property(
        records,
        fc.array(fc.nat()),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        (wanted, places, end, bare) => {
          const written = (text: string) => (bare && /^[ab é;]+$/.test(text) ? text : quoted(text))
          const text = wanted.map((fields) => fields.map(written).join(',') + end).join('')
          assert.deepEqual(read(cut(text, places)), wanted)
        },
      ),
    )
  })

  test('of any text gives the same rows, or the same refusal, wherever the pieces end', () => {
    const outcome = (pieces: string[]) => {
      try {
        return read(pieces)
      } catch (error) {
        assert.ok(error instanceof FeedError)
        return 'refused'
      }
    }
    const text = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r'), maxLength: 40 })
    fc.assert(
      fc.property(text, fc.array(fc.nat()), (any, places) =>
        assert.deepEqual(outcome(cut(any, places)), outcome([any])),
      ),
    )
  })
})
