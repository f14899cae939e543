import type { Filter } from '../../search/store.ts'
import { type Blocks, blockValueAt, openBlocks } from '../blocks.ts'
import { openBitPacked, valueAt } from '../bit-packed.ts'
import type { SegmentReader } from '../segment.ts'
import { HAS_OTHERS, LIVES } from './marks-writer.ts'
import { openClasses, type OrdinalFilter } from './classes.ts'
import { openForwardIndex } from './forward-index.ts'
import { openTable, openWords } from './words-index.ts'

/** The marks of one segment: its sections, and access functions for them. */
export type MarksIndex = ReturnType<typeof openMarksIndex>

export function openMarksIndex(segment: SegmentReader) {
  const { numbers } = segment
  const words = openWords(segment)
  const { wordText } = words.vocabulary
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
    eachName: openForwardIndex(segment, words.size),
    bySquash: openTable(segment, 'marks.squash'),
    bySound: openTable(segment, 'marks.sound'),
    vocabulary: words.vocabulary,
    forms: words.forms,
    pieces: { ...openTable(segment, 'words.pieces'), letters: asUint16(segment.bytes('words.pieces.letters')) },
    codes: openCodes(segment),
    find: words.find,
    codesOfWord: words.codesOfWord,
    listOf: words.listOf,
    /** Document frequency: the length of the posting list less documents with a tombstone. */
    frequencyOf: (word: number): number =>
      words.listLength(word) - (gone ? segment.deletedFrequency(wordText(word)) : 0),
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

/** The phonetic codes of a segment and the words that have them. */
function openCodes(segment: SegmentReader) {
  const begins = segment.numbers('codes.begins')
  return {
    bytes: segment.bytes('codes.bytes'),
    begins,
    stride: 1,
    size: begins.length - 1,
    table: openTable(segment, 'codes.table'),
    /** The alphabet of codes. */
    letters: segment.bytes('codes.letters'),
    starts: segment.numbers('codes.starts'),
    words: segment.numbers('codes.words'),
  }
}

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
