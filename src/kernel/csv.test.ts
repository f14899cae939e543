import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { CsvError, createCsvParser, type CsvRecord } from './csv.ts'

function read(pieces: readonly string[], delimiter?: string): CsvRecord[] {
  const reader = createCsvParser(delimiter)
  return [...pieces.flatMap((piece) => [...reader.push(piece)]), ...reader.end()]
}

const fieldsOf = (pieces: readonly string[]) => read(pieces).map(({ fields }) => fields)

/** Splits a text at these positions. */
function cut(text: string, places: readonly number[]): string[] {
  const at = [0, ...places.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b), text.length]
  return at.slice(1).map((end, index) => text.slice(at[index], end))
}

suite('CSV', () => {
  const table: [string, string, CsvRecord[]][] = [
    ['one line without an end', 'a,b', [{ line: 1, fields: ['a', 'b'] }]],
    [
      'both kinds of line ends',
      'a\r\nb\n',
      [
        { line: 1, fields: ['a'] },
        { line: 2, fields: ['b'] },
      ],
    ],
    ['quotes', '"a,1","b ""x"" y"\n', [{ line: 1, fields: ['a,1', 'b "x" y'] }]],
    [
      'line ends in quotes, which count as lines',
      '"a\r\nb",c\r\nd\n',
      [
        { line: 1, fields: ['a\r\nb', 'c'] },
        { line: 3, fields: ['d'] },
      ],
    ],
    ['a quote inside a field', 'a"b,c\n', [{ line: 1, fields: ['a"b', 'c'] }]],
    ['empty fields', ',,\n', [{ line: 1, fields: ['', '', ''] }]],
    ['an empty field in quotes', '""\n', [{ line: 1, fields: [''] }]],
    ['empty lines, left out but counted', '\n\r\na\n', [{ line: 3, fields: ['a'] }]],
  ]
  for (const [what, text, expected] of table)
    test(`is parsed: ${what}`, () => {
      assert.deepEqual(read([text]), expected)
      assert.deepEqual(read(text.split('')), expected, 'a character at a time')
    })

  test('may have another delimiter', () =>
    assert.deepEqual(read(['a;"b;c"\n'], ';'), [{ line: 1, fields: ['a', 'b;c'] }]))

  test('that ends inside a quote is rejected with the line of the opening quote', () => {
    assert.throws(
      () => read(['a\n', 'b,"c\nd\n']),
      (error) => error instanceof CsvError && /line 2/.test(error.message),
    )
  })

  test('with a quote that is never closed is rejected before it fills the memory', () => {
    const reader = createCsvParser()
    let taken = 0
    assert.throws(() => {
      for (; taken < 1000; taken++) Array.from(reader.push(taken === 0 ? '"' : 'x'.repeat(64 * 1024)))
    }, CsvError)
    assert.ok(taken < 10)
  })

  const field = fc.string({ unit: fc.constantFrom('a', 'b', ',', '"', '\n', '\r', ' ', 'é', ';'), maxLength: 8 })
  const records = fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), { maxLength: 6 })

  test('is parsed to what was formatted, wherever the chunks end', () => {
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
    fc.assert(
      fc.property(
        records,
        fc.array(fc.nat()),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        (wanted, places, end, bare) => {
          const written = (text: string) => (bare && /^[ab é;]+$/.test(text) ? text : quoted(text))
          const lines = wanted.map((fields) => fields.map(written).join(',') + end)
          assert.deepEqual(fieldsOf(cut(lines.join(''), places)), wanted)
        },
      ),
    )
  })

  test('of any text gives the same records, or the same error, wherever the chunks end', () => {
    const outcome = (pieces: string[]) => {
      try {
        return read(pieces)
      } catch (error) {
        assert.ok(error instanceof CsvError)
        return error.message
      }
    }
    const text = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r'), maxLength: 40 })
    fc.assert(
      fc.property(text, fc.array(fc.nat()), (any, places) =>
        assert.deepEqual(outcome(cut(any, places)), outcome([any])),
      ),
    )
  })

  test('has line numbers like those of an editor', () => {
    fc.assert(
      fc.property(records, (wanted) => {
        const texts = wanted.map((fields) => `${fields.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')}\n`)
        let line = 1
        const expected = texts.map((text) => {
          const began = line
          line += text.split('\n').length - 1
          return began
        })
        assert.deepEqual(
          read(texts).map((record) => record.line),
          expected,
        )
      }),
    )
  })
})
