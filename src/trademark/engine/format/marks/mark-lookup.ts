import { codesOfWords } from '../../../phonetic.ts'
import { intersect, union } from '../set-operations.ts'
import type { OrdinalFilter } from './classes.ts'
import { hashOfText } from '../hash.ts'
import type { MarksIndex } from './marks-index.ts'
import { NO_WORD } from './words-index.ts'
import { bucketOf, type HashTable, matchingValueAt } from './hash-table.ts'

/** Mark ordinals of one segment, rising. */
export type Ordinals = number[]

/** The first `max` marks with a spelling whose words run together are `squash`. */
export function bySquash(marks: MarksIndex, squash: string, isKept: OrdinalFilter, max: number): Ordinals {
  const hasSquash = squashTest(marks, squash)
  return lookUp(marks.bySquash, hashOfText(squash), (ordinal) => isKept(ordinal) && hasSquash(ordinal), max)
}

/** The first `max` marks with a spelling whose joint phonetic code is `code`. */
export const byCode = (marks: MarksIndex, code: string, isKept: OrdinalFilter, max: number): Ordinals =>
  lookUp(marks.bySound, hashOfText(code), (ordinal) => isKept(ordinal) && hasCode(marks, ordinal, code), max)

function lookUp(table: HashTable, hash: number, isWanted: OrdinalFilter, max: number): Ordinals {
  const found: Ordinals = []
  const bucket = bucketOf(table, hash)
  const end = table.starts[bucket + 1]!
  for (let at = table.starts[bucket]!; at < end && found.length < max; at++) {
    const ordinal = matchingValueAt(table, at, hash)
    if (ordinal >= 0 && isWanted(ordinal)) found.push(ordinal)
  }
  return found
}

function squashTest(marks: MarksIndex, squash: string): OrdinalFilter {
  const { bytes, beginOf, endOf } = marks.vocabulary
  const word = marks.find(squash)
  let isFound = false
  const visit = (words: Uint32Array, begin: number, end: number) => {
    if (end - begin === 1) isFound = words[begin] === word
    else {
      let length = 0
      for (let at = begin; at < end; at++)
        for (let from = beginOf(words[at]!); from < endOf(words[at]!); from++)
          if (bytes[from] !== squash.charCodeAt(length++)) return true
      isFound = length === squash.length
    }
    return !isFound
  }
  return (ordinal) => {
    isFound = false
    marks.eachName(ordinal, visit)
    return isFound
  }
}

function hasCode(marks: MarksIndex, ordinal: number, code: string): boolean {
  let isFound = false
  marks.eachName(ordinal, (words, begin, end) => {
    const sounds = []
    for (let at = begin; at < end; at++) sounds.push(marks.codesOfWord(words[at]!))
    isFound = codesOfWords(sounds).includes(code)
    return !isFound
  })
  return isFound
}

/** From this share of all marks on, the union of several posting lists is a bitmap instead of a list. */
const MIN_BITMAP_SHARE = 1 / 256

/** The union of some words' posting lists. One search uses the same union many times. */
export type Group = { readonly list: Uint32Array } | { readonly bits: Uint32Array }

/** `borrow` lends a zeroed bitmap with a bit for each mark. */
export function createGroup(marks: MarksIndex, words: readonly number[], borrow: () => Uint32Array): Group {
  const lists = words.filter((word) => word !== NO_WORD).map(marks.listOf)
  const size = lists.reduce((sum, { length }) => sum + length, 0)
  if (lists.length < 2 || size < MIN_BITMAP_SHARE * marks.count) return { list: union(lists) }
  const bits = borrow()
  for (const list of lists) for (let at = 0; at < list.length; at++) bits[list[at]! >>> 5]! |= 1 << (list[at]! & 31)
  return { bits }
}

/** The first `max` marks with at least one word of every group. */
export const byWords = (groups: readonly Group[], isKept: OrdinalFilter, max: number): Ordinals =>
  intersect(
    groups.flatMap((group) => ('list' in group ? [group.list] : [])),
    groups.flatMap((group) => ('bits' in group ? [group.bits] : [])),
    isKept,
    max,
  )
