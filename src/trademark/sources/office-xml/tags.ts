import { BANG, GREATER_THAN, isSpace, LESS_THAN, QUESTION, SLASH, tagEnd } from './bytes.ts'
import { RegisterError } from './register-error.ts'

/** The elements we read. Their tag numbers start at 1; any other element has tag number 0. */
const NAMES = [
  'case-file',
  'serial-number',
  'transaction-date',
  'case-file-header',
  'filing-date',
  'registration-date',
  'status-code',
  'status-date',
  'mark-identification',
  'mark-drawing-code',
  'attorney-name',
  'renewal-date',
  'case-file-statement',
  'type-code',
  'text',
  'case-file-event-statement',
  'description-text',
  'date',
  'number',
  'classification',
  'international-code',
  'case-file-owner',
  'entry-number',
  'party-type',
  'party-name',
] as const

type Name = (typeof NAMES)[number]

/** `TAG['case-file']` → its number. */
export const TAG = Object.fromEntries(NAMES.map((name, index) => [name, index + 1])) as Readonly<Record<Name, number>>

/** 1 for elements that contain elements. All others contain only text. */
const GROUPS = new Uint8Array(NAMES.length + 1)
for (const group of [
  TAG['case-file'],
  TAG['case-file-header'],
  TAG['case-file-statement'],
  TAG['case-file-event-statement'],
  TAG.classification,
  TAG['case-file-owner'],
])
  GROUPS[group] = 1

/** The elements above, for `records.wat`. */
export const ELEMENTS: readonly { readonly name: string; readonly tag: number; readonly isGroup: boolean }[] =
  NAMES.map((name) => ({ name, tag: TAG[name], isGroup: GROUPS[TAG[name]] === 1 }))

// A record has about three hundred tags, so they are looked up by a fast hash: four bytes of the name at a time, padded with
// zeros. The top bits of the hash differ for all names above.
const hashOf = (name: string) => {
  const bytes = Buffer.concat([Buffer.from(name), Buffer.alloc(3)])
  let hash = 0
  for (let at = 0; at + 3 < bytes.length; at += 4) hash = (Math.imul(hash, FACTOR) + bytes.readInt32LE(at)) | 0
  return hash
}
const FACTOR = 0x9e3779b1
const HASHES = Int32Array.from(['', ...NAMES], hashOf)

const SLOT_SHIFT = 20
const SLOTS = new Uint8Array(1 << (32 - SLOT_SHIFT))
for (const name of NAMES) {
  const slot = hashOf(name) >>> SLOT_SHIFT
  if (SLOTS[slot] !== 0) throw new Error(`${name} shares its hash slot with another element`)
  SLOTS[slot] = TAG[name]
}

export type Visitor = {
  /** An element with text only: its tag number, that of its parent, and the range of the text. */
  leaf(tag: number, parent: number, start: number, end: number): void
  /** The end of an element that contains elements. */
  group(tag: number): void
}

const MAX_DEPTH = 64
const damaged = (what: string) => new RegisterError(`the XML is damaged: ${what}`)

// The stack of open elements. Module-level scratch: one record is walked at a time, and new arrays for each record would be
// garbage.
const NAME_STARTS = new Int32Array(MAX_DEPTH)
const NAME_LENGTHS = new Int32Array(MAX_DEPTH)
const OPEN_TAGS = new Uint8Array(MAX_DEPTH)

const TOP_BITS = 0x80808080
/** Bit 6 is set in letters and clear in every byte that ends a name. */
const FOUR_LETTERS = 0x40404040
const FOUR_LESS_THAN = 0x3c3c3c3c
const FOUR_GREATER_THAN = 0x3e3e3e3e
const FOUR_SLASHES = 0x2f2f2f2f

// In the results of the next two functions the lowest set bit marks the first matching byte.

/** Nonzero if one of the four bytes is zero. */
const zeroes = (word: number) => (word - 0x01010101) & ~word & TOP_BITS

/** Nonzero if one of the four bytes is a space or a control character. */
const belowBang = (word: number) => (word - 0x21212121) & ~word & TOP_BITS

/** The number of bytes before the first marked one. */
const bytesBefore = (marks: number) => (31 - Math.clz32(marks & -marks)) >> 3

/**
 * Visits the elements of one `<case-file>`, which must consist of tags and text only, without text around it. Returns false at a
 * comment, CDATA or processing instruction; the visitor must then discard what it has collected.
 */
