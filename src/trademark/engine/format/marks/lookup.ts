import { beginOfPiece, MAX_FORM_LENGTH, piecesAround, MIN_FORM_LENGTH } from '../../search/record-terms.ts'
import { hashOfPiece, hashWithout } from './hash.ts'
import { countBits, oddLetters } from './letters.ts'
import type { Marks } from './open.ts'
import { placeOf, type Table, valueUnder } from './table.ts'

/** Texts side by side; where one begins is told by every so manyth number. */
type Texts = {
  readonly bytes: Uint8Array
  readonly begins: Uint32Array
  readonly stride: number
  readonly size: number
}
type Visit = (number: number) => void

/** Words filed under this one, or under it without one of its letters; some come more than once. */
export const eachWordByForm = ({ forms, vocabulary }: Marks, letters: Uint8Array, visit: Visit): void =>
  eachByForm(forms, vocabulary, letters, visit)

/**
 * Codes with one letter more, less, another, or two swapped; and the code itself. Codes have few letters: to look for
 * all that there could be takes no longer than a table of what they are without a letter, and not its room.
 */
export function eachNearCode({ codes }: Marks, code: string, visit: Visit): void {
  const { length } = code
  const filed = new Set<number>()
  const look = (letters: Uint8Array) => {
    const found = findText(codes.table, codes, letters)
    if (found >= 0) filed.add(found)
  }
  const letters = Buffer.from(code, 'latin1')
  look(letters)
  if (length <= MAX_FORM_LENGTH) {
    const fewer = Uint8Array.from(letters.subarray(1))
    for (let at = 0; at < length; at++) {
      if (at > 0) fewer[at - 1] = letters[at - 1]!
      look(fewer)
      const own = letters[at]!
      eachOther(codes.letters, letters, at, look)
      if (at + 1 === length) continue
      letters[at] = letters[at + 1]!
      letters[at + 1] = own
      look(letters)
      letters[at + 1] = letters[at]!
      letters[at] = own
    }
  }
  if (length < MAX_FORM_LENGTH) {
    const more = Buffer.concat([letters.subarray(0, 1), letters])
    for (let at = 0; at <= length; at++) {
      if (at > 0) more[at - 1] = letters[at - 1]!
      eachOther(codes.letters, more, at, look)
    }
  }
  for (const other of filed) visit(other)
}

/** The letters with any other in this place. */
function eachOther(all: Uint8Array, letters: Uint8Array, at: number, look: (letters: Uint8Array) => void): void {
  const own = letters[at]!
  for (let one = 0; one < all.length; one++) {
    letters[at] = all[one]!
    look(letters)
  }
  letters[at] = own
}

/** The number of a code, or -1. */
export const findCode = ({ codes }: Marks, code: string): number =>
  findText(codes.table, codes, Buffer.from(code, 'latin1'))

/** The number of the text with these letters, or -1. */
function findText(table: Table, texts: Texts, letters: Uint8Array): number {
  const hash = hashWithout(letters, 0, letters.length, letters.length)
  const place = placeOf(table, hash)
  for (let at = table.starts[place]!; at < table.starts[place + 1]!; at++) {
    const text = valueUnder(table, at, hash)
    if (text < 0) continue
    const begin = beginOf(texts, text)
    const isLong = endOf(texts, text) - begin === letters.length
    if (isLong && isSame(texts.bytes, begin, letters, 0, letters.length)) return text
  }
  return -1
}

/** Words with such letters that have one of the pieces around this one; some come more than once. */
export function eachWordByPiece({ pieces, vocabulary }: Marks, letters: Uint8Array, visit: Visit): void {
  const { starts } = pieces
  const bits = oddLetters(letters, 0, letters.length)
  piecesAround(letters.length, (length, piece, at, size) => {
    const hash = hashOfPiece(length, piece, letters, at, at + size)
    const place = placeOf(pieces, hash)
    const from = beginOfPiece(piece, length)
    for (let i = starts[place]!; i < starts[place + 1]!; i++) {
      // Two changes change four of these bits at most.
      if (countBits(pieces.letters[i]! ^ bits) > 4) continue
      const word = valueUnder(pieces, i, hash)
      if (word < 0) continue
      const begin = vocabulary.beginOf(word)
      if (vocabulary.endOf(word) - begin === length && isSame(vocabulary.bytes, begin + from, letters, at, size))
        visit(word)
    }
  })
}

/** Words that begin with these letters. */
export function eachThatBegins({ vocabulary }: Marks, letters: Uint8Array, visit: Visit): void {
  const { bytes, size } = vocabulary
  const order = (word: number) => {
    const begin = beginOf(vocabulary, word)
    const length = Math.min(letters.length, endOf(vocabulary, word) - begin)
    for (let at = 0; at < length; at++) if (bytes[begin + at] !== letters[at]) return bytes[begin + at]! - letters[at]!
    return length - letters.length
  }
  let low = 0
  let high = size
  while (low < high) {
    const middle = (low + high) >>> 1
    if (order(middle) < 0) low = middle + 1
    else high = middle
  }
  for (; low < size && order(low) === 0; low++) visit(low)
}

function eachByForm(table: Table, texts: Texts, letters: Uint8Array, visit: Visit): void {
  eachFiled(table, texts, letters, letters.length, visit)
  if (letters.length < MIN_FORM_LENGTH || letters.length > MAX_FORM_LENGTH) return
  for (let left = 0; left < letters.length; left++)
    if (left === 0 || letters[left] !== letters[left - 1]) eachFiled(table, texts, letters, left, visit)
}

/** Texts filed under these letters without the one at `left`. */
function eachFiled(table: Table, texts: Texts, letters: Uint8Array, left: number, visit: Visit): void {
  const hash = hashWithout(letters, 0, letters.length, left)
  const place = placeOf(table, hash)
  for (let at = table.starts[place]!; at < table.starts[place + 1]!; at++) {
    const text = valueUnder(table, at, hash)
    if (text >= 0 && isFormOf(texts, text, letters, left)) visit(text)
  }
}

/** Whether the letters without one are the text, or the text without one of its own. */
function isFormOf(texts: Texts, text: number, letters: Uint8Array, left: number): boolean {
  const { bytes } = texts
  const begin = beginOf(texts, text)
  const length = endOf(texts, text) - begin
  const size = letters.length - (left < letters.length ? 1 : 0)
  if (length !== size && (length !== size + 1 || length < MIN_FORM_LENGTH || length > MAX_FORM_LENGTH)) return false
  let skipped = length - size
  for (let at = 0, from = 0; at < size; at++, from++) {
    if (from === left) from++
    let mine = begin + at + (length - size - skipped)
    if (bytes[mine] === letters[from]) continue
    if (skipped === 0) return false
    skipped = 0
    mine++
    if (bytes[mine] !== letters[from]) return false
  }
  return true
}

const beginOf = ({ begins, stride }: Texts, text: number) => begins[stride * text]!
const endOf = ({ begins, stride }: Texts, text: number) => begins[stride * (text + 1)]!

function isSame(bytes: Uint8Array, from: number, letters: Uint8Array, at: number, size: number): boolean {
  for (let i = 0; i < size; i++) if (bytes[from + i] !== letters[at + i]) return false
  return true
}
