import type { Codes } from '../../../phonetic.ts'
import type { Filter } from '../../search/store.ts'
import { type Blocks, blockValueAt, openBlocks } from '../blocks.ts'
import { openBitPacked, valueAt } from '../bit-packed.ts'
import type { SegmentReader } from '../segment.ts'
import { HAS_OTHERS, LIVES } from './marks-writer.ts'
import { openClasses, type OrdinalFilter } from './classes.ts'
import { hashOfText } from '../hash.ts'
import { openForwardIndex } from './forward-index.ts'
import { openHashTable, placeOf, matchingValueAt } from './hash-table.ts'
import { WORD_ENTRY } from './vocabulary.ts'

/** The marks of one segment: its lists as they were written, and the little that all who read them need. */
export type MarksIndex = ReturnType<typeof openMarksIndex>

export const NO_WORD = -1

export function openMarksIndex(segment: SegmentReader) {
  const { numbers } = segment
  const bytes = segment.bytes('words.bytes')
  const cards = numbers('words.cards')
  const size = cards.length / WORD_ENTRY.size - 1
  const table = (name: string) => openHashTable(numbers(`${name}.starts`), numbers(`${name}.values`))
  const lists = numbers('words.lists')
  const forms = table('words.forms')
  const buffer = bufferOf(bytes)
  const beginOf = (word: number) => cards[WORD_ENTRY.size * word]!
  const letterMask = (word: number) => cards[WORD_ENTRY.size * word + WORD_ENTRY.letters]!
  const endOf = (word: number) => cards[WORD_ENTRY.size * word + WORD_ENTRY.size]!
  const countOf = (word: number) =>
    cards[WORD_ENTRY.size * (word + 1) + WORD_ENTRY.list]! - cards[WORD_ENTRY.size * word + WORD_ENTRY.list]!
  const isWord = (word: number, text: string) => {
    const begin = beginOf(word)
    if (endOf(word) - begin !== text.length) return false
    for (let at = 0; at < text.length; at++) if (bytes[begin + at] !== text.charCodeAt(at)) return false
    return true
  }
  const tokenOf = (word: number) => buffer.toString('latin1', beginOf(word), endOf(word))
  const codeBytes = segment.bytes('codes.bytes')
  const codeBegins = numbers('codes.begins')
  const codeBuffer = bufferOf(codeBytes)
  const codeAt = (code: number) => codeBuffer.toString('latin1', codeBegins[code], codeBegins[code + 1])
  const places = openBlocks(numbers('marks.numbers'))
  const lengthEnds = numbers('marks.length-ends')
  const life = openBitPacked(numbers('marks.life'))
  const inClass = openClasses(segment, places.length)
  const gone = segment.superseded && atPlaces(segment.superseded, places)
  const isGone = (place: number) => gone !== null && (gone[place >>> 5]! & (1 << (place & 31))) !== 0

  /** Of the mark that was last asked about: the next one is mostly as long. */
  let length = 0

  return {
    count: places.length,
    /** The number of the record whose mark has this place. */
    numberOf: (place: number): number => blockValueAt(places, place),
    lengthOf(place: number): number {
      while (lengthEnds[length]! <= place) length++
      while (length > 0 && lengthEnds[length - 1]! > place) length--
      return length
    },
    eachName: openForwardIndex(segment, size),
    bySquash: table('marks.squash'),
    bySound: table('marks.sound'),
    vocabulary: { bytes, begins: cards, stride: WORD_ENTRY.size, size, cards, beginOf, endOf, letterMask, tokenOf },
    forms,
    pieces: { ...table('words.pieces'), letters: halvesOf(segment.bytes('words.pieces.letters')) },
    codes: {
      bytes: codeBytes,
      begins: codeBegins,
      stride: 1,
      size: codeBegins.length - 1,
      table: table('codes.table'),
      /** All that codes are written with. */
      letters: segment.bytes('codes.letters'),
      starts: numbers('codes.starts'),
      words: numbers('codes.words'),
    },
    /** The number of a word, or `NO_WORD`. */
    find(text: string): number {
      const hash = hashOfText(text)
      const place = placeOf(forms, hash)
      for (let at = forms.starts[place]!; at < forms.starts[place + 1]!; at++) {
        const word = matchingValueAt(forms, at, hash)
        if (word >= 0 && isWord(word, text)) return word
      }
      return NO_WORD
    },
    /** How a word sounds. */
    soundOf(word: number): { readonly token: string; readonly codes: Codes } {
      const card = WORD_ENTRY.size * word
      const primary = codeAt(cards[card + WORD_ENTRY.primary]!)
      const isOne = cards[card + WORD_ENTRY.primary] === cards[card + WORD_ENTRY.alternate]
      return { token: tokenOf(word), codes: [primary, isOne ? primary : codeAt(cards[card + WORD_ENTRY.alternate]!)] }
    },
    listOf: (word: number): Uint32Array =>
      lists.subarray(
        cards[WORD_ENTRY.size * word + WORD_ENTRY.list],
        cards[WORD_ENTRY.size * (word + 1) + WORD_ENTRY.list],
      ),
    /** In how many marks a word is, without those that later segments have anew. */
    frequencyOf: (word: number): number => countOf(word) - (gone ? segment.forgotten(tokenOf(word)) : 0),
    /** Whether the mark has no other spellings. */
    isOneSpelling: (place: number): boolean => valueAt(life, place) < HAS_OTHERS,
    /** Which marks a filter lets through: null where none. */
    keeping({ life: wanted, class: only }: Filter): OrdinalFilter | null {
      const ofClass = only === undefined ? null : inClass(only)
      if (only !== undefined && ofClass === null) return null
      const number = wanted === 'all' ? -1 : LIVES.indexOf(wanted)
      return (place) =>
        (number < 0 || (valueAt(life, place) & (HAS_OTHERS - 1)) === number) &&
        (ofClass === null || ofClass(place)) &&
        !isGone(place)
    },
  }
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)

const halvesOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new Uint16Array(buffer, byteOffset, byteLength / 2)

/** Bits by number of the record as bits by place of the mark. */
function atPlaces(superseded: Uint8Array, numbers: Blocks): Uint32Array {
  const bits = new Uint32Array(Math.ceil(numbers.length / 32))
  for (let place = 0; place < numbers.length; place++) {
    const number = blockValueAt(numbers, place)
    if ((superseded[number >>> 3]! & (1 << (number & 7))) !== 0) bits[place >>> 5]! |= 1 << (place & 31)
  }
  return bits
}
