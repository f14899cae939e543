import { closeSync, openSync, writeSync } from 'node:fs'
import { type Random, seededRandom } from '../../src/kernel/random.ts'

/** As many rows as the largest public feed had in October 2026. */
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
const CONSONANTS = 'bcdfghjklmnprstvz'
const VOWELS = 'aeiou'
const ID_SIGNS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Every row depends on its number and the seed alone, so that a later version of the file changes only what it should. */
export type Version = {
  readonly rows: number
  readonly seed: number
  /** Seconds since the epoch around which auctions begin and end. */
  readonly now: number
  /** This share of rows has one bid more than before. */
  readonly changed?: number
}

/** Writes a feed of the real shape: the columns, their sparseness, names of words and invented ones. Returns its size. */
export function writeFeed(path: string, version: Version): number {
  const handle = openSync(path, 'w')
  let bytes = 0
  const write = (text: string) => void (bytes += writeSync(handle, text))
  try {
    write(HEADER)
    let lines = ''
    for (let number = 0; number < version.rows; number++) {
      lines += lineOf(number, version)
      if (lines.length < 1 << 20) continue
      write(lines)
      lines = ''
    }
    write(lines)
    return bytes
  } finally {
    closeSync(handle)
  }
}

function lineOf(number: number, { seed, now, changed = 0 }: Version): string {
  const random = seededRandom(seed * 7_919 + number * 2_654_435_761)
  const has = (share: number) => random.fraction() < share
  /** Most are small, a few are very large. */
  const heavy = (most: number) => Math.floor(Math.expm1(random.fraction() ** 3 * Math.log1p(most)))
  const some = (share: number, value: () => number | string) => (has(share) ? String(value()) : '')
  const name = `${nameOf(random)}.${TLDS[random.below(TLDS.length)]!}`
  const start = now - random.below(20 * 86_400)
  // Auctions end at full hours, many at the same.
  const end = Math.ceil((now + 600 + random.below(14 * 86_400)) / 3600) * 3600
  const price = has(0.9) ? 1 + heavy(300) : 5 + heavy(20_000)
  const bids = (has(0.08) ? 1 + heavy(60) : 0) + (random.fraction() < changed ? 1 : 0)
  const id = Array.from({ length: 22 }, () => ID_SIGNS[random.below(ID_SIGNS.length)]!).join('')
  return `${[
    `https://market.example/market/sale/${id}/`,
    name,
    iso(start),
    iso(end),
    price.toFixed(2),
    '1.00',
    '13.98',
    bids,
    some(0.7, () => heavy(60)),
    '',
    '',
    some(0.6, () => `${10 + heavy(5000)}.00`),
    some(0.85, () => heavy(400)),
    some(0.5, () => heavy(600_000)),
    some(0.8, () => iso(now - random.below(20 * 365) * 86_400)),
    some(0.05, () => `${50 + heavy(20_000)}.00`),
    some(0.05, () => 2005 + random.below(20)),
    has(0.5) ? '1' : '0',
    some(0.3, () => heavy(40)),
    some(0.25, () => heavy(50)),
    some(0.7, () => heavy(20_000)),
    some(0.3, () => heavy(5000)),
    some(0.25, () => heavy(5000)),
    some(0.25, () => heavy(40)),
    some(0.6, () => `${100 + heavy(20_000)}.00`),
  ].join(',')}\n`
}

function nameOf(random: Random): string {
  const word = () => WORDS[random.below(WORDS.length)]!
  const syllable = () => CONSONANTS[random.below(CONSONANTS.length)]! + VOWELS[random.below(VOWELS.length)]!
  const invented = () => Array.from({ length: 3 + random.below(3) }, syllable).join('')
  const parts =
    random.fraction() < 0.5 ? [word(), word() + word()] : [invented(), random.fraction() < 0.5 ? word() : '']
  const joined = parts.filter(Boolean).join(random.fraction() < 0.12 ? '-' : '')
  return random.fraction() < 0.15 ? `${joined}${random.below(1000)}` : joined
}

const iso = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
