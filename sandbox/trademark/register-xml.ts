import type { Day, TrademarkRecord } from '../../src/trademark/record.ts'

/** Flags that fill most of a header. The service does not read them; they keep the size of a record realistic. */
const FLAGS =
  'principal-register-amended supplemental-register-amended trademark collective-trademark service-mark collective-service-mark collective-membership-mark certification-mark cancellation-pending published-concurrent concurrent-use concurrent-use-proceeding interference-pending opposition-pending section-12c section-2f section-2f-in-part renewal-filed section-8-filed section-8-partial-accept section-8-accepted section-15-acknowledged section-15-filed supplemental-register foreign-priority change-registration intent-to-use intent-to-use-current filed-as-use-application amended-to-use-application use-application-currently amended-to-itu-application filing-basis-filed-as-44d amended-to-44d-application filing-basis-current-44d filing-basis-filed-as-44e filing-basis-current-44e amended-to-44e-application without-basis-currently filing-current-no-basis color-drawing-filed color-drawing-current drawing-3d-filed drawing-3d-current standard-characters-claimed filing-basis-filed-as-66a filing-basis-current-66a'
    .split(' ')
    .map((name) => `            <${name}-in>F</${name}-in>\n`)
    .join('')
const FLAGS_IN_USE = FLAGS.replaceAll(/(<(?:trademark|use-application-currently|section-8-accepted)-in>)F/g, '$1T')
const EMPLOYEES = ['ABBOTT, CLARA', 'DANNER, HUGO', 'ELLERY, NORA', 'FARROW, THEO', 'GANTRY, INES', 'HOLLIS, MARC']

