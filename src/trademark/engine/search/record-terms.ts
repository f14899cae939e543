import { codesOf, codesOfWords } from '../../phonetic.ts'
import type { TrademarkRecord } from '../../record.ts'
import { tokenize } from '../../tokenize.ts'

/** What a record is found by. Every backend indexes exactly this, so that all find the same. */
export type RecordWords = {
  /** The different words of the mark and its other spellings together. */
  readonly mark: readonly string[]
  /** Each of these run together. */
  readonly squashes: readonly string[]
  /** How each of these sounds. */
  readonly codes: readonly string[]
  readonly goods: readonly string[]
  readonly owner: readonly string[]
}

const different = (words: Iterable<string>): string[] => [...new Set(words)]

export function wordsOf(record: Pick<TrademarkRecord, 'mark' | 'pseudoMarks' | 'goods' | 'owner'>): RecordWords {
  const names = different([record.mark, ...record.pseudoMarks])
    .map(tokenize)
    .filter((tokens) => tokens.length > 0)
  const squashes = names.map((tokens) => tokens.join(''))
  const codes = names.flatMap((tokens) => codesOfWords(tokens.map((token) => ({ token, codes: codesOf(token) }))))
  return {
    mark: different(names.flat()),
    squashes: different(squashes),
    codes: different(codes).filter((code) => code.length >= MIN_CODE_LENGTH),
    goods: different(tokenize(record.goods)),
    owner: different(tokenize(record.owner)),
  }
}

/** Marks come shortest first; among those longer than this length says nothing. */
export const MAX_MARK_LENGTH = 255

/** One sound alone is that of too many words. */
export const MIN_CODE_LENGTH = 2

/** Shorter words have too much in common with each other, longer ones are not compared letter by letter. */
export const MIN_FORM_LENGTH = 3
const MIN_IN_PIECES_LENGTH = 5
export const MAX_FORM_LENGTH = 31

/** All forms under which a word of the register is filed, so that words like it lead to it. */
export const formsOf = (word: string): string[] => [word, ...deletionsOf(word), ...piecesOf(word)]

/** The word without any one of its letters: words one slip apart have such a form, or themselves, in common. */
export function deletionsOf(word: string): string[] {
  if (word.length < MIN_FORM_LENGTH || word.length > MAX_FORM_LENGTH) return []
  const forms: string[] = []
  for (let at = 0; at < word.length; at++)
    // Of two same letters in a row either may go.
    if (at === 0 || word[at] !== word[at - 1]) forms.push(word.slice(0, at) + word.slice(at + 1))
  return forms
}

export const PIECES = 3
export const isInPieces = (length: number) => length >= MIN_IN_PIECES_LENGTH && length <= MAX_FORM_LENGTH
/** Where a piece begins: the last ones are the longer ones. */
export const beginOfPiece = (piece: number, length: number) =>
  piece * Math.floor(length / PIECES) + Math.max(0, piece - (PIECES - (length % PIECES)))
/** With blanks in it, so that it is no word. */
const pieceKey = (length: number, piece: number, letters: string) => `${length} ${piece} ${letters}`

/** A word in three pieces: two changes of a letter leave one of them whole. */
function piecesOf(word: string): string[] {
  const { length } = word
  if (!isInPieces(length)) return []
  return [0, 1, 2].map((piece) =>
    pieceKey(length, piece, word.slice(beginOfPiece(piece, length), beginOfPiece(piece + 1, length))),
  )
}

/**
 * The pieces that a word two changes away from one of this length may have left whole: of each length it may have, each
 * piece, at the few places to which the changes before and after it can have moved it (the partition scheme of
 * Pass-Join). `visit` gets the place of the piece in the word at hand.
 */
export function piecesAround(
  length: number,
  visit: (otherLength: number, piece: number, at: number, size: number) => void,
): void {
  const changes = PIECES - 1
  for (let other = length - changes; other <= length + changes; other++) {
    if (!isInPieces(other)) continue
    const grown = length - other
    for (let piece = 0; piece < PIECES; piece++) {
      const begin = beginOfPiece(piece, other)
      const size = beginOfPiece(piece + 1, other) - begin
      const first = Math.max(0, begin - piece, begin + grown - (changes - piece))
      const last = Math.min(length - size, begin + piece, begin + grown + (changes - piece))
      for (let at = first; at <= last; at++) visit(other, piece, at, size)
    }
  }
}

/** These pieces of a word, as `formsOf` files them. */
export function piecesNear(word: string): string[] {
  const keys: string[] = []
  piecesAround(word.length, (length, piece, at, size) => keys.push(pieceKey(length, piece, word.slice(at, at + size))))
  return keys
}
