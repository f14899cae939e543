import { statusOf } from '../../../statuses.ts'
import { MAX_MARK_LENGTH } from '../../search/word-forms.ts'
import { encodeBlocks } from '../blocks.ts'
import type { Sections } from '../segment-file.ts'
import { createByteList, createNumberList } from '../number-list.ts'
import { bitPack } from '../bit-packed.ts'
import { sortByKey } from '../radix-sort.ts'
import type { AsciiText, FieldIndexWriter, IndexedRecord } from '../segment.ts'
import type { SpillFile } from '../spill-file.ts'
import { encodeClasses } from './classes.ts'
import type { Interner } from './interner.ts'
import { createRecordValues, type RecordValues } from './record-values.ts'
import { SPELLING_SEPARATOR, encodeForwardIndex } from './forward-index.ts'
import { sortAlphabetically } from './sort-words.ts'
import { buildHashTable } from './hash-table.ts'
import { createVocabulary, encodeVocabulary } from './vocabulary.ts'

export const LIVES = ['live', 'dead', 'indifferent'] as const
/** Flag in a mark's life value: it has spellings beside the mark itself. */
export const HAS_OTHERS = 4

/**
 * Index of marks by word, by all words run together (the "squash") and by sound. Marks are numbered by *ordinal*:
 * shortest first, then by serial number, so every posting list is in the order in which candidates are looked at.
 * Documents without a word in any spelling have no ordinal.
 */
export function createMarksWriter(spill: SpillFile | null = null): FieldIndexWriter {
  const vocabulary = createVocabulary()
  const classes = new Map<string, number>()
  /** By document number. */
  const lengths = createByteList(spill)
  const lives = createByteList(spill)
  /** The word numbers of each document one after the other, and the end offset of each document. */
  const words = createNumberList(spill)
  const wordEnds = createNumberList(spill)
  const squashes = createRecordValues(spill)
  const sounds = createRecordValues(spill)
  const classLists = createRecordValues(spill)
  const lists = [lengths, lives, words, wordEnds, squashes, sounds, classLists]

  const addSound = (hash: number) => sounds.put(hash)
  return {
    add(record) {
      let length = 0
      let hasOthers = false
      const { mark, pseudoMarks } = record
      for (let at = -1; at < pseudoMarks.length; at++) {
        // The mark, even if it is empty, and the different pseudo marks.
        if (at >= 0 && isRepeated(mark, pseudoMarks, at)) continue
        const from = words.length
        if (at >= 0) words.push(SPELLING_SEPARATOR)
        const { letters, squash } = vocabulary.read(at < 0 ? mark : pseudoMarks[at]!, words)
        if (letters === 0) {
          words.truncate(from)
          continue
        }
        hasOthers ||= at >= 0
        if (length === 0) length = letters
        squashes.put(squash)
        vocabulary.soundsOf(words, at >= 0 ? from + 1 : from, words.length, addSound)
      }
      for (const one of record.classes) classLists.put(numberOf(classes, one))
      lengths.push(Math.min(length, MAX_MARK_LENGTH))
      lives.push(LIVES.indexOf(statusOf(record.status).life) + (hasOthers ? HAS_OTHERS : 0))
      wordEnds.push(words.length)
      squashes.end()
      sounds.end()
      classLists.end()
    },
    settle() {
      for (const list of lists) list.settle()
    },
    *finish(serials) {
      const order = sortMarks(serials, lengths.view())
      const livesOf = lives.view()
      yield {
        'marks.numbers': encodeBlocks(order),
        'marks.length-ends': cumulativeCounts(lengths.view()),
        'marks.life': bitPack(order.length, HAS_OTHERS + LIVES.length - 1, (ordinal) => livesOf[order[ordinal]!]!),
      }
      yield encodeClasses([...classes.keys()], order, classLists)
      classLists.free()
      yield hashTableSections('marks.squash', squashes, order)
      squashes.free()
      yield hashTableSections('marks.sound', sounds, order)
      sounds.free()
      const renumbered = renumber(vocabulary.words.trimmed())
      const size = renumbered.order.length
      let texts: ReturnType<typeof encodeWords> | null = encodeWords(
        order,
        words.view(),
        wordEnds.view(),
        renumbered.to,
      )
      words.free()
      wordEnds.free()
      yield encodeForwardIndex(texts.words, texts.ends, size)
      const { starts, lists } = invertWords(texts.words, texts.ends, size)
      texts = null
      yield { 'words.lists': lists }
      yield encodeVocabulary(vocabulary, renumbered.order, starts)
    },
  }
}

