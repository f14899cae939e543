import { isDenied, isQuoted } from './phrases-denied.ts'
import { FURTHER_VOCABULARIES } from './phrases-further.ts'
import { FILLERS, HOSTING_DEFAULTS, TELLTALES, TO_THE_OWNER } from './phrases-whole.ts'
import { VOCABULARIES } from './phrases.ts'
import type { Vocabulary } from './vocabulary.ts'

/** How directly a text makes a statement: about this domain, about some domain, or not at all. */
export type Plainness = 'named' | 'kind' | 'none'

const TOPICS = ['sale', 'buy', 'parked', 'registered', 'ended'] as const

/** The statements a text makes about a domain, in any supported language. */
export type Statements = { readonly [Topic in (typeof TOPICS)[number]]: Plainness } & {
  readonly ads: boolean
  readonly telltale: boolean
  readonly toTheOwner: boolean
  /** A hosting provider's default page. */
  readonly hostingDefault: boolean
}

type Topic = (typeof TOPICS)[number]
type Span = { readonly from: number; readonly to: number }

/** Maximum characters between the two phrases of a statement, and between “domain” alone and “for sale”. */
const MAX_GAP_LENGTH = 60
const MAX_ADJACENT_GAP_LENGTH = 20
/** Occurrences of one phrase that are looked at; bounds the work. */
const MAX_OCCURRENCES = 12

/** Normalizes text for comparison: lower case, no diacritics, single spaces; line breaks stay. */
export function fold(text: string): string {
  return (
    text
      .normalize('NFKD')
      // Diacritics, vowel points of Arabic and Hebrew, the Devanagari nukta, and invisible characters.
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

/** The statements a folded text makes about a domain; `names` are its spellings, folded. */
export function parseStatements(text: string, names: readonly string[]): Statements {
  const own = names.flatMap((name) => findName(text, name))
  const best: Record<Topic, Plainness> = {
    sale: 'none',
    buy: 'none',
    parked: 'none',
    registered: 'none',
    ended: 'none',
  }
  for (const words of vocabularies) {
    const pointing = findAll(text, words.name)
    const kinds = findAll(text, words.kind)
    if (own.length + pointing.length + kinds.length === 0) continue
    for (const topic of TOPICS) {
      if (best[topic] === 'named') continue
      const said = findAll(text, words[topic])
      if (said.length === 0) continue
      if (isNear(text, pointing, said, MAX_GAP_LENGTH, topic)) best[topic] = 'named'
      // Every registrar says "buy a domain", and every shop "buy at example.com".
      else if (topic === 'buy') {
        if (own.some((name) => said.some((phrase) => isAskedForAsDomain(text, phrase, name, kinds)))) best.buy = 'named'
        else if (own.some((name) => said.some((phrase) => isAskedFor(text, phrase, name)))) best.buy = 'kind'
      } else if (
        own.some((name) => said.some((phrase) => isAboutName(text, name, phrase, [...kinds, ...pointing], topic)))
      )
        best[topic] = 'named'
      else if (isNear(text, kinds, said, MAX_ADJACENT_GAP_LENGTH, topic)) best[topic] = 'kind'
    }
  }
  return {
    ...best,
    ads: vocabularies.some((words) => words.ads.some((phrase) => findPhrase(text, phrase).length > 0)),
    telltale: telltales.some((phrase) => findPhrase(text, phrase).length > 0),
    toTheOwner: ownerPhrases.some((phrase) => findPhrase(text, phrase).length > 0),
    hostingDefault: hostingPhrases.some((phrase) => findPhrase(text, phrase).length > 0),
  }
}

const findAll = (text: string, phrases: readonly string[]) => phrases.flatMap((phrase) => findPhrase(text, phrase))

/** Finds a phrase as whole words; scripts without spaces have no word boundaries. */
function findPhrase(text: string, phrase: string): Span[] {
  const found: Span[] = []
  const isOpen = phrase.endsWith('*')
  const word = isOpen ? phrase.slice(0, -1) : phrase
  if (word === '') return found
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    let end = at + word.length
    if (isOpen) while (end < text.length && isLetter(text.charCodeAt(end))) end++
    const startsWord = !isLetter(text.charCodeAt(at)) || !isLetter(text.charCodeAt(at - 1))
    const endsWord = isOpen || !isLetter(text.charCodeAt(end - 1)) || !isLetter(text.charCodeAt(end))
    if (startsWord && endsWord && found.push({ from: at, to: end }) === MAX_OCCURRENCES) break
  }
  return found
}

/** Finds the domain itself, not as part of a URL, a longer domain or an email address. */
function findName(text: string, name: string): Span[] {
  return findPhrase(text, name).filter(({ from, to }) => {
    const before = text[from - 1] ?? ''
    if (before === '.') return text.slice(from - 4, from) === 'www.' && !/[@/-]/.test(text[from - 5] ?? '')
    if (/[@/-]/.test(before)) return false
    return !/^(?:[/@-]|\.[a-z0-9])/.test(text.slice(to, to + 2))
  })
}

/** Everything in a short text that looks like a domain: the page may spell its own differently. */
export function findDomains(text: string): string[] {
  return [...text.matchAll(/[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{2,63}){1,3}/gu)].slice(0, 5).map(([domain]) => domain)
}

/** Letters and digits of scripts that separate words by spaces. */
function isLetter(unit: number): boolean {
  if (unit < 0x80) return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39)
  return unit >= 0xc0 && unit < 0x2000 && unit !== 0xd7 && unit !== 0xf7 && !isUnspaced(unit)
}

