import { AMPERSAND, BANG, LESS_THAN, QUESTION } from './bytes.ts'
import { RegisterError } from './register-error.ts'

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/**
 * The record without comments and processing instructions, with CDATA as escaped text. The register uses none of these, so
 * this may be slow, but it must be correct.
 */
export function withoutMarkup(record: Buffer): Buffer {
  const parts: Buffer[] = []
  let from = 0
  const until = (closing: string, at: number): number => {
    const end = record.indexOf(closing, at)
    if (end === -1) throw new RegisterError(`the XML is damaged: a record lacks a closing ${closing}`)
    return end
  }
  for (let at = record.indexOf(LESS_THAN); at !== -1; at = record.indexOf(LESS_THAN, Math.max(from, at + 1))) {
    const kind = record[at + 1]
    if (kind !== BANG && kind !== QUESTION) continue
    parts.push(record.subarray(from, at))
    if (kind === QUESTION) {
      from = until('?>', at) + 2
    } else if (record.toString('latin1', at, at + 4) === '<!--') {
      from = until('-->', at + 4) + 3
    } else if (record.toString('latin1', at, at + 9) === '<![CDATA[') {
      const end = until(']]>', at + 9)
      const text = record.toString('utf8', at + 9, end).replace(/[&<>]/g, (character) => ESCAPES[character]!)
      parts.push(Buffer.from(text))
      from = end + 3
    } else throw new RegisterError('the XML is refused: a record holds a declaration')
  }
  parts.push(record.subarray(from))
  return Buffer.concat(parts)
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Decodes the five predefined entities and numeric references. Any other entity stays unchanged: nothing is expanded. */
const decodeEntities = (text: string): string =>
  text.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));/g, (_whole, named, decimal, hex) => {
    if (named !== undefined) return NAMED[named as string]!
    const point = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal)
    const isCharacter = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)
    return isCharacter ? String.fromCodePoint(point) : '\u{fffd}'
  })

// Control characters would break lines, terminals and logs; no field depends on its white space.
const BLANKS = /[\s\p{Cc}]+/gu

const SPACE = 0x20
const DELETE = 0x7f

/** The text in bytes[start, end): decoded and trimmed, every run of white space and control characters as one space. */
export function textOf(bytes: Buffer, start: number, end: number): string {
  let previous = SPACE
  let isTidy = true
  let isPlain = true
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (byte <= SPACE) {
      if (byte < SPACE || previous === SPACE) isTidy = false
    } else if (byte >= DELETE || byte === AMPERSAND) isPlain = false
    previous = byte
  }
  if (isPlain) {
    const text = bytes.toString('latin1', start, end)
    return isTidy && previous !== SPACE ? text : text.replace(BLANKS, ' ').trim()
  }
  return decodeEntities(bytes.toString('utf8', start, end))
    .replace(BLANKS, ' ')
    .trim()
}
