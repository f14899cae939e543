import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { anyCase, caseXml, type Case, type TextEncoding } from '../../../../test/support/trademark-xml.ts'
import type { TrademarkRecord } from '../../record.ts'
import { extractRecord, isSparse, type Sparse } from './extract.ts'
import { joinGoods } from './goods.ts'
import { RegisterError } from './register-error.ts'

/** A plain case, nothing missing. */
const BASE: Case = {
  serial: '72000001',
  transactionDate: '20180218',
  header: [
    ['filing-date', '19660427'],
    ['registration-date', '19690218'],
    ['status-code', '703'],
    ['status-date', '20090328'],
    ['mark-identification', 'BRINDLE & FOX'],
    ['mark-drawing-code', '1000'],
    ['attorney-name', 'Ada Example'],
    ['renewal-date', '20090218'],
  ],
  statements: [
    { type: 'GS0231', texts: ['SEALING MACHINES'] },
    { type: 'PM0001', texts: ['BRINDLE AND FOX'] },
  ],
  events: [{ words: 'REGISTERED', date: '19690218', number: '3' }],
  classes: [{ codes: ['007'], usCodes: ['023'] }],
  owners: [{ type: '30', entry: '1', name: 'BRINDLE N.V.' }],
}

const read = (change: Partial<Case>, hand?: TextEncoding) =>
  extractRecord(Buffer.from(caseXml({ ...BASE, ...change }, hand)))

function full(change: Partial<Case>, hand?: TextEncoding): TrademarkRecord {
  const found = read(change, hand)
  assert.ok(!isSparse(found), `sparse: ${JSON.stringify(found)}`)
  return found
}

const header = (change: Readonly<Record<string, string | null>>): Partial<Case> => ({
  header: Object.entries({ ...Object.fromEntries(BASE.header!), ...change }).filter(
    (field): field is [string, string] => field[1] !== null,
  ),
})

test('a plain case is read whole', () => {
  assert.deepEqual(read({}), {
    serial: '72000001',
    mark: 'BRINDLE & FOX',
    pseudoMarks: ['BRINDLE AND FOX'],
    status: '703',
    statusDate: 20090328,
    filingDate: 19660427,
    registrationDate: 19690218,
    renewalDate: 20090218,
    transactionDate: 20180218,
    owner: 'BRINDLE N.V.',
    goods: 'SEALING MACHINES',
    classes: ['007'],
    attorney: 'Ada Example',
    history: ['1969-02-18 REGISTERED'],
  } satisfies TrademarkRecord)
})

suite('the traps of the register', () => {
  for (const text of ['00000000', '19870000', '19480200', '20230229', '19001301', '0', '', '1987021', 'unknown'])
    test(`the date "${text}" is no date`, () => assert.equal(full(header({ 'filing-date': text })).filingDate, null))

  test('the last day of a leap February is one', () =>
    assert.equal(full(header({ 'filing-date': ' 20240229 ' })).filingDate, 20240229))

  test('the owner is the party of the highest type, and of those the last entered', () => {
    const owners = [
      { type: '40', entry: '1', name: 'SECOND' },
      { type: '41', entry: '2', name: 'LATEST' },
      { type: '41', entry: '1', name: 'BEFORE' },
      { type: '9', entry: '9', name: 'NINE IS LESS THAN FORTY' },
      { type: '99', entry: '1', name: '' },
    ]
    assert.equal(full({ owners }).owner, 'LATEST')
  })

  test('classes are the international ones, each once, and not those in the kind of a statement', () => {
    const classes = [
      { codes: ['9', '009'], usCodes: ['021'] },
      { codes: ['A', '00B', '200', '000'], usCodes: [] },
    ]
    assert.deepEqual(full({ classes }).classes, ['009', 'A', 'B', '200'])
  })

  test('a long mark goes on in its overflow', () => {
    const statements = [
      { type: 'MK0000', texts: ['AND ON'] },
      { type: 'MK0000', texts: ['AND ON AGAIN'] },
    ]
    assert.equal(full({ statements }).mark, 'BRINDLE & FOX AND ON AND ON AGAIN')
  })

  test('events are the newest five, whatever their order, by number within a day', () => {
    const events = [1, 7, 3, 6, 2, 5, 4].map((number) => ({
      words: `EVENT ${number}`,
      date: number > 5 ? '20180218' : `2010010${number}`,
      number: String(number),
    }))
    const undated = { words: 'SOMETIME', date: '00000000', number: '99' }
    assert.deepEqual(full({ events: [undated, ...events] }).history, [
      '2018-02-18 EVENT 7',
      '2018-02-18 EVENT 6',
      '2010-01-05 EVENT 5',
      '2010-01-04 EVENT 4',
      '2010-01-03 EVENT 3',
    ])
  })

  test('a record of no known day is older than all others', () =>
    assert.equal(full({ transactionDate: '00000000' }).transactionDate, 0))

  test('a design without words is a full record', () =>
    assert.equal(full(header({ 'mark-identification': null, 'mark-drawing-code': '2000' })).mark, ''))

  const sparse: [string, Partial<Case>, Sparse['missing']][] = [
    ['without a header', { header: null }, 'header'],
    ['without a status', header({ 'status-code': '' }), 'status'],
    ['without the words its drawing speaks of', header({ 'mark-identification': null }), 'mark'],
    ['without a serial number', { serial: '' }, 'serial'],
  ]
  for (const [name, change, missing] of sparse) {
    test(`a case ${name} is sparse and says so`, () => {
      const found = read(change)
      assert.ok(isSparse(found))
      assert.equal(found.missing, missing)
    })
  }
})

