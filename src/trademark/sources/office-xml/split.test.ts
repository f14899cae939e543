import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { anyCase, caseXml, registerXml } from '../../../../test/support/trademark-xml.ts'
import { RegisterError } from './register-error.ts'
import { createSplitter } from './split.ts'

/** Splits a text that arrives in chunks of these sizes; the last size repeats. */
function split(text: string | Buffer, sizes: readonly number[] = [Infinity], maxRecordBytes?: number): string[] {
  const bytes = Buffer.from(text)
  const splitter = createSplitter(maxRecordBytes === undefined ? {} : { maxRecordBytes })
  const found: string[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const end = at + (sizes[Math.min(turn, sizes.length - 1)] ?? 1)
    for (const record of splitter.push(bytes.subarray(at, end))) found.push(record.toString())
    at = end
  }
  splitter.end()
  return found
}

const record = (text: string) => `<case-file><serial-number>${text}</serial-number></case-file>`
const FILE = registerXml([record('1'), record('2'), record('3')])

test('records are found wherever chunks end', () => {
  const records = [record('1'), record('2'), record('3')]
  for (const size of [1, 2, 3, 5, 7, 11, 12, 13, 64, 1000, Infinity]) assert.deepEqual(split(FILE, [size]), records)
  for (let at = 1; at < FILE.length; at++) assert.deepEqual(split(FILE, [at, Infinity]), records, `cut at ${at}`)
  fc.assert(
    fc.property(
      fc.array(anyCase, { maxLength: 3 }),
      fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1 }),
      (cases, sizes) => {
        const written = cases.map((one) => caseXml(one))
        assert.deepEqual(split(registerXml(written), sizes), written)
      },
    ),
  )
})

test('a record of megabytes over many chunks is complete, and one above the limit is rejected', () => {
  const large = record('x'.repeat(3_000_000))
  assert.deepEqual(split(registerXml([record('1'), large, record('2')]), [65_536]), [record('1'), large, record('2')])
  assert.throws(() => split(registerXml([large]), [65_536], 1_000_000), /record 1 is larger than 1000000 bytes/)
  assert.throws(() => split(registerXml([large]), [Infinity], 1_000_000), /record 1 is larger/)
})

test('a file without cases, with a byte order mark or an empty case is accepted', () => {
  assert.deepEqual(split(registerXml([])), [])
  for (const size of [1, 2, 3, 4, 100]) assert.deepEqual(split(`\u{feff}${FILE}`, [size]).length, 3)
  assert.deepEqual(split(registerXml([record('1'), '<case-file/>', record('2')])).length, 2)
})

test('a file truncated anywhere is rejected', () => {
  const bytes = Buffer.from(FILE.trimEnd())
  for (let end = 0; end < bytes.length; end++) {
    assert.throws(() => split(bytes.subarray(0, end), [37]), RegisterError, `cut off after ${end} bytes`)
  }
  assert.throws(() => split(FILE.slice(0, FILE.indexOf('3</serial'))), /cut off in the middle of record 3/)
  assert.throws(() => split(FILE.slice(0, FILE.indexOf('</action-keys'))), /cut off after record 3/)
})

suite('what the register never contains is rejected with a RegisterError', () => {
  const type = (inside: string) => `<!DOCTYPE trademark-applications-daily [${inside}]>`
  const refused: [string, string, RegExp][] = [
    ['an entity', registerXml([], type('<!ENTITY a "b">')), /declares entities/],
    ['an entity from a file', registerXml([], type('<!ENTITY a SYSTEM "file:///etc/passwd">')), /declares entities/],
    ['an entity of the document type', registerXml([], type('<!ENTITY % a "b">%a;')), /declares entities/],
    ['a reference to one', registerXml([], type('%a;')), /refers to entities/],
    ['a hidden entity', registerXml([], type('<!ELEMENT a (b)><!-- --><!ENTITY a "b">')), /declares entities/],
    ['a notation', registerXml([], type('<!NOTATION a SYSTEM "b">')), /never does/],
    ['an entity in an attribute', registerXml([], type('<!ATTLIST a b CDATA "&c;">')), /never does/],
    ['an endless comment', registerXml([], type(`<!-- ${'x'.repeat(2_000_000)}`)), /no end|never does/],
    ['a second root', `${FILE}<more/>`, /goes on after its end/],
    ['text after the end', `${FILE}more`, /goes on after its end/],
    ['a second document type', FILE.replace('<action-keys>', '<action-keys><!DOCTYPE a>'), /in the middle/],
    ['a web page', '<!DOCTYPE html><html><body>Not found</body></html>', /web page/],
    ['a web page without type', '<html><body>Not found</body></html>', /web page/],
    ['another document', '<feed></feed>', /begins with <feed>/],
    ['no XML', 'serial,mark\n1,A', /not XML/],
    ['another encoding', FILE.replace('utf-8', 'utf-16'), /encoded as utf-16/],
    ['tags that do not pair', FILE.replace('</file-segments>', '</file-segment>'), /closes what was not open/],
    ['too deep a nest', FILE.replace('<action-keys>', '<a>'.repeat(100)), /nested too deep/],
    ['a tag without end', `<trademark-applications-daily ${'x'.repeat(2_000_000)}`, /no end/],
  ]
  for (const [name, text, reason] of refused) {
    test(name, () => {
      for (const size of text.length > 100_000 ? [65_536] : [1, 64, Infinity]) {
        assert.throws(
          () => split(text, [size]),
          (error) => error instanceof RegisterError && reason.test(error.message),
        )
      }
    })
  }

  test('an external document type without declarations is accepted', () =>
    assert.equal(
      split(registerXml([record('1')], '<!DOCTYPE trademark-applications-daily SYSTEM "a.dtd">'), [1]).length,
      1,
    ))
})

test('any bytes give records or a RegisterError', () => {
  const pieces = [
    '<',
    '>',
    '<!',
    '<!--',
    '-->',
    '<!DOCTYPE',
    '[',
    ']>',
    '<![CDATA[',
    ']]>',
    '<?',
    '?>',
    '</',
    '"',
    '<case-file>',
    '</case-file>',
  ]
  const noise = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 })), { maxLength: 20 })
  fc.assert(
    fc.property(noise, fc.nat(FILE.length), fc.integer({ min: 1, max: 200 }), (parts, at, size) => {
      for (const text of [parts.join(''), FILE.slice(0, at) + parts.join('') + FILE.slice(at)]) {
        try {
          split(text, [size])
        } catch (error) {
          assert.ok(error instanceof RegisterError, String(error))
        }
      }
    }),
    { numRuns: 1000 },
  )
})
