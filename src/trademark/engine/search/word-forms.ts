/** Marks are ordered by length, shortest first; all marks from this length on count as equally long. */
export const MAX_MARK_LENGTH = 255

/** Too many words have a phonetic code of a single sound. */
export const MIN_CODE_LENGTH = 2

/** Deletion forms: words of up to edit distance 1 share one. Shorter words would share one with too many others. */
export const MIN_FORM_LENGTH = 3
/** Longer words are not compared letter by letter. */
export const MAX_FORM_LENGTH = 31

const MIN_IN_PIECES_LENGTH = 5
/** A word is cut into three pieces: two edits leave at least one of them intact. */
export const PIECES = 3
export const isInPieces = (length: number) => length >= MIN_IN_PIECES_LENGTH && length <= MAX_FORM_LENGTH
/** Start offset of a piece. If the length is not divisible by three, the last pieces are one letter longer. */
export const beginOfPiece = (piece: number, length: number) =>
  piece * Math.floor(length / PIECES) + Math.max(0, piece - (PIECES - (length % PIECES)))

/**
 * Visits the pieces that a word within two edits of a word of this length may have in common with it (the partition scheme of
 * Pass-Join): for each length that the other word may have, each of its pieces, at each offset `at` in this word to which the
 * edits can have moved it.
 */
export function piecesAround(
  length: number,
  visit: (otherLength: number, piece: number, at: number, size: number) => void,
): void {
  const edits = PIECES - 1
  for (let other = length - edits; other <= length + edits; other++) {
    if (!isInPieces(other)) continue
    const grown = length - other
    for (let piece = 0; piece < PIECES; piece++) {
      const begin = beginOfPiece(piece, other)
      const size = beginOfPiece(piece + 1, other) - begin
      const first = Math.max(0, begin - piece, begin + grown - (edits - piece))
      const last = Math.min(length - size, begin + piece, begin + grown + (edits - piece))
      for (let at = first; at <= last; at++) visit(other, piece, at, size)
    }
  }
}
