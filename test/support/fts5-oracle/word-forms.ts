import {
  beginOfPiece,
  isInPieces,
  MAX_FORM_LENGTH,
  MIN_FORM_LENGTH,
  piecesAround,
} from '../../../src/trademark/engine/search/word-forms.ts'

/** All forms under which a word is stored, so that similar words find it. */
export const formsOf = (word: string): string[] => [word, ...deletionsOf(word), ...piecesOf(word)]

/** The word without one letter, for each letter. Words one edit apart share such a form, or one is a form of the other. */
export function deletionsOf(word: string): string[] {
  if (word.length < MIN_FORM_LENGTH || word.length > MAX_FORM_LENGTH) return []
  const forms: string[] = []
  for (let at = 0; at < word.length; at++)
    // Deleting either of two equal neighbours gives the same form.
    if (at === 0 || word[at] !== word[at - 1]) forms.push(word.slice(0, at) + word.slice(at + 1))
  return forms
}

/** Has spaces, so that it never equals a word. */
const pieceKey = (length: number, piece: number, letters: string) => `${length} ${piece} ${letters}`

function piecesOf(word: string): string[] {
  const { length } = word
  if (!isInPieces(length)) return []
  return [0, 1, 2].map((piece) =>
    pieceKey(length, piece, word.slice(beginOfPiece(piece, length), beginOfPiece(piece + 1, length))),
  )
}

/** The pieces that words within two edits of this word may have, as `formsOf` stores them. */
export function piecesNear(word: string): string[] {
  const keys: string[] = []
  piecesAround(word.length, (length, piece, at, size) => keys.push(pieceKey(length, piece, word.slice(at, at + size))))
  return keys
}