function hashTableSections(name: string, values: RecordValues, order: Uint32Array): Sections {
  const table = buildHashTable(values.values.length, order.length, values.emit(order))
  return { [`${name}.starts`]: table.starts, [`${name}.values`]: table.values.bits }
}

/** Whether a pseudo mark is the same as the mark or as one before it. */
function isRepeated(mark: string | AsciiText, pseudoMarks: IndexedRecord['pseudoMarks'], at: number): boolean {
  const name = pseudoMarks[at]!
  if (isSameText(name, mark)) return true
  for (let before = 0; before < at; before++) if (isSameText(name, pseudoMarks[before]!)) return true
  return false
}

/** The texts of one record are either all strings or all in its bytes. */
function isSameText(a: string | AsciiText, b: string | AsciiText): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b
  if (a.end - a.begin !== b.end - b.begin) return false
  for (let at = 0; at < a.end - a.begin; at++) if (a.bytes[a.begin + at] !== b.bytes[b.begin + at]) return false
  return true
}

function numberOf(known: Map<string, number>, text: string): number {
  let number = known.get(text)
  if (number === undefined) known.set(text, (number = known.size))
  return number
}

function sortMarks(serials: Uint32Array, lengths: Uint8Array): Uint32Array {
  const numbers = createNumberList()
  for (let number = 0; number < lengths.length; number++) if (lengths[number]! > 0) numbers.push(number)
  const bySerial = sortByKey(numbers.view(), (number) => serials[number]!, 2 ** 32 - 1)
  return sortByKey(bySerial, (number) => lengths[number]!, MAX_MARK_LENGTH)
}

/** For each length, how many marks are at most that long. Marks without a word do not count. */
function cumulativeCounts(lengths: Uint8Array): Uint32Array {
  const ends = new Uint32Array(MAX_MARK_LENGTH + 1)
  for (let number = 0; number < lengths.length; number++) ends[lengths[number]!]!++
  ends[0] = 0
  for (let length = 1; length <= MAX_MARK_LENGTH; length++) ends[length]! += ends[length - 1]!
  return ends
}

/** Word numbers follow the alphabet, so that words with a common prefix are neighbours. */
function renumber({ bytes, ends }: ReturnType<Interner['trimmed']>) {
  const order = sortAlphabetically(bytes, ends)
  const to = new Uint32Array(order.length)
  for (let number = 0; number < order.length; number++) to[order[number]!] = number
  return { order, to }
}

function encodeWords(order: Uint32Array, words: Uint32Array, wordEnds: Uint32Array, to: Uint32Array) {
  const packed = new Uint32Array(words.length)
  const ends = new Uint32Array(order.length)
  let end = 0
  for (let ordinal = 0; ordinal < order.length; ordinal++) {
    const number = order[ordinal]!
    for (let at = number === 0 ? 0 : wordEnds[number - 1]!; at < wordEnds[number]!; at++)
      packed[end++] = words[at] === SPELLING_SEPARATOR ? SPELLING_SEPARATOR : to[words[at]!]!
    ends[ordinal] = end
  }
  return { words: packed.subarray(0, end), ends }
}

/** The posting list of each word: the ordinals of the marks that have it. */
function invertWords(words: Uint32Array, ends: Uint32Array, size: number) {
  const isFirst = (begin: number, at: number) => {
    for (let before = begin; before < at; before++) if (words[before] === words[at]) return false
    return words[at] !== SPELLING_SEPARATOR
  }
  const each = (put: (word: number, ordinal: number) => void) => {
    for (let ordinal = 0, begin = 0; ordinal < ends.length; begin = ends[ordinal++]!)
      for (let at = begin; at < ends[ordinal]!; at++) if (isFirst(begin, at)) put(words[at]!, ordinal)
  }
  const starts = new Uint32Array(size + 1)
  each((word) => void starts[word + 1]!++)
  for (let word = 0; word < size; word++) starts[word + 1]! += starts[word]!
  const lists = new Uint32Array(starts[size]!)
  const next = starts.slice(0, -1)
  each((word, ordinal) => void (lists[next[word]!++] = ordinal))
  return { starts, lists }
}
