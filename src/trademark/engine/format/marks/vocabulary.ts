import { encodeWord, MAX_CODE_LENGTH, SPOKEN_CODES } from '../../../phonetic.ts'
import {
  beginOfPiece,
  isInPieces,
  MAX_FORM_LENGTH,
  PIECES,
  MIN_CODE_LENGTH,
  MIN_FORM_LENGTH,
} from '../../search/word-forms.ts'
import type { Sections } from '../segment-file.ts'
import { createNumberList, type NumberList } from '../number-list.ts'
import type { AsciiText } from '../segment.ts'
import { createTokenizer } from '../texts/tokenizer.ts'
import { createInterner, type Interner } from './interner.ts'
import { eachHashSkipping, finish, hashOfPiece, hashSkipping, mix, SEED } from '../hash.ts'
import { letterMask, letterParity } from './letter-masks.ts'
import { anyValueAt, buildHashTable } from './hash-table.ts'

export type Vocabulary = ReturnType<typeof createVocabulary>

/** The different words of a segment's marks and their phonetic codes. */
export function createVocabulary() {
  const words = createTokenizer(0)
  const codes = createInterner()
  /** Primary and alternate code of each word. */
  const pairs = createNumberList()
  /** The digit if the word is a single digit; otherwise a number that is not an index of `SPOKEN`. */
  const digitOf = (word: number) => {
    const begin = words.beginOf(word)
    return words.endOf(word) - begin === 1 ? words.bytes()[begin]! - 48 : -1
  }
  function addCodes(word: number): void {
    const token = words.bytes().toString('latin1', words.beginOf(word), words.endOf(word))
    for (const code of encodeWord(token)) pairs.push(codes.numberOf(code))
  }
  /** Of the spelling that was read last. */
  const spelling = { letters: 0, squash: 0 }
  /** Hash and length of the joint code that is being built. */
  let hash = SEED
  let length = 0
  const append = (bytes: Uint8Array, begin: number, end: number, maxLength: number) => {
    // A vowel counts only at the start of the joint code.
    let at = length > 0 && begin < end && bytes[begin] === VOWEL ? begin + 1 : begin
    for (; at < end && length < maxLength; at++, length++) hash = mix(hash, bytes[at]!)
  }
  return {
    words,
    codes,
    pairs,
    /** Adds the numbers of the words of a spelling to `into`. The result is overwritten by the next call. */
    read(name: string | AsciiText, into: NumberList): Spelling {
      const { bytes, begin, end, letters } = words.readAll(name)
      spelling.letters = 0
      for (let at = begin; at < end;) {
        let byte = bytes[at++]!
        let word = byte & 127
        for (let shift = 7; byte > 127; shift += 7) {
          byte = bytes[at++]!
          word |= (byte & 127) << shift
        }
        if (2 * word === pairs.length) addCodes(word)
        into.push(word)
        spelling.letters += words.endOf(word) - words.beginOf(word)
      }
      const lettersEnd = letters + spelling.letters
      spelling.squash = hashSkipping(bytes, letters, lettersEnd, lettersEnd)
      return spelling
    },
    /** Hashes of the joint codes of names[from, to), as `codesOfWords` builds them, without building the strings. */
    soundsOf(names: NumberList, from: number, to: number, visit: (hash: number) => void): void {
      const maxLength = to - from > 1 ? MAX_CODE_LENGTH : Infinity
      // Most names have no alternate code.
      let hasAlternate = false
      for (let which = 0; which === 0 || (which === 1 && hasAlternate); which++) {
        hash = SEED
        length = 0
        for (let at = from; at < to; at++) {
          const word = names.at(at)
          const spoken = to - from > 1 ? SPOKEN[digitOf(word)] : undefined
          const code = pairs.at(2 * word + which)
          hasAlternate ||= spoken !== undefined || code !== pairs.at(2 * word + 1)
          if (spoken) append(spoken[which]!, 0, spoken[which]!.length, maxLength)
          else append(codes.bytes, code === 0 ? 0 : codes.ends[code - 1]!, codes.ends[code]!, maxLength)
        }
        if (length >= MIN_CODE_LENGTH) visit(finish(hash))
      }
    },
  }
}

/** The number of letters in all words of a spelling, and the hash of these letters. */
type Spelling = { readonly letters: number; readonly squash: number }

const VOWEL = 65
const SPOKEN = SPOKEN_CODES.map((codes) => codes.map((code) => Buffer.from(code, 'latin1')))

/** Fields of a word's entry in `words.cards`, side by side because they are read together. */
export const WORD_ENTRY = { begin: 0, letters: 1, primary: 2, alternate: 3, list: 4, size: 5 } as const

