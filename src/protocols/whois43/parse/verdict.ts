import type { Registration, RegistryAnswer } from '../../../kernel/registration.ts'
import type { AskedName } from './asked-name.ts'
import type { Line } from './lines.ts'
import { readStatements, statementForms, type Statement } from './statements.ts'
import { FREE_STATUS, NOT_FOUND } from './wording/not-found.ts'
import { PREMIUM_FREE_STATUS, PREMIUM_KEPT, PREMIUM_ON_OFFER, PREMIUM_STATUS } from './wording/premium.ts'
import { BROKEN, NO_ANSWER, RATE_LIMITED } from './wording/refusals.ts'
import { RESERVED, RESERVED_STATUS } from './wording/reserved.ts'
import { OTHER_SUBJECT } from './wording/subject.ts'

type Evidence = {
  readonly lines: readonly Line[]
  /** Not the whole answer was read. */
  readonly cut: boolean
  readonly asked: AskedName
  /** The answer has a record or a key that names another domain. */
  readonly namesAnother: boolean
  readonly registration: Registration
  /** The values under `Status:`, as the server wrote them. */
  readonly statuses: readonly string[]
  /** A key says that the name is premium. */
  readonly isPremium: boolean
  /** Words that mean "no such domain" to this registry alone. */
  readonly notFoundHere: RegExp | undefined
  /** How this WHOIS host says "no such domain"; undefined where that is not known. */
  readonly known: RegExp | undefined
}

/** Rules of use speak of limits and refusals too, but of what may happen. */
const RULES_OF_USE =
  /\b(?:may|might|should|shall|must|if|unless|agree|reserves?|prohibited|forbidden|terms|policy|abide|lawful|purposes?|ll|constitutes|for more information|through the use|electronic|high-volume|our whois database)\b/

/** What an answer comes to. What it says of the domain counts more than any sentence; silence is never "available". */
export function judge(evidence: Evidence): RegistryAnswer {
  const { lines, cut, asked, registration, notFoundHere, known } = evidence
  const states = evidence.statuses.map((said) => ({ ...statementForms(said, asked), said, goesOn: false }))
  const premium = evidence.isPremium || states.some(({ words }) => PREMIUM_STATUS.test(words))
  const registered: RegistryAnswer = { kind: 'registered', registration, ...(premium && { premium }) }
  if (hasData(registration)) return registered
  if (isWebPage(lines)) return unclear('unavailable', 'a web page')
  const statements = readStatements(lines, asked).filter((statement) => !statement.goesOn)
  if (cut) return unclear('not_understood', 'an answer without end')

  const isFree = ({ words }: Statement) => FREE_STATUS.test(words) || PREMIUM_FREE_STATUS.test(words)
  const isNotFound = ({ words, labelled }: Statement) =>
    NOT_FOUND.test(words) || NOT_FOUND.test(labelled) || notFoundHere?.test(words) === true
  const refusals = statements.filter((statement) => !isNotFound(statement) && !RULES_OF_USE.test(statement.words))
  const limited = refusals.find(({ words }) => RATE_LIMITED.test(words))
  if (limited) return unclear('rate_limited', limited.said)
  const broken = refusals.find(({ words }) => BROKEN.test(words))
  if (broken) return unclear('unavailable', broken.said)
  const other = evidence.namesAnother ? firstWords(lines) : [...states, ...statements].find(isAboutAnother)?.said
  if (other !== undefined) return unclear('not_understood', `not about ${asked.domain}: ${other}`)

  const reserved =
    states.find(({ words }) => RESERVED_STATUS.test(words)) ?? statements.find(({ words }) => RESERVED.test(words))
  const offer = states.find(({ words }) => PREMIUM_FREE_STATUS.test(words)) ?? statements.find(isOffer)
  const kept = states.find(({ words }) => PREMIUM_STATUS.test(words)) ?? statements.find(isKept)
  const isAnyPremium = premium || offer !== undefined || kept !== undefined
  if (reserved) return { kind: 'reserved', reason: reserved.said, ...(isAnyPremium && { premium: true as const }) }
  // Premium alone says nothing of a sale.
  if (kept && !offer) return { kind: 'reserved', reason: kept.said, premium: true }
  const refused = refusals.find(({ words }) => NO_ANSWER.test(words))
  if (refused) return unclear('not_understood', refused.said)
  // A status of its own has only a domain that exists, whatever else is said.
  if (states.some((state) => state.words !== '' && !isFree(state))) return registered
  const absent = [...states.filter(isFree), ...statements.filter(isNotFound)]
  if (absent.length === 0 && !offer) return unclear('not_understood', firstWords(lines))
  const isKnown = absent.some(({ words, labelled }) => known?.test(words) === true || known?.test(labelled) === true)
  return {
    kind: 'available',
    ...(isKnown && { wording: 'known' as const }),
    ...(isAnyPremium && { premium: true as const }),
  }
}

const isOffer = ({ words }: Statement): boolean => PREMIUM_ON_OFFER.test(words)
const isKept = (statement: Statement): boolean => PREMIUM_KEPT.test(statement.words) && !isOffer(statement)

/** It would be an answer if it spoke of the domain asked for, or it says which other one was looked up. */
function isAboutAnother({ words }: Statement): boolean {
  if (!words.includes('~')) return false
  const asIfAsked = words.replaceAll('~', '@')
  const isAnswer = (text: string) => [NOT_FOUND, FREE_STATUS, RESERVED, PREMIUM_ON_OFFER].some((one) => one.test(text))
  return OTHER_SUBJECT.test(words) || (isAnswer(asIfAsked) && !isAnswer(words))
}

const hasData = ({ registrar, dates, nameservers, registrant }: Registration): boolean =>
  registrar?.name !== undefined || dates !== undefined || nameservers.length > 0 || registrant !== undefined

const isWebPage = (lines: readonly Line[]): boolean =>
  lines.some(({ text }) =>
    /^(?:<\/?(?:!doctype|html|head|title|body|script|center|h1|meta|\?xml)\b|HTTP\/\d|\{)/i.test(text),
  )

export function unclear(why: 'rate_limited' | 'unavailable' | 'not_understood', said: string): RegistryAnswer {
  return { kind: 'unclear', why, said: said.slice(0, 200) }
}

const firstWords = (lines: readonly Line[]): string =>
  (lines.find(({ text, comment }) => text !== '' && !comment) ?? lines.find(({ text }) => text !== ''))?.text ?? ''