/** Meaningless digits, as the register has many: without them a file would compress better than a real one. */
function filler(serial: string, salt: number): number {
  let mixed = Math.imul(Number(serial) ^ (salt * 0x9e3779b1), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Routine events in the history of every application. */
const ROUTINE_EVENTS = [
  'NEW APPLICATION OFFICE SUPPLIED DATA ENTERED',
  'NOTICE OF DESIGN SEARCH CODE MAILED',
  'ASSIGNED TO LIE',
  'CORRESPONDENCE RECEIVED IN LAW OFFICE',
  'TEAS RESPONSE TO OFFICE ACTION RECEIVED',
  'TEAS/EMAIL CORRESPONDENCE ENTERED',
  'NOTIFICATION OF NON-FINAL ACTION E-MAILED',
  'NON-FINAL ACTION E-MAILED',
  'ATTORNEY REVISED',
  'LAW OFFICE PUBLICATION REVIEW COMPLETED',
  'NOTIFICATION OF NOTICE OF PUBLICATION E-MAILED',
  'CASE ASSIGNED TO INTENT TO USE PARALEGAL',
  'STATEMENT OF USE PROCESSING COMPLETE',
  'NOTICE OF ACCEPTANCE OF STATEMENT OF USE E-MAILED',
]
/** The reader keeps this many latest events of a record, so routine events before them do not change what it reads. */
const MAX_READ_EVENTS = 5

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escape = (text: string) => (/[&<>]/.test(text) ? text.replace(/[&<>]/g, (sign) => ESCAPES[sign]!) : text)
const leaf = (indent: string, name: string, text: string) => `${indent}<${name}>${escape(text)}</${name}>\n`
const day = (value: Day | null) => (value === null ? '00000000' : String(value))

/** A record in the format of the Office's files, including the elements that the service does not read. */
export function caseXml(record: TrademarkRecord): string {
  const inHeader = (name: string, text: string) => leaf('            ', name, text)
  const header = [
    inHeader('filing-date', day(record.filingDate)),
    record.registrationDate === null ? '' : inHeader('registration-date', day(record.registrationDate)),
    inHeader('status-code', record.status),
    inHeader('status-date', day(record.statusDate)),
    record.mark === '' ? '' : inHeader('mark-identification', record.mark),
    inHeader('mark-drawing-code', record.mark === '' ? '2000' : '4000'),
    record.attorney === '' ? '' : inHeader('attorney-name', record.attorney),
    inHeader('attorney-docket-number', `T-${filler(record.serial, 1).toString(36)}`),
    filler(record.serial, 5) % 2 ? FLAGS : FLAGS_IN_USE,
    inHeader('employee-name', EMPLOYEES[filler(record.serial, 6) % EMPLOYEES.length]!),
    record.renewalDate === null ? '' : inHeader('renewal-date', day(record.renewalDate)),
    '            <law-office-assigned-location-code>M50</law-office-assigned-location-code>\n',
    '            <current-location>PUBLICATION AND ISSUE SECTION</current-location>\n',
  ].join('')
  return `        <case-file>
          <serial-number>${record.serial}</serial-number>
          <registration-number>${record.registrationDate === null ? '0000000' : String(filler(record.serial, 16) % 9999999).padStart(7, '0')}</registration-number>
          <transaction-date>${day(record.transactionDate)}</transaction-date>
          <case-file-header>
${header}          </case-file-header>
          <case-file-statements>
${statement(`GS${(record.classes[0] ?? '009').padStart(3, '0')}1`, record.goods)}${record.pseudoMarks
    .map((text) => statement('PM0001', text))
    .join('')}          </case-file-statements>
          <case-file-event-statements>
${events(record)}          </case-file-event-statements>
          <classifications>
${record.classes.map((code) => classification(code, record.serial)).join('')}          </classifications>
          <correspondent>
            <address-1>${escape(record.attorney || record.owner)}</address-1>
            <address-2>${filler(record.serial, 2) % 9999} MAIN STREET, SUITE ${filler(record.serial, 3) % 999}</address-2>
            <address-3>ANYTOWN, NY ${filler(record.serial, 4) % 99999}</address-3>
          </correspondent>
          <case-file-owners>
${owner(record, '10', '')}${record.registrationDate === null ? '' : owner(record, '30', record.owner)}          </case-file-owners>
        </case-file>
`
}

const statement = (type: string, text: string) => `            <case-file-statement>
              <type-code>${type}</type-code>
${leaf('              ', 'text', text)}            </case-file-statement>
`

function events({ serial, history, filingDate }: TrademarkRecord): string {
  const routine = history.length < MAX_READ_EVENTS ? [] : ROUTINE_EVENTS.slice(filler(serial, 7) % 9)
  let text = ''
  for (const [at, event] of history.entries())
    text += eventXml(event.slice(11), event.slice(0, 10).replaceAll('-', ''), history.length - at + routine.length)
  for (let number = routine.length; number > 0; number--)
    text += eventXml(routine[number - 1]!, day(filingDate), number)
  return text
}

const eventXml = (words: string, date: string, number: number) => `            <case-file-event-statement>
              <code>${words.slice(0, 2)}${words.slice(-2)}</code>
              <type>${words[5]}</type>
              <description-text>${escape(words)}</description-text>
              <date>${date}</date>
              <number>${number}</number>
            </case-file-event-statement>
`

const classification = (code: string, serial: string) => `            <classification>
              <international-code-total-no>1</international-code-total-no>
              <us-code-total-no>3</us-code-total-no>
              <international-code>${code}</international-code>
              <us-code>021</us-code>
              <us-code>023</us-code>
              <us-code>026</us-code>
              <status-code>6</status-code>
              <status-date>20${10 + (filler(serial, 8) % 15)}0${1 + (filler(serial, 9) % 9)}${10 + (filler(serial, 10) % 19)}</status-date>
              <first-use-anywhere-date>20${10 + (filler(serial, 11) % 15)}0${1 + (filler(serial, 12) % 9)}${10 + (filler(serial, 13) % 19)}</first-use-anywhere-date>
              <primary-code>${code}</primary-code>
            </classification>
`

/** Of a registered mark the applicant may differ from the owner, so the reader must pick the right party type. */
const owner = (record: TrademarkRecord, type: string, name: string) => `            <case-file-owner>
              <entry-number>1</entry-number>
              <party-type>${type}</party-type>
              <nationality>
                <state>DE</state>
              </nationality>
              <legal-entity-type-code>03</legal-entity-type-code>
${leaf('              ', 'party-name', name === '' && record.registrationDate !== null ? 'First Applicant, Inc.' : record.owner)}              <address-1>${filler(record.serial, 14) % 9999} Main Street</address-1>
              <city>Anytown</city>
              <postcode>${filler(record.serial, 15) % 99999}</postcode>
            </case-file-owner>
`

export const XML_HEAD = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<!DOCTYPE trademark-applications-daily [
<!ELEMENT trademark-applications-daily (version, creation-datetime, application-information)>
<!ELEMENT text (#PCDATA)>
]>
<trademark-applications-daily>
  <version>
    <version-no>2.0</version-no>
    <version-date>20050401</version-date>
  </version>
  <creation-datetime>202601010000</creation-datetime>
  <application-information>
    <file-segments>
      <file-segment>TRMK</file-segment>
      <action-keys>
        <action-key>IB</action-key>
`
export const XML_TAIL = `      </action-keys>
    </file-segments>
  </application-information>
</trademark-applications-daily>
`
