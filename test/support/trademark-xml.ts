import fc from 'fast-check'

/** One case of an invented register, with the fields of the register's XML. */
export type Case = {
  readonly serial: string
  readonly transactionDate: string | null
  /** Name and text of each element of the header; null for a case without header. */
  readonly header: readonly (readonly [name: string, text: string])[] | null
  readonly statements: readonly { readonly type: string; readonly texts: readonly string[] }[]
  readonly events: readonly { readonly words: string; readonly date: string; readonly number: string }[]
  readonly classes: readonly { readonly codes: readonly string[]; readonly usCodes: readonly string[] }[]
  readonly owners: readonly { readonly type: string; readonly entry: string; readonly name: string }[]
}

/** How a text is encoded; a parser must read the same text from each. */
export type TextEncoding = 'plain' | 'numeric' | 'cdata' | 'commented'

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const ENCODERS: Readonly<Record<TextEncoding, (text: string) => string>> = {
  plain: escape,
  numeric: (text) =>
    Array.from(text, (c, at) => (at % 2 ? `&#${c.codePointAt(0)};` : `&#x${c.codePointAt(0)!.toString(16)};`)).join(''),
  cdata: (text) => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`,
  commented: (text) => {
    const [first = '', ...others] = text
    return `${escape(first)}<!-- <text>not this</text> --><?nor this?>${escape(others.join(''))}`
  },
}

/** One case as XML, including elements that the parser ignores. */
export function caseXml(one: Case, encoding: TextEncoding = 'plain'): string {
  const encode = ENCODERS[encoding]
  const tag = (name: string, text: string) => `<${name}>${encode(text)}</${name}>\r\n`
  const group = (name: string, inside: string) => `<${name}>\r\n${inside}</${name}>\r\n`
  const many = <T>(of: readonly T[], each: (item: T) => string) => of.map(each).join('')
  const inside = [
    tag('serial-number', one.serial),
    tag('registration-number', '0000000'),
    one.transactionDate === null ? '' : tag('transaction-date', one.transactionDate),
    one.header &&
      group(
        'case-file-header',
        many(one.header, ([name, text]) => tag(name, text)),
      ),
    group(
      'case-file-statements',
      many(one.statements, ({ type, texts }) =>
        group('case-file-statement', tag('type-code', type) + many(texts, (text) => tag('text', text))),
      ),
    ),
    group(
      'case-file-event-statements',
      many(one.events, ({ words, date, number }) =>
        group(
          'case-file-event-statement',
          tag('code', 'NWAP') +
            tag('type', 'I') +
            tag('description-text', words) +
            tag('date', date) +
            tag('number', number),
        ),
      ),
    ),
    // Other dates under the same tags, which must be ignored.
    group(
      'foreign-applications',
      group('foreign-application', tag('filing-date', '19010203') + tag('registration-date', '19020304') + '<other/>'),
    ),
    group(
      'classifications',
      many(one.classes, ({ codes, usCodes }) =>
        group(
          'classification',
          tag('international-code-total-no', String(codes.length)) +
            many(codes, (code) => tag('international-code', code)) +
            many(usCodes, (code) => tag('us-code', code)) +
            tag('status-code', '6') +
            tag('status-date', '19991102') +
            tag('primary-code', '044'),
        ),
      ),
    ),
    group('correspondent', tag('address-1', 'SOMEBODY ELSE')),
    group(
      'case-file-owners',
      many(one.owners, ({ type, entry, name }) =>
        group(
          'case-file-owner',
          tag('entry-number', entry) +
            tag('party-type', type) +
            group('nationality', tag('state', 'DE')) +
            tag('party-name', name) +
            tag('address-1', '1 Main Street'),
        ),
      ),
    ),
    group(
      'madrid-international-filing-requests',
      group(
        'madrid-international-filing-record',
        tag('entry-number', '99') +
          group(
            'madrid-history-events',
            group('madrid-history-event', tag('date', '20991231') + tag('description-text', 'NOT OURS')),
          ),
      ),
    ),
  ]
  return `<case-file>\r\n${inside.join('')}</case-file>`
}

const DOCTYPE = `<!DOCTYPE trademark-applications-daily [
<!-- The elements of a daily file: <case-file> is one of them; "quotes" and 'these' are fine here -->
<!ELEMENT trademark-applications-daily (version, creation-datetime, application-information)>
<!ELEMENT case-file (serial-number, transaction-date?, case-file-header?)>
<!ELEMENT text (#PCDATA)>
]>`

/** A complete register file with these cases. */
export const registerXml = (
  cases: readonly string[],
  doctype = DOCTYPE,
): string => `<?xml version="1.0" encoding="utf-8"?>\r
${doctype}
<trademark-applications-daily>
  <version><version-no>2.0</version-no><version-date>20041108</version-date></version>
  <application-information><file-segments><file-segment>TRMK</file-segment><action-keys>
    <action-key>IB</action-key><!-- <case-file>none yet</case-file> -->
    ${cases.join('\r\n    ')}
  </action-keys></file-segments></application-information>
</trademark-applications-daily>
`

const DAYS = ['20180218', '19190114', '20240229', '20230229', '00000000', '19870000', '19480200', '20181301', '0', '']
const day = fc.constantFrom(...DAYS)
/** Letters of all scripts, characters that XML must escape, the markup of goods, and whitespace. */
const words = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '&',
        '<',
        '>',
        ']]>',
        '"',
        "'",
        '[',
        ']',
        '((',
        '))',
        '*',
        ';',
        ',',
        '.',
        '  ',
        '\n',
        '\t',
        '\u{a0}',
      ),
      fc.constantFrom('SHOES', 'Hats', 'café', '茶', '👟', '&amp;', '&#65;', 'A&B;', '</case-file', 'é', 'x'),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(' '))

const anyHeader = fc
  .record(
    {
      'filing-date': day,
      'registration-date': day,
      'status-code': fc.constantFrom('700', '800', '6', 'x', ''),
      'status-date': day,
      'mark-identification': words,
      'mark-drawing-code': fc.constantFrom('2000', '3000', '4000', '6000', ''),
      'attorney-name': words,
      'trademark-in': fc.constant('T'),
      'renewal-date': day,
    },
    { requiredKeys: [] },
  )
  .map((fields) => Object.entries(fields))

const upToFour = <T>(each: fc.Arbitrary<T>) => fc.array(each, { maxLength: 4 })

/** Cases with every known oddity of the register, and some more. */
export const anyCase: fc.Arbitrary<Case> = fc.record({
  serial: fc.constantFrom('72244388', '71112081', '987', '', 'x', '123456789'),
  transactionDate: fc.option(day),
  header: fc.option(anyHeader, { freq: 8 }),
  statements: upToFour(
    fc.record({
      type: fc.constantFrom('GS0091', 'GS0441', 'GS0252', 'MK0000', 'PM0001', 'DM0000', ''),
      texts: fc.array(words, { maxLength: 3 }),
    }),
  ),
  events: fc.array(fc.record({ words, date: day, number: fc.constantFrom('1', '2', '10', '') }), { maxLength: 9 }),
  classes: upToFour(
    fc.record({
      codes: fc.array(fc.constantFrom('009', '9', '35', 'A', '00B', '200', '000', '', '1234'), { maxLength: 3 }),
      usCodes: fc.array(fc.constantFrom('021', '100'), { maxLength: 2 }),
    }),
  ),
  owners: upToFour(
    fc.record({
      type: fc.constantFrom('10', '20', '30', '41', '9', ''),
      entry: fc.constantFrom('1', '2', '10', ''),
      name: words,
    }),
  ),
})
