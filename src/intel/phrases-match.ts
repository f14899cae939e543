import { isDenied, isQuoted } from './phrases-denied.ts'
import { FURTHER_VOCABULARIES } from './phrases-further.ts'
import { FILLERS, HOSTING_DEFAULTS, TELLTALES, TO_THE_OWNER } from './phrases-whole.ts'
import { VOCABULARIES } from './phrases.ts'
import type { Vocabulary } from './vocabulary.ts'

/** How plainly a text says something of the name: it points at it, or only speaks of some domain, or not at all. */
export type Plainness = 'named' | 'kind' | 'none'

const TOPICS = ['sale', 'buy', 'parked', 'registered', 'ended'] as const

/** What a text says about a name, in any of the languages we know. */
export type Saying = { readonly [Topic in (typeof TOPICS)[number]]: Plainness } & {
  readonly ads: boolean
  readonly telltale: boolean
  readonly toTheOwner: boolean
  /** A hoster's page in place of a site. */
  readonly hostingDefault: boolean
}

type Topic = (typeof TOPICS)[number]
type Span = { readonly from: number; readonly to: number }

/** Characters between two words that still belong to one statement, and between a bare “domain” and its “for sale”. */
const NEAR = 60
const BESIDE = 20
/** Places of one phrase that are looked at; nothing is learned from more, and the work stays bounded. */
const MAX_PLACES = 12

/** One form for all spellings: no marks on letters, lower case, single spaces; lines stay lines. */
export function fold(text: string): string {
  return (
    text
      .normalize('NFKD')
      // Marks on letters, vowel points of Arabic and Hebrew, dots below in Devanagari, and what cannot be seen.
      .replace(/[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670\u093c\u200b-\u200f\u00ad]/g, '')
      .normalize('NFC')
      .toLowerCase()
      .replace(/[\u0300-\u036f]/g, '')
      .replace(/[ıłøđß’‘يىك]/g, (letter) => PLAIN[letter] ?? letter)
      .replace(/[^\S\n]+/g, ' ')
  )
}
const PLAIN: Record<string, string> = {
  ı: 'i',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ß: 'ss',
  '’': "'",
  '‘': "'",
  ي: 'ی',
  ى: 'ی',
  ك: 'ک',
}

const vocabularies = Object.values({ ...VOCABULARIES, ...FURTHER_VOCABULARIES }).map((words): Vocabulary => ({
  name: words.name.map(fold),
  kind: words.kind.map(fold),
  sale: words.sale.map(fold),
  buy: words.buy.map(fold),
  parked: words.parked.map(fold),
  registered: words.registered.map(fold),
  ended: words.ended.map(fold),
  ads: words.ads.map(fold),
}))
const telltales = TELLTALES.map(fold)
const ownerPhrases = TO_THE_OWNER.map(fold)
const hostingPhrases = HOSTING_DEFAULTS.map(fold)
const fillers = new Set([
  ...FILLERS.map(fold),
  ...vocabularies.flatMap(({ name, kind }) => [...name, ...kind].flatMap((words) => words.split(' '))),
])

/** What a text (already folded) says about a name that may be written in any of the given ways. */
export function readSaying(text: string, names: readonly string[]): Saying {
  const own = names.flatMap((name) => placesOfName(text, name))
  const best: Record<Topic, Plainness> = {
    sale: 'none',
    buy: 'none',
    parked: 'none',
    registered: 'none',
    ended: 'none',
  }
  for (const words of vocabularies) {
    const pointing = allPlaces(text, words.name)
    const kinds = allPlaces(text, words.kind)
    if (own.length + pointing.length + kinds.length === 0) continue
    for (const topic of TOPICS) {
      if (best[topic] === 'named') continue
      const said = allPlaces(text, words[topic])
      if (said.length === 0) continue
      if (isNear(text, pointing, said, NEAR, topic)) best[topic] = 'named'
      // "Buy a domain" is what every registrar says, and "buy at example.com" what every shop does.
      else if (topic === 'buy') {
        if (own.some((name) => said.some((phrase) => isAskedForAsDomain(text, phrase, name, kinds)))) best.buy = 'named'
        else if (own.some((name) => said.some((phrase) => isAskedFor(text, phrase, name)))) best.buy = 'kind'
      } else if (
        own.some((name) => said.some((phrase) => isSaidOf(text, name, phrase, [...kinds, ...pointing], topic)))
      )
        best[topic] = 'named'
      else if (isNear(text, kinds, said, BESIDE, topic)) best[topic] = 'kind'
    }
  }
  return {
    ...best,
    ads: vocabularies.some((words) => words.ads.some((phrase) => places(text, phrase).length > 0)),
    telltale: telltales.some((phrase) => places(text, phrase).length > 0),
    toTheOwner: ownerPhrases.some((phrase) => places(text, phrase).length > 0),
    hostingDefault: hostingPhrases.some((phrase) => places(text, phrase).length > 0),
  }
}

const allPlaces = (text: string, phrases: readonly string[]) => phrases.flatMap((phrase) => places(text, phrase))

/** Where a phrase stands as whole words; writings without spaces have no ends of words. */
function places(text: string, phrase: string): Span[] {
  const found: Span[] = []
  const isOpen = phrase.endsWith('*')
  const word = isOpen ? phrase.slice(0, -1) : phrase
  if (word === '') return found
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    let end = at + word.length
    if (isOpen) while (end < text.length && isLetter(text.charCodeAt(end))) end++
    const startsWord = !isLetter(text.charCodeAt(at)) || !isLetter(text.charCodeAt(at - 1))
    const endsWord = isOpen || !isLetter(text.charCodeAt(end - 1)) || !isLetter(text.charCodeAt(end))
    if (startsWord && endsWord && found.push({ from: at, to: end }) === MAX_PLACES) break
  }
  return found
}

