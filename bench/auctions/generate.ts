import { closeSync, openSync, writeSync } from 'node:fs'
import { type Random, seededRandom } from '../../src/kernel/random.ts'

/** Rows of the largest public feed in October 2026. */
export const ROWS = 1_104_121

const HEADER =
  'url,name,startDate,endDate,price,startPrice,renewPrice,bidCount,ahrefsDomainRating,umbrellaRanking,cloudflareRanking,estibotValue,extensionsTaken,keywordSearchCount,registeredDate,lastSoldPrice,lastSoldYear,isPartnerSale,semrushAScore,majesticCitation,ahrefsBacklinks,semrushBacklinks,majesticBacklinks,majesticTrustFlow,goValue\n'

const WORDS =
  'cloud shop data smart home green tech media world pixel nova blue fast open micro trade health travel pay crypto game play studio design market store hub lab works group digital city sun star light stone river north west east prime first best easy simple pure true next new my get the go pro max plus one net web app dev code soft sys info news blog mail host server local global expert guide academy school money bank fund capital invest loan credit tax law legal care clinic dental med pharma fit yoga food pizza coffee wine beer cake farm garden pet dog cat car auto bike moto air jet ship log fox wolf bear lion eagle hawk'.split(
    ' ',
  )
const TLDS = [
  'com',
  'com',
  'com',
  'com',
  'com',
  'net',
  'org',
  'xyz',
  'online',
  'shop',
  'info',
  'io',
  'co',
  'top',
  'site',
  'pro',
  'store',
  'cc',
  'me',
  'club',
  'app',
  'dev',
  'ai',
  'biz',
  'space',
  'live',
  'fun',
  'website',
  'tech',
  'vip',
]
const WRITE_CHUNK_LENGTH = 1 << 20
const DAY_SECONDS = 86_400
const CONSONANTS = 'bcdfghjklmnprstvz'
const VOWELS = 'aeiou'
const ID_CHARACTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** A row depends only on its number and the seed, so that a later version of the feed changes only what it should. */
export type FeedVersion = {
  readonly rows: number
  readonly seed: number
  /** In seconds since the epoch; auctions start before it and end after it. */
  readonly now: number
  /** The share of rows that get one more bid. */
  readonly changedShare?: number
}

/** Writes a feed like the real one: its columns, their sparseness, names made of words and of syllables. */
export function writeFeed(path: string, version: FeedVersion): void {
  const handle = openSync(path, 'w')
  const write = (text: string) => void writeSync(handle, text)
  try {
    write(HEADER)
    let lines = ''
    for (let number = 0; number < version.rows; number++) {
      lines += formatRow(number, version)
      if (lines.length < WRITE_CHUNK_LENGTH) continue
      write(lines)
      lines = ''
    }
    write(lines)
  } finally {
    closeSync(handle)
  }
}

function formatRow(number: number, { seed, now, changedShare = 0 }: FeedVersion): string {
  const random = seededRandom(seed * 7_919 + number * 2_654_435_761)
  const has = (share: number) => random.fraction() < share
  /** Long-tailed: most values are small, a few are very large. */
  const longTail = (max: number) => Math.floor(Math.expm1(random.fraction() ** 3 * Math.log1p(max)))
  const maybe = (share: number, value: () => number | string) => (has(share) ? String(value()) : '')
  const name = `${generateLabel(random)}.${TLDS[random.below(TLDS.length)]!}`
  const start = now - random.below(20 * DAY_SECONDS)
  // Auctions end on the hour, many of them at the same time.
  const end = Math.ceil((now + 600 + random.below(14 * DAY_SECONDS)) / 3600) * 3600
  const price = has(0.9) ? 1 + longTail(300) : 5 + longTail(20_000)
  const bids = (has(0.08) ? 1 + longTail(60) : 0) + (random.fraction() < changedShare ? 1 : 0)
  const id = Array.from({ length: 22 }, () => ID_CHARACTERS[random.below(ID_CHARACTERS.length)]!).join('')
  return `${[
    `https://market.example/market/sale/${id}/`,
    name,
    iso(start),
    iso(end),
    price.toFixed(2),
    '1.00',
    '13.98',
    bids,
    maybe(0.7, () => longTail(60)),
    '',
    '',
    maybe(0.6, () => `${10 + longTail(5000)}.00`),
    maybe(0.85, () => longTail(400)),
    maybe(0.5, () => longTail(600_000)),
    maybe(0.8, () => iso(now - random.below(20 * 365) * DAY_SECONDS)),
    maybe(0.05, () => `${50 + longTail(20_000)}.00`),
    maybe(0.05, () => 2005 + random.below(20)),
    has(0.5) ? '1' : '0',
    maybe(0.3, () => longTail(40)),
    maybe(0.25, () => longTail(50)),
    maybe(0.7, () => longTail(20_000)),
    maybe(0.3, () => longTail(5000)),
    maybe(0.25, () => longTail(5000)),
    maybe(0.25, () => longTail(40)),
    maybe(0.6, () => `${100 + longTail(20_000)}.00`),
  ].join(',')}\n`
}

function generateLabel(random: Random): string {
  const word = () => WORDS[random.below(WORDS.length)]!
  const syllable = () => CONSONANTS[random.below(CONSONANTS.length)]! + VOWELS[random.below(VOWELS.length)]!
  const invented = () => Array.from({ length: 3 + random.below(3) }, syllable).join('')
  const parts =
    random.fraction() < 0.5 ? [word(), word() + word()] : [invented(), random.fraction() < 0.5 ? word() : '']
  const joined = parts.filter(Boolean).join(random.fraction() < 0.12 ? '-' : '')
  return random.fraction() < 0.15 ? `${joined}${random.below(1000)}` : joined
}

const iso = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
