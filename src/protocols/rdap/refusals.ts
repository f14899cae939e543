import { domainToUnicode } from 'node:url'
import { records, text, texts, type Json } from './json.ts'

/** What a server means by an error, as far as its words tell. */
export type Refusal = 'reserved' | 'elsewhere' | 'doubtful' | 'throttled'

/** The name is in the registry's rules, though not in its register. A mere "may be reserved" is a disclaimer. */
const RESERVED = [
  /(?<!\b(?:rights|may be|might be|could be|not) )\breserved\b/,
  /(?<!\b(?:may be|might be|could be|not) |\b(?:request|access|ip|address|client|you|connection)(?: \w+){0,3} )\bblocked\b/,
  /(?<!\b(?:may|might|could|necessarily) )\bnot (?:be )?available (?:for registration|to register|for sale)/,
  /\b(?:can ?not|can't|must not|not allowed to|unable to) be registered\b/,
  /\b(?:not registrable|not registerable|unregistrable|non-registrable|not eligible)\b/,
  /\bregistration (?:is |of this (?:domain|name) is )?(?:not (?:allowed|permitted|possible|open)|prohibited|forbidden|restricted)/,
  /\b(?:prohibited|forbidden|restricted|banned|excluded|withheld|disallowed) (?:domain|name|label|string|word|term|from registration|by the registry)/,
  /\b(?:domain|name|label|string) (?:is )?(?:prohibited|forbidden|restricted|banned|excluded|withheld|disallowed|quarantined)/,
  /\b(?:auction|quarantine|globalblock)\b/,
  /(?<!\p{L})(?:reservad[oa]|réservée?|reserviert|gesperrt|bloquead[oa]|bloquée?|zarezerwowan[aey])(?!\p{L})/u,
]

/** The server says that it does not serve the TLD, so its 404 says nothing about the name. */
const ELSEWHERE = [
  /\b(?:tld|zone|top[ -]level domain|suffix|extension)s?\b(?: [\w.-]+){0,3}? (?:is |are |was |does |do |which )*(?:not|doesn't|isn't|unknown|unsupported|invalid)\b/,
  /\b(?:unknown|unsupported|invalid|no such|unmanaged|non-?existent|not an?|not in|not within|not under)(?: [\w.-]+){0,2}? (?:tlds?|zones?|top[ -]level domains?|suffix|extension)\b/,
  /\bnot (?:managed|served|handled|operated|administered|maintained|hosted|authoritative|responsible)\b/,
  /\b(?:does not|doesn't|do not|don't) (?:manage|serve|handle|operate|administer|support|have information)\b/,
  /\b(?:not (?:supported|implemented)|unsupported|no rdap (?:server|service))\b/,
]

/** Words that leave it open whether the name could be had. */
const DOUBTFUL = [
  /\b(?:domain|name|object) (?:is )?(?:currently )?not available\b/,
  /\b(?:unavailable|blocked|may not be registered|already (?:exists|registered|taken)|pending|redemption)\b/,
  /\b(?:invalid|malformed|illegal|syntax|bad request|unauthori[sz]ed|forbidden|denied)\b/,
  /\b(?:maintenance|try again|internal error|server error|timed? ?out)\b/,
]

const THROTTLED = [
  /\b(?:rate|query|request|quota)[ -]?(?:limit|exceeded)/,
  /\btoo many (?:requests|queries|connections)/,
  /\b(?:limit|quota) (?:has been |was )?(?:exceeded|reached)/,
  /\b(?:throttl(?:ed|ing)|slow down|excessive)/,
]

/** What an error body says in words: title and description; of the notices only their titles, the rest is small print. */
export function errorWords(body: Json): readonly string[] {
  const notices = records(body['notices']).flatMap(({ title }) => text(title) ?? [])
  return [...texts(body['title']), ...texts(body['description']), ...notices]
}

/** The sentences among the words that say so; all of them where it takes them together. */
export function reasonIn(words: readonly string[], domain: string): string {
  const reasons = words.filter((sentence) => refusalIn(sentence, domain) === 'reserved')
  return (reasons.length > 0 ? reasons : words).map((sentence) => sentence.replace(/[\s.:;]+$/, '')).join('; ')
}

/** Undefined where the words say no more than that there is nothing. */
export function refusalIn(words: string, domain: string): Refusal | undefined {
  const plain = withoutName(words.toLowerCase(), domain)
  const says = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(plain))
  if (says(THROTTLED)) return 'throttled'
  if (says(ELSEWHERE)) return 'elsewhere'
  if (says(RESERVED)) return 'reserved'
  return says(DOUBTFUL) ? 'doubtful' : undefined
}

const NAME = String.raw`((?:[\p{L}\p{N}_-]{1,63}\.)+[\p{L}\p{N}-]{2,63})`
const SUBJECTS = [
  new RegExp(String.raw`\b(?:domain|domain name|name|object|for|no such domain)[\s:"'\[(]+${NAME}`, 'gu'),
  new RegExp(String.raw`(?<![\p{L}\p{N}@/._-])${NAME}["'\])]*,? (?:was |is |does |has |could |can)?not\b`, 'gu'),
]

/** Whether the words say that another domain, and not this one, is missing. */
export function namesAnother(words: string, domain: string): boolean {
  const lower = words.toLowerCase()
  const own = [domain, domainToUnicode(domain)]
  if (own.some((name) => lower.includes(name))) return false
  return SUBJECTS.some((pattern) => lower.match(pattern) !== null)
}

/** Somebody may ask for `reserved-zone.com`: the name itself must not speak for the server. */
export function withoutName(words: string, domain: string): string {
  const unicode = domainToUnicode(domain)
  const label = domain.split('.')[0]!
  const parts = [domain, unicode, label, unicode.split('.')[0]!]
  // A label of a letter or two would tear other words apart.
  return parts.filter((part) => part.length > 2).reduce((rest, part) => rest.replaceAll(part, ' '), words)
}