/** Where the name itself stands, and not as a part of an address, a longer name or somebody's mailbox. */
function placesOfName(text: string, name: string): Span[] {
  return places(text, name).filter(({ from, to }) => {
    const before = text[from - 1] ?? ''
    if (before === '.') return text.slice(from - 4, from) === 'www.' && !/[@/-]/.test(text[from - 5] ?? '')
    if (/[@/-]/.test(before)) return false
    return !/^(?:[/@-]|\.[a-z0-9])/.test(text.slice(to, to + 2))
  })
}

/** Everything in a short text that looks like a domain: a page may spell its name in another way than we asked. */
export function domainsIn(text: string): string[] {
  return [...text.matchAll(/[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{2,63}){1,3}/gu)].slice(0, 5).map(([domain]) => domain)
}

/** Letters and digits of writings that part words by spaces; those of East and South-East Asia do not count. */
function isLetter(unit: number): boolean {
  if (unit < 0x80) return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39)
  return unit >= 0xc0 && unit < 0x2000 && unit !== 0xd7 && unit !== 0xf7 && !isUnspaced(unit)
}

/** Thai, Lao, Burmese and Khmer: words are not parted, and a word has about five characters. */
export const isUnspaced = (unit: number): boolean =>
  (unit >= 0x0e00 && unit < 0x0f00) || (unit >= 0x1000 && unit < 0x10a0) || (unit >= 0x1780 && unit < 0x1800)

/** Whether two spans of the two kinds stand near each other, in one sentence that says so and does not deny it. */
function isNear(text: string, some: readonly Span[], others: readonly Span[], near: number, topic: Topic): boolean {
  for (const a of some) {
    for (const b of others) {
      const [first, second] = a.from <= b.from ? [a, b] : [b, a]
      // One inside the other is the same words twice: no statement.
      if (second.from < first.to || second.from - first.to > near) continue
      const gap = text.slice(first.to, second.from)
      if (SENTENCE_END.test(gap) || !isMeant(text, first, second, topic)) continue
      // "Land for sale below the domain" speaks of land: what stands right beside has hardly a word between.
      if (near > BESIDE || wordsOf(gap).every((word) => fillers.has(word))) return true
    }
  }
  return false
}
const SENTENCE_END = /[.!?؟]\s|[\n。！？।۔]|\s[|•·]\s/

/** Whether a statement is made, rather than denied or quoted. */
function isMeant(text: string, first: Span, second: Span, topic: Topic): boolean {
  const gap = text.slice(first.to, second.from)
  if (isQuoted(text, first.from, gap, second.to)) return false
  // The other topics have their own words for what is not there yet.
  return topic !== 'sale' || !isDenied(text, first.from, gap, second.to)
}

/**
 * Whether a phrase is said of the name itself. "example.com is for sale" and "For sale: example.com" are;
 * "used cars for sale - example.com" and "example.com: for sale and for rent" speak of what the site offers.
 */
function isSaidOf(text: string, name: Span, phrase: Span, domainWords: readonly Span[], topic: Topic): boolean {
  const [first, second] = name.from <= phrase.from ? [name, phrase] : [phrase, name]
  const gap = text.slice(first.to, second.from)
  if (second.from < first.to || gap.length > NEAR || gap.includes('\n\n')) return false
  if (!isMeant(text, first, second, topic)) return false
  const words = wordsOf(gap)
  const areFillers = words.every((word) => fillers.has(word))
  if (first === phrase) return areFillers && startsClause(text, phrase.from)
  // "The domain example.com for sale since May": the word before the name says what it is.
  const isCalledDomain = stepsBefore(domainWords, name)
  // Other things are for sale in the same sentence; few others expire or are parked.
  if (isCalledDomain && topic !== 'sale' && !SENTENCE_END.test(gap)) return true
  const hasVerb = words.length > 0 || fillers.has(wordsOf(text.slice(phrase.from, phrase.to))[0] ?? '')
  // Where words are not parted, what stands between is one run of letters.
  if (isCalledDomain && /^ [\u0e00-\u0eff]{0,12}$/.test(gap)) return true
  return areFillers && (hasVerb || endsClause(text, phrase.to))
}

const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== '')

/** Whether one of the words stands right before the name: "domain example.com". */
const stepsBefore = (domainWords: readonly Span[], name: Span) =>
  domainWords.some(({ to }) => to <= name.from && name.from - to <= 2)

/** "Buy the domain example.com": with that word, whatever follows. */
function isAskedForAsDomain(text: string, phrase: Span, name: Span, kinds: readonly Span[]): boolean {
  if (phrase.to > name.from || name.from - phrase.to > NEAR || !stepsBefore(kinds, name)) return false
  return wordsOf(text.slice(phrase.to, name.from)).every((word) => fillers.has(word))
}

/** "Buy example.com", and nothing after it: not "buy example.com gift cards". */
const isAskedFor = (text: string, phrase: Span, name: Span) =>
  /^ (?:the domain )?(?:name )?$/.test(text.slice(phrase.to, name.from)) && endsClause(text, name.to)

const startsClause = (text: string, at: number) => /(?:^|[\n.!?:|–—•-] ?)$/.test(text.slice(Math.max(0, at - 2), at))
const endsClause = (text: string, at: number) => CLAUSE_END.test(text.slice(at, at + 20))
/** Some languages have their verb behind: "example.com parked is". */
const CLAUSE_END = /^(?: ?(?:است|میباشد|می باشد|شد|هست|है|हैं|था|です|ます|입니다|합니다))? ?(?:$|[\n.!?|–—•)"”।。-])/u
