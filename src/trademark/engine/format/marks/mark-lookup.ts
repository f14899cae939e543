import { codesOfWords } from '../../../phonetic.ts'
import { intersect, union } from '../set-operations.ts'
import type { OrdinalFilter } from './classes.ts'
import { hashOfText } from '../hash.ts'
import { NO_WORD, type MarksIndex } from './marks-index.ts'
import { placeOf, type Table, matchingValueAt } from './hash-table.ts'

/** Places of the marks of one segment, as many as wanted of those that are kept; the first come first. */
export type Ordinals = number[]

/** Marks that are these letters run together, in one of their spellings. */
export function bySquash(marks: MarksIndex, squash: string, isKept: OrdinalFilter, most: number): Ordinals {
  const hasSquash = squashTest(marks, squash)
  return filed(marks.bySquash, hashOfText(squash), (place) => isKept(place) && hasSquash(place), most)
}

/** Marks that sound like this run together, in one of their spellings. */
export const byCode = (marks: MarksIndex, code: string, isKept: OrdinalFilter, most: number): Ordinals =>
  filed(marks.bySound, hashOfText(code), (place) => isKept(place) && hasCode(marks, place, code), most)

function filed(table: Table, hash: number, isWanted: OrdinalFilter, most: number): Ordinals {
  const found: Ordinals = []
  const where = placeOf(table, hash)
  const end = table.starts[where + 1]!
  for (let at = table.starts[where]!; at < end && found.length < most; at++) {
    const place = matchingValueAt(table, at, hash)
    if (place >= 0 && isWanted(place)) found.push(place)
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
  return (place) => {
    isFound = false
    marks.eachName(place, visit)
    return isFound
  }
}

function hasCode(marks: MarksIndex, place: number, code: string): boolean {
  let isFound = false
  marks.eachName(place, (words, begin, end) => {
    const sounds = []
    for (let at = begin; at < end; at++) sounds.push(marks.soundOf(words[at]!))
    isFound = codesOfWords(sounds).includes(code)
    return !isFound
  })
  return isFound
}

/** From this share of all marks on, several words together are a bit for each mark instead of a list. */
const DENSE = 1 / 256

/** The marks with any of some words. Many questions about the same words are asked one after the other. */
export type Group = { readonly list: Uint32Array } | { readonly bits: Uint32Array }

/** `borrow` gives room for a bit for each mark, all of them 0. */
export function createGroup(marks: MarksIndex, words: readonly number[], borrow: () => Uint32Array): Group {
  const lists = words.filter((word) => word !== NO_WORD).map(marks.listOf)
  const size = lists.reduce((sum, { length }) => sum + length, 0)
  if (lists.length < 2 || size < DENSE * marks.count) return { list: union(lists) }
  const bits = borrow()
  for (const list of lists) for (let at = 0; at < list.length; at++) bits[list[at]! >>> 5]! |= 1 << (list[at]! & 31)
  return { bits }
}

/** Marks with at least one word out of every group. */
export const byWords = (groups: readonly Group[], isKept: OrdinalFilter, most: number): Ordinals =>
  intersect(
    groups.flatMap((group) => ('list' in group ? [group.list] : [])),
    groups.flatMap((group) => ('bits' in group ? [group.bits] : [])),
    isKept,
    most,
  )
