import { SaxesParser } from 'saxes'
import { invalidReply } from './values.ts'

/** The texts of the elements of one record, by name in lower case; the first of several wins. */
export type XmlRecord = Readonly<Record<string, string>>

export type XmlReply = {
  /** Name of the outermost element, in lower case. */
  readonly root: string
  readonly records: readonly XmlRecord[]
  /** The texts outside all records. */
  readonly fields: XmlRecord
}

const MAX_DEPTH = 8
const MAX_RECORDS = 100
const MAX_TEXT_LENGTH = 4096

/**
 * Parses a reply in XML: its `recordName` elements, and the texts around them. What encloses the records does not
 * matter. Documents with a document type are refused, so that no entity is ever expanded.
 */
export function parseXmlReply(xml: string, recordName: string): XmlReply {
  const parser = new SaxesParser()
  const records: Record<string, string>[] = []
  const fields: Record<string, string> = {}
  const path: string[] = []
  let root = ''
  let text = ''
  parser.on('doctype', () => parser.fail('it has a document type'))
  parser.on('error', (error) => {
    throw invalidReply('the marketplace', 'did not send XML', error)
  })
  parser.on('opentag', ({ name }) => {
    const element = name.toLowerCase()
    root ||= element
    path.push(element)
    text = ''
    if (path.length > MAX_DEPTH || records.length > MAX_RECORDS)
      parser.fail('it is nested too deeply or has too many records')
    if (element === recordName) records.push({})
  })
  parser.on('text', (part) => (text += part))
  parser.on('cdata', (part) => (text += part))
  parser.on('closetag', () => {
    const element = path.pop()!
    const into = path.includes(recordName) ? records.at(-1)! : fields
    if (element !== recordName && path.length > 0) into[element] ??= text.trim().slice(0, MAX_TEXT_LENGTH)
    text = ''
  })
  parser.write(xml).close()
  return { root, records, fields }
}
