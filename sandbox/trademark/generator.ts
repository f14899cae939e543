/** A register that never was, with the statistics of a real one: the same for the same seed. */
import { seededRandom, type Random } from '../../src/kernel/random.ts'
import type { Day, TrademarkRecord } from '../../src/trademark/record.ts'
import { goodsOf } from './goods.ts'
import { variantOf, type Variant } from './variants.ts'
import { createVocabulary, type Vocabulary } from './vocabulary.ts'

export type Entry = {
  readonly record: TrademarkRecord
  /** For some marks, what a person may type who means it. */
  readonly variant: Variant | null
}

export type RegisterPlan = {
  readonly size: number
  readonly seed: number
  /** No date is later. */
  readonly today?: Day
  /** Share of the marks that get a variant. */
  readonly variants?: number
}

const DAY_MS = 86_400_000
const YEAR_MS = 365.25 * DAY_MS
/** So many of the records before are remembered, for owners who come again and marks that are filed again. */
const REMEMBERED = 1 << 18

export function* generateRegister({ size, seed, today = 20260101, variants = 0.05 }: RegisterPlan): Generator<Entry> {
  const random = seededRandom(seed)
  // Of its own, so that the records are the same whatever the share.
  const slips = seededRandom(seed ^ 0x51195)
  const words = createVocabulary(random)
  const owners = createMemory<string>(random)
  const marks = createMemory<string>(random)
  for (let index = 0; index < size; index++) {
    const mark = words.chance(0.03)
      ? ''
      : words.chance(0.08)
        ? marks.again(() => markOf(words, random))
        : markOf(words, random)
    // Who owns many gets more.
    const owner = words.chance(0.6) ? owners.again(() => ownerOf(words)) : ownerOf(words)
    owners.remember(owner)
    if (mark) marks.remember(mark)
    const record: TrademarkRecord = {
      serial: String(70_000_000 + index),
      mark,
      pseudoMarks: pseudoMarksOf(mark, words),
      owner,
      ...goodsOf(words, random),
      ...lifeOf(today, words, random),
      attorney: words.chance(0.5) ? `${capital(words.givenName())} ${capital(words.surname())}` : '',
    }
    yield { record, variant: mark && slips.fraction() < variants ? variantOf(mark, slips) : null }
  }
}

function markOf(words: Vocabulary, random: Random): string {
  const dice = random.fraction()
  const count = dice < 0.4 ? 1 : dice < 0.7 ? 2 : dice < 0.87 ? 3 : dice < 0.94 ? 4 : 5 + random.below(4)
  const parts = Array.from({ length: count }, () => wordOf(count, words, random))
  return parts.reduce((text, part) => `${text}${words.chance(0.03) ? ' & ' : ' '}${part}`).toUpperCase()
}

function wordOf(count: number, words: Vocabulary, random: Random): string {
  const dice = random.fraction()
  // A mark of one word is mostly a coinage: the plain words are long taken.
  if (dice < (count === 1 ? 0.3 : 0.62)) return words.word()
  if (dice < 0.86) return words.coinage()
  if (dice < 0.93) return words.surname()
  if (dice < 0.95) return words.town()
  if (dice < 0.985)
    return Array.from({ length: 2 + random.below(3) }, () => String.fromCharCode(97 + random.below(26))).join('')
  return String(random.below(100))
}

const NUMBERS: Readonly<Record<string, string>> = { 1: 'ONE', 2: 'TWO', 4: 'FOUR', 8: 'EIGHT', 10: 'TEN' }

function pseudoMarksOf(mark: string, words: Vocabulary): string[] {
  const spoken = mark.split(' ').map((part) => NUMBERS[part] ?? part)
  const text = spoken.join(' ')
  if (text !== mark) return [text]
  return spoken.length === 2 && words.chance(0.1) ? [spoken.join('')] : []
}

