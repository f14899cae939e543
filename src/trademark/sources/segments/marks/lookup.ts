import { beginOfPiece, LONGEST_FORM, piecesAround, SHORTEST_FORM } from '../../matching/words.ts'
import { patternOf } from './distance.ts'
import { hashOfPiece, hashWithout } from './hash.ts'
import { countBits, lettersOf } from './letters.ts'
import type { Marks } from './open.ts'
import { placeOf, type Table } from './table.ts'

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

/** Codes with one letter more, less, another, or two swapped; and the code itself. */
export function eachNearCode({ codes }: Marks, code: string, visit: Visit): void {
  const { distanceTo } = patternOf(code)
  const filed = new Set<number>()
  eachByForm(codes.forms, codes, Buffer.from(code, 'latin1'), (other) => filed.add(other))
  const near = [...filed].filter((other) => distanceTo(codes.bytes, beginOf(codes, other), endOf(codes, other)) <= 1)
  for (const other of near) visit(other)
}

export function findCode({ codes }: Marks, code: string): number {
  const letters = Buffer.from(code, 'latin1')
  let found = -1
  eachFiled(codes.forms, codes, letters, letters.length, (other) => {
    if (endOf(codes, other) - beginOf(codes, other) === letters.length) found = other
  })
  return found
}

/** Words with such letters that have one of the pieces around this one; some come more than once. */
export function eachWordByPiece({ pieces, vocabulary }: Marks, letters: Uint8Array, visit: Visit): void {
  const { starts, values } = pieces
  const bits = lettersOf(letters, 0, letters.length)
  piecesAround(letters.length, (length, piece, at, size) => {
    const place = placeOf(pieces, hashOfPiece(length, piece, letters, at, at + size))
    const from = beginOfPiece(piece, length)
    for (let i = starts[place]!; i < starts[place + 1]!; i++) {
      // Two changes change four of the letters at most.
      if (countBits(pieces.letters[i]! ^ bits) > 4) continue
      const word = values[i]!
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
  if (letters.length < SHORTEST_FORM || letters.length > LONGEST_FORM) return
  for (let left = 0; left < letters.length; left++)
    if (left === 0 || letters[left] !== letters[left - 1]) eachFiled(table, texts, letters, left, visit)
}

/** Texts filed under these letters without the one at `left`. */
function eachFiled(table: Table, texts: Texts, letters: Uint8Array, left: number, visit: Visit): void {
  const place = placeOf(table, hashWithout(letters, 0, letters.length, left))
  for (let at = table.starts[place]!; at < table.starts[place + 1]!; at++)
    if (isFormOf(texts, table.values[at]!, letters, left)) visit(table.values[at]!)
}

/** Whether the letters without one are the text, or the text without one of its own. */
function isFormOf(texts: Texts, text: number, letters: Uint8Array, left: number): boolean {
  const { bytes } = texts
  const begin = beginOf(texts, text)
  const length = endOf(texts, text) - begin
  const size = letters.length - (left < letters.length ? 1 : 0)
  if (length !== size && (length !== size + 1 || length < SHORTEST_FORM || length > LONGEST_FORM)) return false
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
