import { expiryOf } from '../../expiry.ts'
import { codesOf } from '../../phonetic.ts'
import type { TrademarkRecord } from '../../record.ts'
import { statusOf } from '../../statuses.ts'
import { formsOf, SHORTEST_CODE, wordsOf, type RecordWords } from '../matching/words.ts'
import type { Sections } from './file.ts'
import { packPostings } from './postings.ts'
import { packStrings } from './strings.ts'

export const LIVES = ['live', 'dead', 'indifferent'] as const

/**
 * A segment of these records, no two with the same serial number. Records are numbered shortest mark first, and texts of
 * goods and owners have an order of their own in the same way: the first of any list are then the first of the answer.
 */
export function packSegment(records: readonly TrademarkRecord[]): Sections {
  const all = records
    .map((record) => ({ record, words: wordsOf(record) }))
    .sort((a, b) => markLength(a.words) - markLength(b.words) || bySerial(a.record, b.record))
  const orderBy = (size: (words: RecordWords) => number) =>
    Uint32Array.from(all.keys()).sort(
      (a, b) => size(all[a]!.words) - size(all[b]!.words) || bySerial(all[a]!.record, all[b]!.record),
    )
  const goodsOrder = orderBy((words) => words.goods.length)
  const ownerOrder = orderBy((words) => words.owner.length)
  const expiries = all
    .map(({ record }, number) => ({ number, serial: record.serial, expiry: expiryOf(record) }))
    .filter((one): one is { number: number; serial: string; expiry: number } => one.expiry !== null)
    .sort((a, b) => a.expiry - b.expiry || bySerial(a, b))
  const vocabulary = [...new Set(all.flatMap(({ words }) => words.mark))].sort()
  return {
    life: Uint8Array.from(all, ({ record }) => LIVES.indexOf(statusOf(record.status).life)),
    ...packPostings(
      'marks',
      all.map(({ words }) => words.mark),
    ),
    ...packPostings(
      'squashes',
      all.map(({ words }) => words.squashes),
    ),
    ...packPostings(
      'codes',
      all.map(({ words }) => words.codes),
    ),
    ...packPostings(
      'classes',
      all.map(({ record }) => [...new Set(record.classes)]),
    ),
    ...packPostings(
      'goods',
      Array.from(goodsOrder, (number) => all[number]!.words.goods),
    ),
    'goods.order': goodsOrder,
    ...packPostings(
      'owner',
      Array.from(ownerOrder, (number) => all[number]!.words.owner),
    ),
    'owner.order': ownerOrder,
    // Numbers of words: their place in the rising order of the vocabulary.
    ...packPostings(
      'forms',
      vocabulary.map((word) => [...new Set(formsOf(word))]),
    ),
    ...packPostings(
      'sounds',
      vocabulary.map((word) => soundsOf(word)),
    ),
    'expiry.days': Uint32Array.from(expiries, ({ expiry }) => expiry),
    'expiry.order': Uint32Array.from(expiries, ({ number }) => number),
    ...packStrings(
      'cards',
      all.map(({ record }) => JSON.stringify([record.serial, record.mark, ...record.pseudoMarks])),
    ),
    ...packStrings(
      'records',
      all.map(({ record }) => JSON.stringify(record)),
    ),
  }
}

const soundsOf = (word: string) => [...new Set(codesOf(word))].filter((code) => code.length >= SHORTEST_CODE)
const markLength = (words: RecordWords) => words.squashes[0]?.length ?? 0
const bySerial = (a: { readonly serial: string }, b: { readonly serial: string }) => (a.serial < b.serial ? -1 : 1)