const INITIALS = 'A B C D E F G H J K L M N P R S T W'.split(' ')
const FORMS = ['LLC', 'LLC', 'LLC', 'Inc.', 'Inc.', 'Corporation', 'Co., Ltd.', 'Ltd.', 'GmbH', 'S.A.', 'Foundation']
const TRADES = [
  'Group',
  'Holdings',
  'Industries',
  'Brands',
  'Foods',
  'Systems',
  'Media',
  'Partners',
  'Studios',
  'Trading',
]

function ownerOf(words: Vocabulary): string {
  if (words.chance(0.28)) return `${capital(words.surname())}, ${capital(words.givenName())} ${words.pick(INITIALS)}.`
  const name = words.chance(0.5) ? capital(words.coinage()) : `${capital(words.word())} ${capital(words.word())}`
  return `${name}${words.chance(0.6) ? ` ${words.pick(TRADES)}` : ''} ${words.pick(FORMS)}`
}

type Life = Pick<
  TrademarkRecord,
  'status' | 'statusDate' | 'filingDate' | 'registrationDate' | 'renewalDate' | 'transactionDate' | 'history'
>

/** Filed some day, more of them lately; then registered, renewed, given up or refused, as time went by. */
function lifeOf(today: Day, words: Vocabulary, random: Random): Life {
  const now = momentOf(today)
  const age = random.fraction() < 0.5 ? 13 * random.fraction() ** 1.3 : 13 + 70 * random.fraction() ** 2.5
  const filed = now - DAY_MS - age * YEAR_MS
  const lost = words.chance(0.37)
  const isRegistered = age > 1.2 && !lost
  const registered = isRegistered ? filed + Math.min(age * 0.8, 0.9 + random.fraction()) * YEAR_MS : null
  const term = (since: number) => (since < momentOf(19891116) ? 20 : 10)
  let begin = registered ?? now
  let status =
    registered === null
      ? age < 1.2
        ? words.pick(['630', '638', '641', '688'])
        : words.pick(['602', '602', '606', '604'])
      : '700'
  let renewed: number | null = null
  while (begin + term(begin) * YEAR_MS < now) {
    if (words.chance(0.45)) {
      status = words.pick(['710', '710', '900'])
      break
    }
    begin += term(begin) * YEAR_MS
    renewed = begin
    status = '800'
  }
  if (status === '700' && now - begin > 6.5 * YEAR_MS) status = words.chance(0.35) ? '710' : words.pick(['701', '702'])
  const touched = Math.min(now, (registered === null ? filed : begin) + random.fraction() * 2 * YEAR_MS)
  return {
    status,
    statusDate: dayOf(touched),
    filingDate: dayOf(filed),
    registrationDate: registered === null ? null : dayOf(registered),
    renewalDate: renewed === null ? null : dayOf(renewed),
    transactionDate: dayOf(touched),
    history: [
      ...(registered === null ? [] : [`${dashed(dayOf(registered))} REGISTERED-PRINCIPAL REGISTER`]),
      `${dashed(dayOf(filed))} NEW APPLICATION ENTERED`,
    ],
  }
}

/** What was remembered before, each as likely as the other; what came often is in there often. */
function createMemory<T>(random: Random) {
  const seen: T[] = []
  return {
    remember: (value: T) =>
      void (seen.length < REMEMBERED ? seen.push(value) : (seen[random.below(REMEMBERED)] = value)),
    again: (otherwise: () => T): T => (seen.length > 0 ? seen[random.below(seen.length)]! : otherwise()),
  }
}

const capital = (word: string) => `${word[0]!.toUpperCase()}${word.slice(1)}`
const momentOf = (day: Day) => Date.UTC(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, day % 100)
const dayOf = (moment: number): Day => Number(new Date(moment).toISOString().slice(0, 10).replaceAll('-', ''))
const dashed = (day: Day) => `${String(day).slice(0, 4)}-${String(day).slice(4, 6)}-${String(day).slice(6)}`
