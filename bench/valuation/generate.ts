import type { Words } from '../../src/valuation/word-list.ts'

const TLDS = ['com', 'com', 'com', 'com', 'com', 'com', 'net', 'org', 'io', 'ai', 'co', 'de', 'app', 'xyz'] as const
const DAY_MS = 86_400_000
const BATCH_ROWS = 1000

/** Creates a generator of numbers below a bound, the same in every run. */
export function createRng(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** A name like those people register: one to three words, common ones more often, some letters, digits and hyphens. */
export function generateName(words: Words, rng: (below: number) => number): string {
  const word = () => words.text[Math.floor(Math.min(40_000, words.text.length) * (rng(1_000_000) / 1_000_000) ** 3)]!
  const count = [1, 2, 2, 2, 3][rng(5)]!
  const parts = Array.from({ length: count }, word)
  if (rng(10) === 0) parts.push(String(rng(1000)))
  if (rng(8) === 0) parts.push(String.fromCharCode(...Array.from({ length: 2 + rng(5) }, () => 97 + rng(26))))
  return `${parts.join(rng(12) === 0 ? '-' : '').slice(0, 40)}.${TLDS[rng(TLDS.length)]!}`
}

/** Generates a CSV of invented sales, 1,000 rows at a time. */
export function* generateSales(words: Words, count: number): Generator<string> {
  const rng = createRng(20_261_115)
  yield 'domain,price_usd,date,source\n'
  for (let start = 0; start < count; start += BATCH_ROWS) {
    let text = ''
    for (let at = start; at < Math.min(count, start + BATCH_ROWS); at++) {
      const date = new Date(Date.UTC(2005, 0, 1) + rng(7500) * DAY_MS).toISOString().slice(0, 10)
      text += `${generateName(words, rng)},${100 + rng(50_000)},${date},Invented\n`
    }
    yield text
  }
}
