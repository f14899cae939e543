import type { Codes } from '../../../phonetic.ts'
import type { Filter } from '../../search/store.ts'
import { type Blocks, blockValueAt, openBlocks } from '../blocks.ts'
import { openBitPacked, valueAt } from '../bit-packed.ts'
import type { SegmentReader } from '../segment.ts'
import { HAS_OTHERS, LIVES } from './marks-writer.ts'
import { openClasses, type OrdinalFilter } from './classes.ts'
import { hashOfText } from '../hash.ts'
import { openForwardIndex } from './forward-index.ts'
import { openHashTable, bucketOf, matchingValueAt } from './hash-table.ts'
import { WORD_ENTRY } from './vocabulary.ts'

/** The marks of one segment: its sections, and access functions for them. */
export type MarksIndex = ReturnType<typeof openMarksIndex>

export const NO_WORD = -1

export function openMarksIndex(segment: SegmentReader) {
  const { numbers } = segment
  const bytes = segment.bytes('words.bytes')
  const wordEntries = numbers('words.cards')
  const size = wordEntries.length / WORD_ENTRY.size - 1
  const table = (name: string) => openTableOf(segment, name)
  const lists = numbers('words.lists')
  const forms = table('words.forms')
  const buffer = bufferOf(bytes)
  const beginOf = (word: number) => wordEntries[WORD_ENTRY.size * word]!
  const letterMask = (word: number) => wordEntries[WORD_ENTRY.size * word + WORD_ENTRY.letters]!
  const endOf = (word: number) => wordEntries[WORD_ENTRY.size * word + WORD_ENTRY.size]!
  const countOf = (word: number) =>
    wordEntries[WORD_ENTRY.size * (word + 1) + WORD_ENTRY.list]! -
    wordEntries[WORD_ENTRY.size * word + WORD_ENTRY.list]!
  const isWord = (word: number, text: string) => {
    const begin = beginOf(word)
    if (endOf(word) - begin !== text.length) return false
    for (let at = 0; at < text.length; at++) if (bytes[begin + at] !== text.charCodeAt(at)) return false
    return true
  }
  const wordText = (word: number) => buffer.toString('latin1', beginOf(word), endOf(word))
  const codeBegins = numbers('codes.begins')
  const codeBuffer = bufferOf(segment.bytes('codes.bytes'))
  const codeAt = (code: number) => codeBuffer.toString('latin1', codeBegins[code], codeBegins[code + 1])
  const ordinals = openBlocks(numbers('marks.numbers'))
  const lengthEnds = numbers('marks.length-ends')
  const life = openBitPacked(numbers('marks.life'))
  const inClass = openClasses(segment, ordinals.length)
  const gone = segment.tombstones && byOrdinal(segment.tombstones, ordinals)
  const isGone = (ordinal: number) => gone !== null && (gone[ordinal >>> 5]! & (1 << (ordinal & 31))) !== 0

  /** Length of the mark asked about last; the next one is usually as long. */
  let length = 0

  return {
    count: ordinals.length,
    /** The document number of an ordinal. */
    numberOf: (ordinal: number): number => blockValueAt(ordinals, ordinal),
    lengthOf(ordinal: number): number {
      while (lengthEnds[length]! <= ordinal) length++
      while (length > 0 && lengthEnds[length - 1]! > ordinal) length--
      return length
    },
    eachName: openForwardIndex(segment, size),
    bySquash: table('marks.squash'),
    bySound: table('marks.sound'),
    vocabulary: {
      bytes,
      begins: wordEntries,
      stride: WORD_ENTRY.size,
      size,
      wordEntries,
      beginOf,
      endOf,
      letterMask,
      wordText,
    },
    forms,
    pieces: { ...table('words.pieces'), letters: asUint16(segment.bytes('words.pieces.letters')) },
    codes: openCodes(segment),
    /** The word's number, or `NO_WORD`. */
    find(text: string): number {
      const hash = hashOfText(text)
      const ordinal = bucketOf(forms, hash)
      for (let at = forms.starts[ordinal]!; at < forms.starts[ordinal + 1]!; at++) {
        const word = matchingValueAt(forms, at, hash)
        if (word >= 0 && isWord(word, text)) return word
      }
      return NO_WORD
    },
    /** A word and its phonetic codes. */
    codesOfWord(word: number): { readonly token: string; readonly codes: Codes } {
      const entryAt = WORD_ENTRY.size * word
      const primary = codeAt(wordEntries[entryAt + WORD_ENTRY.primary]!)
      const hasOneCode = wordEntries[entryAt + WORD_ENTRY.primary] === wordEntries[entryAt + WORD_ENTRY.alternate]
      return {
        token: wordText(word),
        codes: [primary, hasOneCode ? primary : codeAt(wordEntries[entryAt + WORD_ENTRY.alternate]!)],
      }
    },
    listOf: (word: number): Uint32Array =>
      lists.subarray(
        wordEntries[WORD_ENTRY.size * word + WORD_ENTRY.list],
        wordEntries[WORD_ENTRY.size * (word + 1) + WORD_ENTRY.list],
      ),
    /** Document frequency: the length of the posting list less documents with a tombstone. */
    frequencyOf: (word: number): number => countOf(word) - (gone ? segment.deletedFrequency(wordText(word)) : 0),
    /** Whether the mark has no spelling beside itself. */
    isOneSpelling: (ordinal: number): boolean => valueAt(life, ordinal) < HAS_OTHERS,
    /** The marks that pass a filter; null if none can. */
    keeping({ life: wanted, class: only }: Filter): OrdinalFilter | null {
      const ofClass = only === undefined ? null : inClass(only)
      if (only !== undefined && ofClass === null) return null
      const number = wanted === 'all' ? -1 : LIVES.indexOf(wanted)
      return (ordinal) =>
        (number < 0 || (valueAt(life, ordinal) & (HAS_OTHERS - 1)) === number) &&
        (ofClass === null || ofClass(ordinal)) &&
        !isGone(ordinal)
    },
  }
}

const openTableOf = ({ numbers }: SegmentReader, name: string) =>
  openHashTable(numbers(`${name}.starts`), numbers(`${name}.values`))

/** The phonetic codes of a segment and the words that have them. */
function openCodes(segment: SegmentReader) {
  const begins = segment.numbers('codes.begins')
  return {
    bytes: segment.bytes('codes.bytes'),
    begins,
    stride: 1,
    size: begins.length - 1,
    table: openTableOf(segment, 'codes.table'),
    /** The alphabet of codes. */
    letters: segment.bytes('codes.letters'),
    starts: segment.numbers('codes.starts'),
    words: segment.numbers('codes.words'),
  }
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)

const asUint16 = ({ buffer, byteOffset, byteLength }: Uint8Array) => new Uint16Array(buffer, byteOffset, byteLength / 2)

/** Turns a bitmap by document number into one by ordinal. */
function byOrdinal(tombstones: Uint8Array, numbers: Blocks): Uint32Array {
  const bits = new Uint32Array(Math.ceil(numbers.length / 32))
  for (let ordinal = 0; ordinal < numbers.length; ordinal++) {
    const number = blockValueAt(numbers, ordinal)
    if ((tombstones[number >>> 3]! & (1 << (number & 7))) !== 0) bits[ordinal >>> 5]! |= 1 << (ordinal & 31)
  }
  return bits
}
