import type { TrademarkRecord } from '../../../record.ts'
import { statusOf } from '../../../statuses.ts'
import { tokenize } from '../../../tokenize.ts'
import { MAX_MARK_LENGTH } from '../../search/record-terms.ts'
import { packBlocks } from '../blocks.ts'
import type { Sections } from '../file.ts'
import { createNumbers } from '../numbers.ts'
import { packValues } from '../packed.ts'
import type { PartBuilder } from '../part.ts'
import { packClasses } from './classes.ts'
import type { Dictionary } from './dictionary.ts'
import { hashOfAll } from './hash.ts'
import { createLists } from './lists.ts'
import { BREAK, packNames } from './names.ts'
import { alphabetical, sortByKey } from './order.ts'
import { fileUnderHashes } from './table.ts'
import { createVocabulary, packVocabulary } from './vocabulary.ts'

export const LIVES = ['live', 'dead', 'indifferent'] as const
/** Added to the life of a mark that has other spellings. */
export const HAS_OTHERS = 4

/**
 * What marks are found by: their words, the whole run together, how it sounds. Marks have *places*, shortest first, then
 * by serial number, so that the first of any list are the first of the answer; those without a word have none.
 */
export function createMarksBuilder(): PartBuilder {
  const vocabulary = createVocabulary()
  const classes = new Map<string, number>()
  /** By number of the record. */
  const lengths = createNumbers()
  const lives = createNumbers()
  /** Of each record its words, sounds and classes one after the other, and where they end. */
  const words = createNumbers()
  const wordEnds = createNumbers()
  const squashes = createLists()
  const sounds = createLists()
  const classLists = createLists()

  const addSound = (hash: number) => sounds.put(hash)
  return {
    add(record) {
      let length = 0
      let hasOthers = false
      const names = namesOf(record)
      for (let at = 0; at < names.length; at++) {
        const tokens = tokenize(names[at]!)
        if (tokens.length === 0) continue
        if (at > 0) {
          hasOthers = true
          words.push(BREAK)
        }
        if (length === 0) for (const token of tokens) length += token.length
        const from = words.length
        for (const token of tokens) words.push(vocabulary.numberOf(token))
        squashes.put(hashOfAll(tokens))
        vocabulary.soundsOf(words, from, words.length, addSound)
      }
      for (const one of record.classes) classLists.put(numberOf(classes, one))
      lengths.push(Math.min(length, MAX_MARK_LENGTH))
      lives.push(LIVES.indexOf(statusOf(record.status).life) + (hasOthers ? HAS_OTHERS : 0))
      wordEnds.push(words.length)
      squashes.end()
      sounds.end()
      classLists.end()
    },
    finish(serials) {
      const order = inOrder(serials, lengths.view())
      const renumbered = renumber(vocabulary.words.done())
      const texts = packWords(order, words.view(), wordEnds.view(), renumbered.to)
      const lists = packLists(texts.words, texts.ends, renumbered.order.length)
      const bySquash = fileUnderHashes(squashes.values.length, order.length, squashes.emit(order))
      const bySound = fileUnderHashes(sounds.values.length, order.length, sounds.emit(order))
      return {
        'marks.numbers': packBlocks(order),
        'marks.length-ends': endsOf(lengths.view()),
        'marks.life': packValues(order.length, HAS_OTHERS + LIVES.length - 1, (place) => lives.at(order[place]!)),
        ...packNames(texts.words, texts.ends, renumbered.order.length),
        'marks.squash.starts': bySquash.starts,
        'marks.squash.values': bySquash.values.bits,
        'marks.sound.starts': bySound.starts,
        'marks.sound.values': bySound.values.bits,
        'words.lists': lists.lists,
        ...packClasses([...classes.keys()], order, classLists),
        ...packVocabulary(vocabulary, renumbered.order, lists.starts),
      } satisfies Sections
    },
  }
}

/** The mark, though it may be empty, and the other spellings of it. */
const namesOf = ({ mark, pseudoMarks }: TrademarkRecord): readonly string[] =>
  pseudoMarks.length === 0 ? [mark] : [...new Set([mark, ...pseudoMarks])]

function numberOf(known: Map<string, number>, text: string): number {
  let number = known.get(text)
  if (number === undefined) known.set(text, (number = known.size))
  return number
}

function inOrder(serials: Uint32Array, lengths: Uint32Array): Uint32Array {
  const numbers = createNumbers()
  for (let number = 0; number < lengths.length; number++) if (lengths[number]! > 0) numbers.push(number)
  const bySerial = sortByKey(numbers.view(), (number) => serials[number]!, 2 ** 32 - 1)
  return sortByKey(bySerial, (number) => lengths[number]!, MAX_MARK_LENGTH)
}

/** For each length, how many marks are not longer; those without a word are none. */
function endsOf(lengths: Uint32Array): Uint32Array {
  const ends = new Uint32Array(MAX_MARK_LENGTH + 1)
  for (let number = 0; number < lengths.length; number++) ends[lengths[number]!]!++
  ends[0] = 0
  for (let length = 1; length <= MAX_MARK_LENGTH; length++) ends[length]! += ends[length - 1]!
  return ends
}

/** Words are numbered in the order of the alphabet, so that those with the same beginning are together. */
function renumber({ bytes, ends }: ReturnType<Dictionary['done']>) {
  const order = alphabetical(bytes, ends)
  const to = new Uint32Array(order.length)
  for (let number = 0; number < order.length; number++) to[order[number]!] = number
  return { order, to }
}

function packWords(order: Uint32Array, words: Uint32Array, wordEnds: Uint32Array, to: Uint32Array) {
  const packed = new Uint32Array(words.length)
  const ends = new Uint32Array(order.length)
  let end = 0
  for (let place = 0; place < order.length; place++) {
    const number = order[place]!
    for (let at = number === 0 ? 0 : wordEnds[number - 1]!; at < wordEnds[number]!; at++)
      packed[end++] = words[at] === BREAK ? BREAK : to[words[at]!]!
    ends[place] = end
  }
  return { words: packed.subarray(0, end), ends }
}

/** For each word the places of the marks that have it. */
function packLists(words: Uint32Array, ends: Uint32Array, size: number) {
  const isFirst = (begin: number, at: number) => {
    for (let before = begin; before < at; before++) if (words[before] === words[at]) return false
    return words[at] !== BREAK
  }
  const each = (put: (word: number, place: number) => void) => {
    for (let place = 0, begin = 0; place < ends.length; begin = ends[place++]!)
      for (let at = begin; at < ends[place]!; at++) if (isFirst(begin, at)) put(words[at]!, place)
  }
  const starts = new Uint32Array(size + 1)
  each((word) => void starts[word + 1]!++)
  for (let word = 0; word < size; word++) starts[word + 1]! += starts[word]!
  const lists = new Uint32Array(starts[size]!)
  const next = starts.slice(0, -1)
  each((word, place) => void (lists[next[word]!++] = place))
  return { starts, lists }
}
