import type { Day } from '../../record.ts'
import { countOf, dayOf, isoOf } from './numbers.ts'
import { textOf } from './markup.ts'
import { TAG } from './tags.ts'

const MAX_EVENTS = 5

type Event = { readonly day: Day; readonly number: number; readonly start: number; readonly end: number }

/** Collects the latest events of one record. There may be hundreds, so only the ones that are kept are decoded. */
export function createHistory(bytes: Buffer) {
  const kept: Event[] = []
  let day: Day | null = null
  let number = -1
  let start = 0
  let end = 0

  const leaf = (tag: number, from: number, to: number) => {
    if (tag === TAG.date) day = dayOf(bytes, from, to)
    else if (tag === TAG.number) number = countOf(bytes, from, to)
    else if (tag === TAG['description-text']) {
      start = from
      end = to
    }
  }

  const endEvent = () => {
    const last = kept[MAX_EVENTS - 1]
    if (day !== null && end > start && (last === undefined || isLater(day, number, last))) {
      let at = Math.min(kept.length, MAX_EVENTS - 1)
      while (at > 0 && isLater(day, number, kept[at - 1]!)) at--
      kept.splice(at, 0, { day, number, start, end })
      if (kept.length > MAX_EVENTS) kept.pop()
    }
    day = null
    number = -1
    start = end = 0
  }

  /** Newest first. */
  const latest = () => kept.map((event) => `${isoOf(event.day)} ${textOf(bytes, event.start, event.end)}`.trimEnd())

  return { leaf, end: endEvent, latest }
}

const isLater = (day: Day, number: number, than: Event) => day > than.day || (day === than.day && number > than.number)
