import { CATEGORY_OF } from './category.ts'

/**
 * The word list as stored, most frequent word first, separated by spaces. A capital marks a word that is in no English
 * dictionary (names, brands, abbreviations).
 */
export type WordFile = { readonly source: string; readonly letters: string }

export type Words = {
  /** The words by frequency, the most frequent first. A word's index here is its place. */
  readonly text: readonly string[]
  /** 1 if the word is in a dictionary. */
  readonly inDictionary: Uint8Array
  /** Cost of the word in a segmentation: the rarer, the higher. */
  readonly cost: Float64Array
  /**
   * Log evidence of a word against random letters: high for long and common words, low for words of three letters, and 0
   * for shorter ones, which occur in any letters.
   */
  readonly evidence: Float64Array
  /**
   * Looks up all words that begin at `from` in letters (0 to 25) of this length. Sets `places[end]` to the place of the
   * word that ends before `end`, or -1. Returns the last end it looked at; no word ends after it.
   */
  findAll(letters: Uint8Array, from: number, length: number, places: Int32Array): number
  /** The place of a word given as text, or -1. */
  place(word: string): number
}

export const MAX_WORD_LENGTH = 20
/** Rank of taxonomy words that are not in the list: neither common nor rare. */
const RANK_OF_ADDED_WORDS = 8000

/** Cost of a random letter, on the scale of `cost`. */
const RANDOM_LETTER_COST = Math.log(26)
const MIN_EVIDENCE_LENGTH = 3

export function readWords(file: WordFile): Words {
  const text = file.letters.toLowerCase().split(' ')
  const listed = text.length
  const inDictionary = new Uint8Array(listed + CATEGORY_OF.size)
  const table = hashTable(listed + CATEGORY_OF.size)
  insertAll(table, file.letters, 0, inDictionary)
  const added = Array.from(CATEGORY_OF.keys()).filter((word) => placeOf(table, word) < 0)
  if (added.length > 0) insertAll(table, added.join(' ').toUpperCase(), listed, inDictionary)
  text.push(...added)
  const cost = new Float64Array(text.length)
  const evidence = new Float64Array(text.length)
  for (let place = 0; place < cost.length; place++) {
    const rank = place < listed ? place : Math.min(RANK_OF_ADDED_WORDS, listed)
    cost[place] = Math.log((rank + 1) * Math.log(listed + 1))
    const { length } = text[place]!
    if (length >= MIN_EVIDENCE_LENGTH) evidence[place] = Math.max(0, length * RANDOM_LETTER_COST - cost[place]!)
  }
  return {
    text,
    inDictionary,
    cost,
    evidence,
    findAll(letters, from, length, places) {
      const end = Math.min(length, from + MAX_WORD_LENGTH)
      let first = FIRST_SEED
      let second = SECOND_SEED
      for (let at = from; at < end; at++) {
        first = mixFirst(first, letters[at]!)
        second = mixSecond(second, letters[at]!)
        const hint = hintOf(table, first)
        if (hint === 0) return at
        places[at + 1] = hint >= WORD ? lookUp(table, first, second) : -1
      }
      return end
    },
    place: (word) => placeOf(table, word),
  }
}

// Words are looked up by two rolling hashes of their letters, so no substrings are created.
const FIRST_SEED = 0x811c9dc5 | 0
const SECOND_SEED = 0x2c1b3c6d | 0
const mixFirst = (hash: number, letter: number) => Math.imul(hash ^ (letter + 1), 0x01000193)
const mixSecond = (hash: number, letter: number) => {
  const mixed = Math.imul(hash ^ Math.imul(letter + 1, 0x85ebca77), 0xc2b2ae3d)
  return mixed ^ (mixed >>> 13)
}

type HashTable = {
  readonly mask: number
  readonly keys: Int32Array
  readonly places: Int32Array
  /** Two bits for each prefix, 16 pairs per number: is it a prefix of a word, is it a word. Small enough for the CPU cache. */
  readonly hints: Int32Array
}

function hashTable(words: number): HashTable {
  const size = 2 ** Math.ceil(Math.log2(words * 2 + 2))
  return {
    mask: size - 1,
    keys: new Int32Array(size),
    places: new Int32Array(size).fill(-1),
    hints: new Int32Array(size >> 1),
  }
}

/** Inserts all words in one pass over the text, which is faster than splitting it. */
function insertAll(table: HashTable, letters: string, from: number, inDictionary: Uint8Array): void {
  let first = FIRST_SEED
  let second = SECOND_SEED
  let place = from
  let isName = false
  for (let at = 0; at <= letters.length; at++) {
    const code = at < letters.length ? letters.charCodeAt(at) : SPACE
    if (code === SPACE) {
      inDictionary[place] = isName ? 0 : 1
      put(table, first, second, place++)
      first = FIRST_SEED
      second = SECOND_SEED
      isName = false
      continue
    }
    isName ||= code < 97
    const letter = code < 97 ? code - 65 : code - 97
    first = mixFirst(first, letter)
    second = mixSecond(second, letter)
    note(table, first, BEGINNING)
  }
}

const SPACE = 32

const scatter = (hash: number) => hash ^ (hash >>> 15)

const BEGINNING = 1
const WORD = 2

function note({ hints }: HashTable, hash: number, what: typeof BEGINNING | typeof WORD): void {
  const at = scatter(hash)
  hints[(at >>> 4) & (hints.length - 1)]! |= what << ((at & 15) * 2)
}

/** Non-zero for every prefix of a word, at least WORD for every word; hash collisions cause rare false positives. */
function hintOf({ hints }: HashTable, hash: number): number {
  const at = scatter(hash)
  return (hints[(at >>> 4) & (hints.length - 1)]! >>> ((at & 15) * 2)) & (BEGINNING | WORD)
}

function put(table: HashTable, first: number, second: number, place: number): void {
  const { mask, keys, places } = table
  note(table, first, WORD)
  let slot = scatter(first) & mask
  while (places[slot]! >= 0) slot = (slot + 1) & mask
  keys[slot] = second
  places[slot] = place
}

function placeOf(table: HashTable, word: string): number {
  let first = FIRST_SEED
  let second = SECOND_SEED
  for (let at = 0; at < word.length; at++) {
    first = mixFirst(first, word.charCodeAt(at) - 97)
    second = mixSecond(second, word.charCodeAt(at) - 97)
  }
  return lookUp(table, first, second)
}

function lookUp({ mask, keys, places }: HashTable, first: number, second: number): number {
  let slot = scatter(first) & mask
  for (;;) {
    const place = places[slot]!
    if (place < 0 || keys[slot] === second) return place
    slot = (slot + 1) & mask
  }
}