/** The vocabulary with its words in this order, and its lookup tables. `lists` holds the start of each posting list. */
export function encodeVocabulary(vocabulary: Vocabulary, order: Uint32Array, lists: Uint32Array): Sections {
  const { bytes, begins } = reorderWords(vocabulary.words.trimmed(), order)
  const wordEntries = new Uint32Array(WORD_ENTRY.size * (order.length + 1))
  for (let word = 0; word <= order.length; word++) {
    const entryAt = WORD_ENTRY.size * word
    wordEntries[entryAt + WORD_ENTRY.begin] = begins[word]!
    wordEntries[entryAt + WORD_ENTRY.list] = lists[word]!
    if (word === order.length) continue
    wordEntries[entryAt + WORD_ENTRY.letters] = letterMask(bytes, begins[word]!, begins[word + 1]!)
    wordEntries[entryAt + WORD_ENTRY.primary] = vocabulary.pairs.at(2 * order[word]!)
    wordEntries[entryAt + WORD_ENTRY.alternate] = vocabulary.pairs.at(2 * order[word]! + 1)
  }
  const codes = { bytes: vocabulary.codes.trimmed().bytes, begins: new Uint32Array(vocabulary.codes.size + 1) }
  codes.begins.set(vocabulary.codes.trimmed().ends, 1)
  const forms = buildHashTable(bytes.length + order.length, order.length, (put) =>
    emitDeletionForms(bytes, begins, put),
  )
  const pieces = buildHashTable(PIECES * order.length, order.length, (put) => emitPieces(bytes, begins, put))
  const pieceLetters = new Uint16Array(pieces.starts.at(-1)!)
  for (let at = 0; at < pieceLetters.length; at++) {
    const word = anyValueAt(pieces, at)
    pieceLetters[at] = letterParity(bytes, begins[word]!, begins[word + 1]!)
  }
  const byCode = buildHashTable(vocabulary.codes.size, vocabulary.codes.size, (put) =>
    emitWhole(codes.bytes, codes.begins, put),
  )
  return {
    'words.bytes': bytes,
    'words.cards': wordEntries,
    'words.forms.starts': forms.starts,
    'words.forms.values': forms.values.bits,
    'words.pieces.starts': pieces.starts,
    'words.pieces.values': pieces.values.bits,
    'words.pieces.letters': new Uint8Array(pieceLetters.buffer),
    'codes.bytes': codes.bytes,
    'codes.begins': codes.begins,
    'codes.letters': Uint8Array.from(new Set(codes.bytes)).sort(),
    'codes.table.starts': byCode.starts,
    'codes.table.values': byCode.values.bits,
    ...encodeCodeWords(wordEntries, codes.begins),
  }
}

function reorderWords({ bytes, ends }: ReturnType<Interner['trimmed']>, order: Uint32Array) {
  const to = new Uint8Array(order.length === 0 ? 0 : ends[order.length - 1]!)
  const begins = new Uint32Array(order.length + 1)
  let end = 0
  for (let at = 0; at < order.length; at++) {
    const text = order[at]!
    for (let from = text === 0 ? 0 : ends[text - 1]!; from < ends[text]!; from++) to[end++] = bytes[from]!
    begins[at + 1] = end
  }
  return { bytes: to, begins }
}

/** The whole word and its deletion forms: the word without one letter, for each letter. */
function emitDeletionForms(bytes: Uint8Array, begins: Uint32Array, put: (hash: number, text: number) => void) {
  let text = 0
  const putForm = (hash: number) => put(hash, text)
  for (; text + 1 < begins.length; text++) {
    const begin = begins[text]!
    const end = begins[text + 1]!
    put(hashSkipping(bytes, begin, end, end), text)
    if (end - begin >= MIN_FORM_LENGTH && end - begin <= MAX_FORM_LENGTH) eachHashSkipping(bytes, begin, end, putForm)
  }
}

/** Codes that are long enough to be looked up. */
function emitWhole(bytes: Uint8Array, begins: Uint32Array, put: (hash: number, code: number) => void) {
  for (let code = 0; code + 1 < begins.length; code++) {
    const end = begins[code + 1]!
    if (end - begins[code]! >= MIN_CODE_LENGTH) put(hashSkipping(bytes, begins[code]!, end, end), code)
  }
}

function emitPieces(bytes: Uint8Array, begins: Uint32Array, put: (hash: number, word: number) => void) {
  for (let word = 0; word + 1 < begins.length; word++) {
    const begin = begins[word]!
    const length = begins[word + 1]! - begin
    if (!isInPieces(length)) continue
    for (let piece = 0; piece < PIECES; piece++) {
      const from = begin + beginOfPiece(piece, length)
      put(hashOfPiece(length, piece, bytes, from, begin + beginOfPiece(piece + 1, length)), word)
    }
  }
}

/** For each code that is long enough, the words that have it, as primary or alternate code. */
function encodeCodeWords(wordEntries: Uint32Array, begins: Uint32Array): Sections {
  const isLong = (code: number) => begins[code + 1]! - begins[code]! >= MIN_CODE_LENGTH
  const each = (put: (code: number, word: number) => void) => {
    for (
      let entryAt = 0, word = 0;
      entryAt + WORD_ENTRY.size < wordEntries.length;
      entryAt += WORD_ENTRY.size, word++
    ) {
      const primary = wordEntries[entryAt + WORD_ENTRY.primary]!
      const alternate = wordEntries[entryAt + WORD_ENTRY.alternate]!
      if (isLong(primary)) put(primary, word)
      if (alternate !== primary && isLong(alternate)) put(alternate, word)
    }
  }
  const codes = begins.length - 1
  const starts = new Uint32Array(codes + 1)
  each((code) => void starts[code + 1]!++)
  for (let code = 0; code < codes; code++) starts[code + 1]! += starts[code]!
  const words = new Uint32Array(starts[codes]!)
  const next = starts.slice(0, -1)
  each((code, word) => void (words[next[code]!++] = word))
  return { 'codes.starts': starts, 'codes.words': words }
}