suite('texts', () => {
  for (const hand of ['plain', 'numeric', 'cdata', 'commented'] satisfies TextEncoding[])
    test(`mean the same when written ${hand}`, () =>
      assert.equal(
        full(header({ 'mark-identification': `CAFÉ <&> "茶" ]]> 👟 &amp;` }), hand).mark,
        `CAFÉ <&> "茶" ]]> 👟 &amp;`,
      ))

  const raw = (text: string) =>
    extractRecord(Buffer.from(caseXml(BASE).replace('BRINDLE &amp; FOX', text))) as TrademarkRecord
  test('carry no control characters and no blanks to lay them out', () =>
    assert.equal(raw(' A\r\n\tB\u0007C  D\u00a0&#10;').mark, 'A B C D'))
  test('keep an entity nobody declared as it stands', () => assert.equal(raw('A &boom; &B').mark, 'A &boom; &B'))
  test('have a sign for a character that cannot be', () =>
    assert.equal(raw('&#xD800;&#0;&#x110000;&#9999999;').mark, '\u{fffd}'.repeat(4)))
  test('survive bytes that are not UTF-8', () => {
    const bytes = Buffer.from(caseXml(BASE))
    bytes[bytes.indexOf('FOX')] = 0xff
    assert.equal((extractRecord(bytes) as TrademarkRecord).mark, 'BRINDLE & \u{fffd}OX')
  })
  test('are found in tags with attributes, blanks and nothing inside', () => {
    const odd = caseXml(BASE)
      .replace('<mark-identification>', `<mark-identification a="x > y" b='"'>`)
      .replace('</mark-identification>', '</mark-identification >')
      .replace(/<attorney-name>.*<\/attorney-name>/, '<attorney-name  />')
    assert.deepEqual(extractRecord(Buffer.from(odd)), { ...full({}), attorney: '' })
  })
})

test('damaged XML is refused in a sentence', () => {
  const whole = caseXml(BASE)
  const damaged = [
    whole.replace('</case-file-header>', '</case-file-owners>'),
    whole.replace('</status-code>', ''),
    whole.replace('<case-file>', '<case-file><case-file>'),
    `${whole}${whole}`,
    `${whole} and more`,
    `before ${whole}`,
    whole.slice(0, -1),
    whole.replace('<text>', '<text><!-- no end '),
    whole.replace('<text>', '<text><!DOCTYPE x [<!ENTITY a "b">]>'),
    whole.replace('<text>', '<text>A<b/>'),
    whole.replace('<text>', '<>'),
    whole.replace('<text>', '<a>'.repeat(100)),
    '',
  ]
  for (const text of damaged) assert.throws(() => extractRecord(Buffer.from(text)), RegisterError, text.slice(0, 80))
})