export function walk(bytes: Buffer, visitor: Visitor): boolean {
  const length = bytes.length
  const view = new DataView(bytes.buffer, bytes.byteOffset, length)
  const names = NAME_STARTS
  const nameLengths = NAME_LENGTHS
  const tags = OPEN_TAGS
  let depth = 0
  let at = 0
  let textStart = -1
  if (bytes[0] !== LESS_THAN) throw damaged('there is text before a record')
  while (true) {
    at = nextTag(bytes, view, at)
    if (at === length) break
    const textEnd = at
    let byte = ++at < length ? bytes[at]! : 0
    if (byte === SLASH) {
      at++
      if (depth === 0) throw damaged('a tag closes what was not open')
      const nameLength = nameLengths[--depth]!
      const nameEnd = at + nameLength
      const isSame = nameEnd < length && sameBytes(view, names[depth]!, at, nameLength)
      if (!isSame || (bytes[nameEnd] !== GREATER_THAN && !isSpace(bytes[nameEnd]))) {
        throw damaged('a tag closes what was not open')
      }
      at = (bytes[nameEnd] === GREATER_THAN ? nameEnd : tagEnd(bytes, nameEnd)) + 1
      if (at === 0) throw damaged('a tag has no end')
      const tag = tags[depth]!
      if (tag !== 0) {
        if (textStart !== -1) visitor.leaf(tag, depth === 0 ? 0 : tags[depth - 1]!, textStart, textEnd)
        else if (GROUPS[tag] === 1) visitor.group(tag)
        else throw damaged('there are elements inside a text')
      }
      textStart = -1
      if (depth === 0 && at < length) throw damaged('a record has a second beginning or no end')
      continue
    }
    if (byte === BANG || byte === QUESTION) return false
    const nameStart = at
    let hash = 0
    while (true) {
      const word = at + 4 <= length ? view.getInt32(at, true) : lastBytes(bytes, at)
      if ((word & FOUR_LETTERS) === FOUR_LETTERS) {
        hash = (Math.imul(hash, FACTOR) + word) | 0
        at += 4
        continue
      }
      const marks = zeroes(word ^ FOUR_GREATER_THAN) | zeroes(word ^ FOUR_SLASHES) | belowBang(word)
      if (marks === 0) {
        hash = (Math.imul(hash, FACTOR) + word) | 0
        at += 4
        continue
      }
      const left = bytesBefore(marks)
      if (left > 0) hash = (Math.imul(hash, FACTOR) + (word & ((1 << (8 * left)) - 1))) | 0
      at += left
      break
    }
    byte = at < length ? bytes[at]! : 0
    const nameEnd = at
    if (nameEnd === nameStart) throw damaged('a tag has no name')
    let isEmpty = false
    if (byte !== GREATER_THAN) {
      at = tagEnd(bytes, at)
      if (at === -1) throw damaged('a tag has no end')
      isEmpty = bytes[at - 1] === SLASH
    }
    at++
    const slot = SLOTS[hash >>> SLOT_SHIFT]!
    const tag = HASHES[slot] === hash ? slot : 0
    if (isEmpty) {
      if (tag !== 0 && depth > 0) visitor.leaf(tag, tags[depth - 1]!, at, at)
      textStart = -1
      continue
    }
    if (depth === MAX_DEPTH) throw damaged('its elements are nested too deep')
    names[depth] = nameStart
    nameLengths[depth] = nameEnd - nameStart
    tags[depth++] = tag
    textStart = at
  }
  if (depth > 0) throw damaged('a tag is not closed')
  return true
}

/** The next `<`, or the end. */
function nextTag(bytes: Buffer, view: DataView, from: number): number {
  const length = bytes.length
  let at = from
  while (at + 8 <= length) {
    const marks = zeroes(view.getInt32(at, true) ^ FOUR_LESS_THAN)
    if (marks !== 0) return at + bytesBefore(marks)
    const more = zeroes(view.getInt32(at + 4, true) ^ FOUR_LESS_THAN)
    if (more !== 0) return at + 4 + bytesBefore(more)
    at += 8
  }
  while (at < length && bytes[at] !== LESS_THAN) at++
  return at
}

/** The last bytes of the record, padded with zeros to four. */
function lastBytes(bytes: Buffer, at: number): number {
  let word = 0
  for (let left = bytes.length - 1; left >= at; left--) word = (word << 8) | bytes[left]!
  return word
}

/** Compares bytes at two offsets, four at a time; the last four may overlap the ones before. */
function sameBytes(view: DataView, one: number, other: number, length: number): boolean {
  if (length < 4) {
    for (let at = 0; at < length; at++) if (view.getUint8(one + at) !== view.getUint8(other + at)) return false
    return true
  }
  const last = length - 4
  for (let at = 0; at < last; at += 4) {
    if (view.getInt32(one + at, true) !== view.getInt32(other + at, true)) return false
  }
  return view.getInt32(one + last, true) === view.getInt32(other + last, true)
}
