import { hashOfText } from '../hash.ts'
import type { SegmentReader } from '../segment.ts'

/** Looks up a word in the term dictionary that `tokenizer.ts` writes; -1 if no text has it. */
export function openTermDictionary(name: string, segment: SegmentReader): (word: string) => number {
  const bytes = segment.bytes(`${name}.words`)
  const ends = segment.numbers(`${name}.word-ends`)
  const table = segment.numbers(`${name}.word-table`)
  const mask = table.length - 1
  const isAt = (number: number, word: string) => {
    const begin = number === 0 ? 0 : ends[number - 1]!
    if (ends[number]! - begin !== word.length) return false
    for (let at = 0; at < word.length; at++) if (bytes[begin + at] !== word.charCodeAt(at)) return false
    return true
  }
  return (word) => {
    let place = hashOfText(word) & mask
    for (;;) {
      const number = table[place]! - 1
      if (number < 0 || isAt(number, word)) return number
      place = (place + 1) & mask
    }
  }
}