/** The same rules told by the case itself, without a byte of XML. */
function expected(one: Case): TrademarkRecord | Sparse {
  const tidy = (text: string) => text.replace(/\s+/g, ' ').trim()
  const days = (text: string | null | undefined) => {
    const [, year, month, date] = /^(\d{4})(\d\d)(\d\d)$/.exec(text?.trim() ?? '') ?? []
    const instant = new Date(`${year}-${month}-${date}T00:00:00Z`)
    return Number.isNaN(instant.getTime()) || instant.getUTCDate() !== Number(date) ? null : Number(text)
  }
  const digits = (text: string, most: number) => (/^\d+$/.test(text) && text.length <= most ? text : null)
  const fields = new Map(one.header ?? [])
  const of = (kind: string) =>
    one.statements
      .filter(({ type }) => type.startsWith(kind))
      .map(({ texts }) => tidy(texts.map(tidy).join(' ')))
      .filter((text) => text !== '')
  const serial = digits(one.serial, 8)?.padStart(8, '0') ?? ''
  if (serial === '') return { sparse: true, serial, missing: 'serial', record: null }
  const isRead = ([name]: readonly [string, string]) => name !== 'trademark-in'
  if (!one.header?.some(isRead)) return { sparse: true, serial, missing: 'header', record: null }
  const rank = ({ type, entry }: Case['owners'][number]) => Number(type || -1) * 1000 + Number(entry || -1)
  const named = one.owners.map((owner) => ({ ...owner, name: tidy(owner.name) })).filter(({ name }) => name !== '')
  const owner = named.reduce<Case['owners'][number] | null>((a, b) => (a === null || rank(b) >= rank(a) ? b : a), null)
  const events = one.events
    .map((event) => ({ ...event, day: days(event.date) ?? 0, order: Number(event.number || -1) }))
    .filter(({ day, words }) => day > 0 && words !== '')
    .sort((a, b) => b.day - a.day || b.order - a.order)
  const codes = one.classes.flatMap((each) => each.codes).filter((code) => /^(?:0*[AB]|\d{1,3})$/.test(code))
  const status = digits(fields.get('status-code') ?? '', 3)?.padStart(3, '0') ?? ''
  const record: TrademarkRecord = {
    serial,
    mark: tidy([tidy(fields.get('mark-identification') ?? ''), ...of('MK')].join(' ')),
    pseudoMarks: [...new Set(of('PM'))],
    status,
    statusDate: days(fields.get('status-date')),
    filingDate: days(fields.get('filing-date')),
    registrationDate: days(fields.get('registration-date')),
    renewalDate: days(fields.get('renewal-date')),
    transactionDate: days(one.transactionDate) ?? 0,
    owner: owner?.name ?? '',
    goods: joinGoods(of('GS')),
    classes: [...new Set(codes.map((code) => /[AB]/.exec(code)?.[0] ?? code.padStart(3, '0')))].filter(
      (code) => code !== '000',
    ),
    attorney: tidy(fields.get('attorney-name') ?? ''),
    history: events
      .slice(0, 5)
      .map(({ date, words }) => `${date.replace(/(....)(..)(..)/, '$1-$2-$3')} ${tidy(words)}`.trim()),
  }
  if (status === '') return { sparse: true, serial, missing: 'status', record }
  const hasNoWords = /^[26]/.test(fields.get('mark-drawing-code') ?? '')
  return record.mark === '' && !hasNoWords ? { sparse: true, serial, missing: 'mark', record } : record
}

test('whatever a case holds, and however it is written, its record says it', () => {
  fc.assert(
    fc.property(anyCase, fc.constantFrom<TextEncoding>('plain', 'numeric', 'cdata', 'commented'), (one, hand) => {
      assert.deepEqual(extractRecord(Buffer.from(caseXml(one, hand))), expected(one))
    }),
    { numRuns: 1500 },
  )
})

test('no bytes at all make it fail in any other way than by a sentence', () => {
  const pieces = [
    '<case-file>',
    '</case-file>',
    '<text>',
    '</text>',
    '<',
    '>',
    '/',
    '"',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?',
    '&#',
    ';',
  ]
  const noise = fc.array(
    fc.oneof(
      fc.constantFrom(...pieces).map((piece) => Buffer.from(piece)),
      fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
    ),
    { maxLength: 40 },
  )
  fc.assert(
    fc.property(anyCase, noise, fc.nat(), fc.nat(40), (one, parts, position, removed) => {
      const whole = Buffer.from(caseXml(one))
      const at = position % whole.length
      for (const bytes of [
        Buffer.concat(parts),
        Buffer.concat([whole.subarray(0, at), ...parts, whole.subarray(at + removed)]),
      ]) {
        try {
          extractRecord(bytes)
        } catch (error) {
          assert.ok(error instanceof RegisterError, String(error))
        }
      }
    }),
    { numRuns: 1500 },
  )
})
