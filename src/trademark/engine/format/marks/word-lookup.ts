import { beginOfPiece, MAX_FORM_LENGTH, piecesAround, MIN_FORM_LENGTH } from '../../search/word-forms.ts'
import { hashOfPiece, hashSkipping } from '../hash.ts'
import { popCount, letterParity } from './letter-masks.ts'
import type { MarksIndex } from './marks-index.ts'
import { bucketOf, type HashTable, matchingValueAt } from './hash-table.ts'

/** Terms one after the other; every `stride`-th entry of `begins` stores a start offset. */
type TermBytes = {
  readonly bytes: Uint8Array
  readonly begins: Uint32Array
  readonly stride: number
  readonly size: number
}
type Visit = (number: number) => void

/** Visits words that share a deletion form with this one; some more than once. */
export const eachWordByDeletion = ({ forms, vocabulary }: MarksIndex, letters: Uint8Array, visit: Visit): void =>
  eachByDeletion(forms, vocabulary, letters, visit)

/**
 * Visits codes at most one edit away, the code itself included. The alphabet of codes is small, so all candidates are
 * generated and looked up; a table of deletion forms would be no faster and take memory.
 */
export function eachNearCode({ codes }: MarksIndex, code: string, visit: Visit): void {
  const { length } = code
  const found = new Set<number>()
  const tryCode = (letters: Uint8Array) => {
    const number = findText(codes.table, codes, letters)
    if (number >= 0) found.add(number)
  }
  const letters = Buffer.from(code, 'latin1')
  tryCode(letters)
  if (length <= MAX_FORM_LENGTH) {
    const fewer = Uint8Array.from(letters.subarray(1))
    for (let at = 0; at < length; at++) {
      if (at > 0) fewer[at - 1] = letters[at - 1]!
      tryCode(fewer)
      const own = letters[at]!
      eachOther(codes.letters, letters, at, tryCode)
      if (at + 1 === length) continue
      letters[at] = letters[at + 1]!
      letters[at + 1] = own
      tryCode(letters)
      letters[at + 1] = letters[at]!
      letters[at] = own
    }
  }
  if (length < MAX_FORM_LENGTH) {
    const more = Buffer.concat([letters.subarray(0, 1), letters])
    for (let at = 0; at <= length; at++) {
      if (at > 0) more[at - 1] = letters[at - 1]!
      eachOther(codes.letters, more, at, tryCode)
    }
  }
  for (const other of found) visit(other)
}

/** Tries every letter at this position. */
function eachOther(all: Uint8Array, letters: Uint8Array, at: number, tryCode: (letters: Uint8Array) => void): void {
  const own = letters[at]!
  for (let one = 0; one < all.length; one++) {
    letters[at] = all[one]!
    tryCode(letters)
  }
  letters[at] = own
}

/** The number of a code, or -1. */
export const findCode = ({ codes }: MarksIndex, code: string): number =>
  findText(codes.table, codes, Buffer.from(code, 'latin1'))

/** The number of the term with these letters, or -1. */
function findText(table: HashTable, terms: TermBytes, letters: Uint8Array): number {
  const hash = hashSkipping(letters, 0, letters.length, letters.length)
  const bucket = bucketOf(table, hash)
  for (let at = table.starts[bucket]!; at < table.starts[bucket + 1]!; at++) {
    const term = matchingValueAt(table, at, hash)
    if (term < 0) continue
    const begin = beginOf(terms, term)
    const isSameLength = endOf(terms, term) - begin === letters.length
    if (isSameLength && isSame(terms.bytes, begin, letters, 0, letters.length)) return term
  }
  return -1
}

/** Visits words within two edits that share a piece with this one (Pass-Join); some more than once. */
export function eachWordByPiece({ pieces, vocabulary }: MarksIndex, letters: Uint8Array, visit: Visit): void {
  const { starts } = pieces
  const bits = letterParity(letters, 0, letters.length)
  piecesAround(letters.length, (length, piece, at, size) => {
    const hash = hashOfPiece(length, piece, letters, at, at + size)
    const bucket = bucketOf(pieces, hash)
    const from = beginOfPiece(piece, length)
    for (let i = starts[bucket]!; i < starts[bucket + 1]!; i++) {
      // Two edits change at most four parity bits.
      if (popCount(pieces.letters[i]! ^ bits) > 4) continue
      const word = matchingValueAt(pieces, i, hash)
      if (word < 0) continue
      const begin = vocabulary.beginOf(word)
      if (vocabulary.endOf(word) - begin === length && isSame(vocabulary.bytes, begin + from, letters, at, size))
        visit(word)
    }
  })
}

/** Visits words with this prefix, by binary search. */
export function eachWordWithPrefix({ vocabulary }: MarksIndex, letters: Uint8Array, visit: Visit): void {
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

function eachByDeletion(table: HashTable, terms: TermBytes, letters: Uint8Array, visit: Visit): void {
  eachInBucket(table, terms, letters, letters.length, visit)
  if (letters.length < MIN_FORM_LENGTH || letters.length > MAX_FORM_LENGTH) return
  for (let skipped = 0; skipped < letters.length; skipped++)
    if (skipped === 0 || letters[skipped] !== letters[skipped - 1]) eachInBucket(table, terms, letters, skipped, visit)
}

/** Visits terms stored under these letters without the one at `skipped`. */
function eachInBucket(table: HashTable, terms: TermBytes, letters: Uint8Array, skipped: number, visit: Visit): void {
  const hash = hashSkipping(letters, 0, letters.length, skipped)
  const bucket = bucketOf(table, hash)
  for (let at = table.starts[bucket]!; at < table.starts[bucket + 1]!; at++) {
    const term = matchingValueAt(table, at, hash)
    if (term >= 0 && isDeletionMatch(terms, term, letters, skipped)) visit(term)
  }
}

/** Whether the letters without the one at `skipped` are the term, or the term without one of its letters. */
function isDeletionMatch(terms: TermBytes, term: number, letters: Uint8Array, skipped: number): boolean {
  const { bytes } = terms
  const begin = beginOf(terms, term)
  const length = endOf(terms, term) - begin
  const size = letters.length - (skipped < letters.length ? 1 : 0)
  if (length !== size && (length !== size + 1 || length < MIN_FORM_LENGTH || length > MAX_FORM_LENGTH)) return false
  let extra = length - size
  for (let at = 0, from = 0; at < size; at++, from++) {
    if (from === skipped) from++
    let mine = begin + at + (length - size - extra)
    if (bytes[mine] === letters[from]) continue
    if (extra === 0) return false
    extra = 0
    mine++
    if (bytes[mine] !== letters[from]) return false
  }
  return true
}

const beginOf = ({ begins, stride }: TermBytes, term: number) => begins[stride * term]!
const endOf = ({ begins, stride }: TermBytes, term: number) => begins[stride * (term + 1)]!

function isSame(bytes: Uint8Array, from: number, letters: Uint8Array, at: number, size: number): boolean {
  for (let i = 0; i < size; i++) if (bytes[from + i] !== letters[at + i]) return false
  return true
}
