import { domainToUnicode } from 'node:url'
import { records, text, texts, type Json } from './json.ts'

/** The meaning of an error message. */
export type Refusal = 'reserved' | 'elsewhere' | 'doubtful' | 'throttled'

/** The registry does not register the name. "May be reserved" is only a disclaimer and does not match. */
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

/** Messages that leave open whether the name is available. */
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

/** The messages of an error body: title, description and titles of notices. Notices themselves are terms of use. */
export function errorWords(body: Json): readonly string[] {
  const notices = records(body['notices']).flatMap(({ title }) => text(title) ?? [])
  return [...texts(body['title']), ...texts(body['description']), ...notices]
}

/** The sentences that say that the name is reserved; all sentences if only their combination says so. */
export function reasonIn(words: readonly string[], domain: string): string {
  const reasons = words.filter((sentence) => refusalIn(sentence, domain) === 'reserved')
  return (reasons.length > 0 ? reasons : words).map((sentence) => sentence.replace(/[\s.:;]+$/, '')).join('; ')
}

/** Undefined if the message only says "not found". */
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

/** Whether the message says that another domain was not found. */
export function namesAnother(words: string, domain: string): boolean {
  const lower = words.toLowerCase()
  const own = [domain, domainToUnicode(domain)]
  if (own.some((name) => lower.includes(name))) return false
  return SUBJECTS.some((pattern) => lower.match(pattern) !== null)
}

/** Removes the queried name: otherwise `reserved-zone.com` would match "reserved". */
export function withoutName(words: string, domain: string): string {
  const unicode = domainToUnicode(domain)
  const label = domain.split('.')[0]!
  const parts = [domain, unicode, label, unicode.split('.')[0]!]
  // Removing a label of one or two letters would break other words.
  return parts.filter((part) => part.length > 2).reduce((rest, part) => rest.replaceAll(part, ' '), words)
}
