import type { Words } from '../../src/valuation/word-list.ts'

const TLDS = ['com', 'com', 'com', 'com', 'com', 'com', 'net', 'org', 'io', 'ai', 'co', 'de', 'app', 'xyz'] as const
const DAY_MS = 86_400_000

/** Numbers below a bound, the same in every run. */
export function dice(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Names as people register them: one to three words, common ones more often, some letters, digits and hyphens. */
export function inventName(words: Words, roll: (below: number) => number): string {
  const word = () => words.text[Math.floor(Math.min(40_000, words.text.length) * (roll(1_000_000) / 1_000_000) ** 3)]!
  const count = [1, 2, 2, 2, 3][roll(5)]!
  const parts = Array.from({ length: count }, word)
  if (roll(10) === 0) parts.push(String(roll(1000)))
  if (roll(8) === 0) parts.push(String.fromCharCode(...Array.from({ length: 2 + roll(5) }, () => 97 + roll(26))))
  return `${parts.join(roll(12) === 0 ? '-' : '').slice(0, 40)}.${TLDS[roll(TLDS.length)]!}`
}

/** A CSV of invented sales, a piece at a time. */
export function* inventSales(words: Words, count: number): Generator<string> {
  const roll = dice(20_261_115)
  yield 'domain,price_usd,date,source\n'
  for (let piece = 0; piece < count; piece += 1000) {
    let text = ''
    for (let at = piece; at < Math.min(count, piece + 1000); at++) {
      const date = new Date(Date.UTC(2005, 0, 1) + roll(7500) * DAY_MS).toISOString().slice(0, 10)
      text += `${inventName(words, roll)},${100 + roll(50_000)},${date},Invented\n`
    }
    yield text
  }
}