/** Thai, Lao, Burmese and Khmer, which do not separate words; a word has about five characters. */
export const isUnspaced = (unit: number): boolean =>
  (unit >= 0x0e00 && unit < 0x0f00) || (unit >= 0x1000 && unit < 0x10a0) || (unit >= 0x1780 && unit < 0x1800)

/** Whether two of the spans are near each other in one sentence that is neither negated nor quoted. */
function isNear(text: string, some: readonly Span[], others: readonly Span[], near: number, topic: Topic): boolean {
  for (const a of some) {
    for (const b of others) {
      const [first, second] = a.from <= b.from ? [a, b] : [b, a]
      // Overlapping spans are one phrase, not a statement.
      if (second.from < first.to || second.from - first.to > near) continue
      const gap = text.slice(first.to, second.from)
      if (SENTENCE_END.test(gap) || !isAsserted(text, first, second, topic)) continue
      // "Land for sale below the domain" is about land: adjacent phrases have only filler words between them.
      if (near > MAX_ADJACENT_GAP_LENGTH || wordsOf(gap).every((word) => fillers.has(word))) return true
    }
  }
  return false
}
const SENTENCE_END = /[.!?؟]\s|[\n。！？।۔]|\s[|•·]\s/

/** Whether a statement is neither negated nor quoted. */
function isAsserted(text: string, first: Span, second: Span, topic: Topic): boolean {
  const gap = text.slice(first.to, second.from)
  if (isQuoted(text, first.from, gap, second.to)) return false
  // Phrases of the other topics contain negations themselves: "not yet connected".
  return topic !== 'sale' || !isDenied(text, first.from, gap, second.to)
}

/**
 * Whether a phrase is about the domain itself. "example.com is for sale" and "For sale: example.com" are;
 * "used cars for sale - example.com" and "example.com: for sale and for rent" are about what the site offers.
 */
function isAboutName(text: string, name: Span, phrase: Span, domainWords: readonly Span[], topic: Topic): boolean {
  const [first, second] = name.from <= phrase.from ? [name, phrase] : [phrase, name]
  const gap = text.slice(first.to, second.from)
  if (second.from < first.to || gap.length > MAX_GAP_LENGTH || gap.includes('\n\n')) return false
  if (!isAsserted(text, first, second, topic)) return false
  const words = wordsOf(gap)
  const areFillers = words.every((word) => fillers.has(word))
  if (first === phrase) return areFillers && startsClause(text, phrase.from)
  // "The domain example.com for sale since May": the word "domain" comes right before the name.
  const isCalledDomain = stepsBefore(domainWords, name)
  // Other things may be for sale in the same sentence, but few others expire or are parked.
  if (isCalledDomain && topic !== 'sale' && !SENTENCE_END.test(gap)) return true
  const hasVerb = words.length > 0 || fillers.has(wordsOf(text.slice(phrase.from, phrase.to))[0] ?? '')
  // In scripts without spaces, the gap is one run of letters.
  if (isCalledDomain && /^ [\u0e00-\u0eff]{0,12}$/.test(gap)) return true
  return areFillers && (hasVerb || endsClause(text, phrase.to))
}

const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== '')

/** Whether one of the words comes right before the name: "domain example.com". */
const stepsBefore = (domainWords: readonly Span[], name: Span) =>
  domainWords.some(({ to }) => to <= name.from && name.from - to <= 2)

/** "Buy the domain example.com", whatever follows. */
function isAskedForAsDomain(text: string, phrase: Span, name: Span, kinds: readonly Span[]): boolean {
  if (phrase.to > name.from || name.from - phrase.to > MAX_GAP_LENGTH || !stepsBefore(kinds, name)) return false
  return wordsOf(text.slice(phrase.to, name.from)).every((word) => fillers.has(word))
}

/** "Buy example.com" at the end of a clause, not "buy example.com gift cards". */
const isAskedFor = (text: string, phrase: Span, name: Span) =>
  /^ (?:the domain )?(?:name )?$/.test(text.slice(phrase.to, name.from)) && endsClause(text, name.to)

const startsClause = (text: string, at: number) => /(?:^|[\n.!?:|–—•-] ?)$/.test(text.slice(Math.max(0, at - 2), at))
const endsClause = (text: string, at: number) => CLAUSE_END.test(text.slice(at, at + 20))
/** Some languages put the verb last: "example.com parked is". */
const CLAUSE_END = /^(?: ?(?:است|میباشد|می باشد|شد|هست|है|हैं|था|です|ます|입니다|합니다))? ?(?:$|[\n.!?|–—•)"”।。-])/u
