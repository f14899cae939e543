import type { TrademarkRecord } from '../../record.ts'
import type { Filter, Found, Store } from '../matching/store.ts'
import { readSections } from './file.ts'
import { intersect, unite } from './numbers.ts'
import { LIVES } from './pack.ts'
import { openPostings } from './postings.ts'
import { openStrings } from './strings.ts'

/** The sets, from the lists of one segment. */
export function openSegmentStore(path: string): Store {
  const sections = readSections(path)
  const life = sections['life'] as Uint8Array
  const marks = openPostings('marks', sections)
  const squashes = openPostings('squashes', sections)
  const codes = openPostings('codes', sections)
  const classes = openPostings('classes', sections)
  const forms = openPostings('forms', sections)
  const sounds = openPostings('sounds', sections)
  const texts = { goods: openPostings('goods', sections), owner: openPostings('owner', sections) }
  const orders = { goods: sections['goods.order'] as Uint32Array, owner: sections['owner.order'] as Uint32Array }
  const days = sections['expiry.days'] as Uint32Array
  const expiring = sections['expiry.order'] as Uint32Array
  const cards = openStrings('cards', sections)
  const records = openStrings('records', sections)

  /** Of a list of records, those the filter lets through. */
  function filtered(list: Uint32Array, filter: Filter): Uint32Array {
    const inClass = filter.class === undefined ? list : intersect([list, classes.of(filter.class)])
    if (filter.life === 'all') return inClass
    const wanted = LIVES.indexOf(filter.life)
    return inClass.filter((number) => life[number] === wanted)
  }
  const firstOf = (list: Uint32Array, most: number) => [...list.subarray(0, most)]
  const wordsAt = (numbers: Uint32Array) => Array.from(numbers, (number) => marks.wordAt(number))

  return {
    documents: life.length,
    frequency: (word) => marks.of(word).length,
    wordsByForm: (form) => wordsAt(forms.of(form)),
    wordsByCode: (code) => wordsAt(sounds.of(code)),
    bySquash: (squash, filter, most) => firstOf(filtered(squashes.of(squash), filter), most),
    byCode: (code, filter, most) => firstOf(filtered(codes.of(code), filter), most),
    byWords(groups, filter, most): Found {
      if (groups.length === 0 || groups.some((group) => group.length === 0)) return { numbers: [], total: 0 }
      const found = filtered(intersect(groups.map((group) => unite(group.map((word) => marks.of(word))))), filter)
      return { numbers: firstOf(found, most), total: found.length }
    },
    byText(field, words, filter, offset, limit): Found {
      const order = orders[field]
      const ranks = intersect(words.map((word) => texts[field].of(word)))
      if (filter.life === 'all' && filter.class === undefined)
        return {
          numbers: Array.from(ranks.subarray(offset, offset + limit), (rank) => order[rank]!),
          total: ranks.length,
        }
      const kept = new Set(filtered(ranks.map((rank) => order[rank]!).sort(), filter))
      const inOrder = Array.from(ranks, (rank) => order[rank]!).filter((number) => kept.has(number))
      return { numbers: inOrder.slice(offset, offset + limit), total: inOrder.length }
    },
    byExpiry(from, to, offset, limit): Found {
      const first = placeOf(days, from)
      const end = Math.max(first, placeOf(days, to + 1))
      return { numbers: firstOf(expiring.subarray(first, end).subarray(offset), limit), total: end - first }
    },
    card(number) {
      const [serial = '', mark = '', ...pseudoMarks] = JSON.parse(cards.at(number)) as string[]
      return { serial, mark, pseudoMarks }
    },
    record: (number) => JSON.parse(records.at(number)) as TrademarkRecord,
    close: () => {},
  }
}

/** The first place whose day is not before this one. */
function placeOf(days: Uint32Array, day: number): number {
  let low = 0
  let high = days.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (days[middle]! < day) low = middle + 1
    else high = middle
  }
  return low
}
