import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { anyCase, caseXml, registerXml, type TextEncoding } from '../../../../test/support/trademark-xml.ts'
import type { TrademarkRecord } from '../../record.ts'
import { extractRecord, type Sparse } from './extract.ts'
import { joinGoods } from './goods.ts'
import { RegisterError } from './register-error.ts'
import { createSplitter } from './split.ts'

type Element = { readonly name: string; readonly children: Element[]; text: string }

/** The document as a conforming parser sees it. Throws when it is not well formed. */
function parse(xml: string): Element {
  const parser = new SaxesParser()
  const open: Element[] = [{ name: '', children: [], text: '' }]
  const addText = (text: string) => {
    open.at(-1)!.text += text
  }
  parser.on('opentag', ({ name }) => {
    const element = { name, children: [], text: '' }
    open.at(-1)!.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => void open.pop())
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('error', (error) => {
    throw error
  })
  parser.write(xml).close()
  return open[0]!
}

const all = (element: Element, name: string): Element[] =>
  element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)])
const path = (element: Element, ...names: readonly string[]): Element[] =>
  names.reduce(
    (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [element],
  )
const tidy = (text: string) => text.replace(/\s+/g, ' ').trim()
const texts = (element: Element, ...names: readonly string[]) => path(element, ...names).map(({ text }) => tidy(text))
const last = (element: Element, ...names: readonly string[]) => texts(element, ...names).at(-1) ?? ''
const number = (text: string) => (/^\d+$/.test(text) ? Number(text) : -1)

function day(text: string): number | null {
  const iso = text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
  const instant = new Date(`${iso}T00:00:00Z`)
  return iso !== text && !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(iso) ? Number(text) : null
}

function recordOf(element: Element): TrademarkRecord | Sparse {
  const head = (name: string) => last(element, 'case-file-header', name)
  const digits = (text: string, length: number) =>
    /^\d+$/.test(text) && text.length <= length ? text.padStart(length, '0') : ''
  const serial = digits(last(element, 'serial-number'), 8)
  if (serial === '') return { sparse: true, serial, missing: 'serial', record: null }
  const header = path(element, 'case-file-header').flatMap(({ children }) => children.map(({ name }) => name))
  if (!header.some((name) => name !== 'trademark-in')) return { sparse: true, serial, missing: 'header', record: null }
  const statements = path(element, 'case-file-statements', 'case-file-statement')
    .map((one) => ({ kind: last(one, 'type-code').slice(0, 2), text: tidy(texts(one, 'text').join(' ')) }))
    .filter(({ text }) => text !== '')
  const of = (kind: string) => statements.filter((one) => one.kind === kind).map(({ text }) => text)
  const owners = path(element, 'case-file-owners', 'case-file-owner')
    .map((one, order) => ({
      order,
      type: number(last(one, 'party-type')),
      entry: number(last(one, 'entry-number')),
      name: last(one, 'party-name'),
    }))
    .filter(({ name }) => name !== '')
    .sort((a, b) => a.type - b.type || a.entry - b.entry || a.order - b.order)
  const events = path(element, 'case-file-event-statements', 'case-file-event-statement')
    .map((one) => ({
      day: day(last(one, 'date')) ?? 0,
      number: number(last(one, 'number')),
      words: last(one, 'description-text'),
      has: path(one, 'description-text').some(({ text }) => text !== ''),
    }))
    .filter((event) => event.day > 0 && event.has)
    .sort((a, b) => b.day - a.day || b.number - a.number)
  const classes = texts(element, 'classifications', 'classification', 'international-code')
    .map((code) => /^0*([AB])$/.exec(code)?.[1] ?? (/^\d{1,3}$/.test(code) ? code.padStart(3, '0') : '000'))
    .filter((code) => code !== '000')
  const record: TrademarkRecord = {
    serial,
    mark: tidy([head('mark-identification'), ...of('MK')].join(' ')),
    pseudoMarks: [...new Set(of('PM'))],
    status: digits(head('status-code'), 3),
    statusDate: day(head('status-date')),
    filingDate: day(head('filing-date')),
    registrationDate: day(head('registration-date')),
    renewalDate: day(head('renewal-date')),
    transactionDate: day(last(element, 'transaction-date')) ?? 0,
    owner: owners.at(-1)?.name ?? '',
    goods: joinGoods(of('GS')),
    classes: [...new Set(classes)],
    attorney: head('attorney-name'),
    history: events
      .slice(0, 5)
      .map((event) => `${String(event.day).replace(/(....)(..)(..)/, '$1-$2-$3')} ${event.words}`.trim()),
  }
  if (record.status === '') return { sparse: true, serial, missing: 'status', record }
  const hasNoWords = /^[26]/.test(head('mark-drawing-code'))
  return record.mark === '' && !hasNoWords ? { sparse: true, serial, missing: 'mark', record } : record
}

function ours(xml: string, size: number): (TrademarkRecord | Sparse)[] {
  const bytes = Buffer.from(xml)
  const splitter = createSplitter()
  const found: (TrademarkRecord | Sparse)[] = []
  for (let at = 0; at < bytes.length; at += size) {
    for (const record of splitter.push(bytes.subarray(at, at + size))) found.push(extractRecord(record))
  }
  splitter.end()
  return found
}

const hand = fc.constantFrom<TextEncoding>('plain', 'numeric', 'cdata', 'commented')

test('a conforming XML parser reads the same, field by field', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(anyCase, hand), { maxLength: 4 }),
      fc.integer({ min: 1, max: 3000 }),
      (cases, size) => {
        const xml = registerXml(cases.map(([one, how]) => caseXml(one, how)))
        assert.deepEqual(ours(xml, size), all(parse(xml), 'case-file').map(recordOf))
      },
    ),
    { numRuns: 1500 },
  )
})

test('what we read of a damaged file is what a conforming parser reads, where it reads it at all', () => {
  const pieces = [
    '<',
    '>',
    '</text>',
    '<text>',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '&amp;',
    '&',
    '"',
    ' ',
    '/',
    '<a/>',
    '</case-file>',
    '<case-file>',
    '<?a?>',
    'a="b"',
  ]
  let agreed = 0
  fc.assert(
    fc.property(anyCase, fc.constantFrom(...pieces), fc.nat(), fc.nat(3), (one, piece, position, dropped) => {
      const whole = registerXml([caseXml(one)])
      const at = position % whole.length
      // A cut may go through a character, of which a file of bytes could never hold one half.
      const xml = (whole.slice(0, at) + piece + whole.slice(at + dropped)).toWellFormed()
      let theirs: (TrademarkRecord | Sparse)[]
      try {
        theirs = all(parse(xml), 'case-file').map(recordOf)
      } catch {
        return
      }
      try {
        assert.deepEqual(ours(xml, 999), theirs)
        agreed++
      } catch (error) {
        // We may refuse more than a parser does, but never read something else.
        assert.ok(error instanceof RegisterError, `${String(error)}\n${xml}`)
      }
    }),
    { numRuns: 3000 },
  )
  assert.ok(agreed > 100, `only ${agreed} files were read by both`)
})
