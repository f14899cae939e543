import type { Codes } from '../../../phonetic.ts'
import { hashOfText } from '../hash.ts'
import type { SegmentReader } from '../segment.ts'
import { bucketOf, matchingValueAt, openHashTable } from './hash-table.ts'
import { WORD_ENTRY } from './vocabulary.ts'

export const NO_WORD = -1

/** Words of a segment that each thread keeps as strings: the same common words come up in search after search. */
const WORD_CACHE_SLOTS = 1 << 14

type SpokenWord = { readonly token: string; readonly codes: Codes }

/** The words of a segment's marks: their letters, phonetic codes and posting lists. */
export function openWords(segment: SegmentReader) {
  const { numbers } = segment
  const bytes = segment.bytes('words.bytes')
  const wordEntries = numbers('words.cards')
  const size = wordEntries.length / WORD_ENTRY.size - 1
  const lists = numbers('words.lists')
  const forms = openTable(segment, 'words.forms')
  const buffer = bufferOf(bytes)
  const beginOf = (word: number) => wordEntries[WORD_ENTRY.size * word]!
  const letterMask = (word: number) => wordEntries[WORD_ENTRY.size * word + WORD_ENTRY.letters]!
  const endOf = (word: number) => wordEntries[WORD_ENTRY.size * word + WORD_ENTRY.size]!
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
  const decodeWord = (word: number): SpokenWord => {
    const entryAt = WORD_ENTRY.size * word
    const primary = codeAt(wordEntries[entryAt + WORD_ENTRY.primary]!)
    const hasOneCode = wordEntries[entryAt + WORD_ENTRY.primary] === wordEntries[entryAt + WORD_ENTRY.alternate]
    return {
      token: wordText(word),
      codes: [primary, hasOneCode ? primary : codeAt(wordEntries[entryAt + WORD_ENTRY.alternate]!)],
    }
  }
  /** Direct-mapped: a word replaces whichever word was in its slot. */
  const cachedWords = new Int32Array(WORD_CACHE_SLOTS).fill(NO_WORD)
  const cached: SpokenWord[] = []

  return {
    size,
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
    codesOfWord(word: number): SpokenWord {
      const slot = word & (WORD_CACHE_SLOTS - 1)
      if (cachedWords[slot] !== word) {
        cached[slot] = decodeWord(word)
        cachedWords[slot] = word
      }
      return cached[slot]!
    },
    listOf: (word: number): Uint32Array =>
      lists.subarray(
        wordEntries[WORD_ENTRY.size * word + WORD_ENTRY.list],
        wordEntries[WORD_ENTRY.size * (word + 1) + WORD_ENTRY.list],
      ),
    /** Length of the posting list. */
    listLength: (word: number): number =>
      wordEntries[WORD_ENTRY.size * (word + 1) + WORD_ENTRY.list]! -
      wordEntries[WORD_ENTRY.size * word + WORD_ENTRY.list]!,
  }
}

export const openTable = ({ numbers }: SegmentReader, name: string) =>
  openHashTable(numbers(`${name}.starts`), numbers(`${name}.values`))

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
