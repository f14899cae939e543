import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { anyCase, caseXml, registerXml, type Case } from '../../../../test/support/trademark-xml.ts'
import { extractRecord, type Sparse } from '../../sources/office-xml/extract.ts'
import { RegisterError } from '../../sources/office-xml/register-error.ts'
import { createSplitter } from '../../sources/office-xml/split.ts'
import type { TrademarkRecord } from '../../record.ts'
import { decodePortion } from './portion.fixture.ts'
import { createPortionWriter } from './portion.ts'

type Found = readonly (TrademarkRecord | Sparse)[]
type Outcome = { readonly records: Found } | { readonly refused: string }

function outcomeOf(read: () => Found): Outcome {
  try {
    return { records: read() }
  } catch (error) {
    assert.ok(error instanceof RegisterError, String(error))
    return { refused: error.message }
  }
}

const chunksOf = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))

const extracted = (chunks: readonly Buffer[]) =>
  outcomeOf(() => {
    const splitter = createSplitter()
    const found = chunks.flatMap((chunk) => Array.from(splitter.push(chunk), extractRecord))
    splitter.end()
    return found
  })

let plain = 0
let others = 0
const throughPortions = (chunks: readonly Buffer[]) =>
  outcomeOf(() => {
    const writer = createPortionWriter()
    const splitter = createSplitter({ plain: writer.plain! })
    const portions = chunks.flatMap((chunk) => {
      for (const record of splitter.push(chunk)) {
        writer.add(extractRecord(record))
        others++
        plain--
      }
      return writer.take(false)
    })
    splitter.end()
    plain += splitter.records()
    return [...portions, ...writer.take(true)].flatMap(decodePortion)
  })

const words = fc
  .array(
    fc.oneof(
      {
        weight: 400,
        arbitrary: fc.constantFrom('SHOES', 'Hats', 'x', 'A&B', '"quoted"', "O'Larkin", '(CAPS)', 'A;', 'B.'),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom('café', '[', '*', '((', '&amp;', ' ', '\n', '\u{7f}', '\u{1}', '\u{a0}'),
      },
    ),
    { maxLength: 9 },
  )
  .map((parts) => parts.join(' '))
const mostly = (usual: readonly string[], rare: readonly string[]) =>
  fc.oneof({ weight: 150, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...rare) })
const day = mostly(
  ['20180218', '20240229', '20230229', '19000229', '20000229', '20210431', '20211231', '20210700', '00000000', ''],
  ['2018021', '201802181', '2018021x', ' 20180218'],
)
const number = mostly(['1', '2', '10', '007', '999999999', ''], ['1234567890', 'x', ' 1'])

/** Cases of which most are plain, with what makes one odd strewn in. */
const plainCase: fc.Arbitrary<Case> = fc.record({
  serial: mostly(['72244388', '00000001'], ['987', '', 'x']),
  transactionDate: fc.option(day),
  header: fc
    .record({
      'filing-date': day,
      'registration-date': day,
      'status-code': mostly(['700', '602'], ['6', '', 'x00']),
      'status-date': day,
      'mark-identification': words,
      'mark-drawing-code': fc.constantFrom('2000', '4000', '6000', ''),
      'attorney-name': words,
      'renewal-date': day,
    })
    .map((fields) => Object.entries(fields)),
  statements: fc.array(
    fc.record({
      type: mostly(['GS0091', 'GS0441', 'PM0001', 'DM0000'], ['MK0000', '', 'G', 'GS&amp;']),
      texts: fc.array(words, { minLength: 1, maxLength: 1 }),
    }),
    { maxLength: 5 },
  ),
  events: fc.array(fc.record({ words, date: day, number }), { maxLength: 9 }),
  classes: fc.array(
    fc.record({
      codes: fc.array(mostly(['009', '035', '200', '000', ''], ['9', 'A']), { maxLength: 2 }),
      usCodes: fc.constant([]),
    }),
    { maxLength: 4 },
  ),
  owners: fc.array(fc.record({ type: number, entry: number, name: words }), { maxLength: 3 }),
})

suite('records read in WebAssembly', () => {
  test('equal those of extractRecord, plain or not, however the file is cut into chunks', () => {
    plain = others = 0
    const some = fc.array(fc.oneof({ weight: 9, arbitrary: plainCase }, { weight: 1, arbitrary: anyCase }), {
      maxLength: 4,
    })
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 9000 }), (cases, size) => {
        const chunks = chunksOf(Buffer.from(registerXml(cases.map((one) => caseXml(one)))), size)
        assert.deepEqual(throughPortions(chunks), extracted(chunks))
      }),
      { numRuns: 600 },
    )
    assert.ok(plain > others, `${plain} records were plain, ${others} were not`)
  })

  test('equal those of extractRecord also if the file is damaged, or are refused for the same reason', () => {
    const pieces = [
      '<',
      '>',
      '/',
      '</',
      '/>',
      '<text>',
      '</text>',
      '<a/>',
      '<text/>',
      '&',
      '&lt;',
      '<!--',
      '<?a?>',
      ' ',
      '\0',
    ]
    const tags = [
      '<case-file>',
      '</case-file>',
      '<case-file-owner>',
      ' a="b"',
      '<party-name>',
      '<b></b>',
      '"',
      'é',
      '[',
    ]
    fc.assert(
      fc.property(
        plainCase,
        fc.constantFrom(...pieces, ...tags),
        fc.nat(),
        fc.nat(3),
        (one, piece, position, dropped) => {
          const whole = registerXml([caseXml(one), caseXml(one)])
          const at = position % whole.length
          const chunks = chunksOf(Buffer.from(whole.slice(0, at) + piece + whole.slice(at + dropped)), 2500)
          assert.deepEqual(throughPortions(chunks), extracted(chunks))
        },
      ),
      { numRuns: 1500 },
    )
  })

  test('come in the order of the file, also if there are more than fit into one portion', () => {
    const xml = (serial: number) =>
      `<case-file><serial-number>${serial}</serial-number><case-file-header><status-code>700</status-code>` +
      `<mark-identification>${serial % 7 === 0 ? 'CAFÉ' : 'NOVA'}</mark-identification></case-file-header></case-file>`
    const serials = Array.from({ length: 70_000 }, (_, at) => 70_000_000 + at)
    const chunks = chunksOf(Buffer.from(registerXml(serials.map(xml))), 1 << 20)
    const read = throughPortions(chunks)
    assert.ok('records' in read)
    assert.deepEqual(
      read.records.map(({ serial }) => Number(serial)),
      serials,
    )
  })

  test('are as long as a chunk, or longer than all buffers', () => {
    const xml = (goods: string) =>
      `<case-file><serial-number>70000001</serial-number><case-file-header><status-code>700</status-code>` +
      `<mark-identification>NOVA</mark-identification></case-file-header><case-file-statements><case-file-statement>` +
      `<type-code>GS0091</type-code><text>${goods}</text></case-file-statement></case-file-statements></case-file>`
    for (const length of [1 << 19, 1 << 20, 3 << 20])
      for (const size of [1 << 18, 1 << 20, 1 << 22]) {
        const chunks = chunksOf(Buffer.from(registerXml([xml('x'), xml('y'.repeat(length)), xml('z')])), size)
        const read = throughPortions(chunks)
        assert.deepEqual(read, extracted(chunks))
        assert.ok('records' in read && read.records.length === 3)
      }
  })
})
