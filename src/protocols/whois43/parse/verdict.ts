import type { Registration, RegistryAnswer } from '../../../kernel/registration.ts'
import type { AskedName } from './asked-name.ts'
import type { Line } from './lines.ts'
import { extractStatements, normalizeStatement, type Statement } from './normalized-statements.ts'
import { FREE_STATUS, NOT_FOUND } from './wording/not-found.ts'
import { PREMIUM_FREE_STATUS, PREMIUM_KEPT, PREMIUM_ON_OFFER, PREMIUM_STATUS } from './wording/premium.ts'
import { BROKEN, NO_ANSWER, RATE_LIMITED } from './wording/refusals.ts'
import { RESERVED, RESERVED_STATUS } from './wording/reserved.ts'
import { OTHER_SUBJECT } from './wording/other-domain.ts'

type VerdictInput = {
  readonly lines: readonly Line[]
  /** The answer was too long and only partly parsed. */
  readonly cut: boolean
  readonly asked: AskedName
  /** A record or key of the answer names another domain. */
  readonly namesAnother: boolean
  readonly registration: Registration
  /** The original values of `Status:`. */
  readonly statuses: readonly string[]
  /** A key says that the name is premium. */
  readonly isPremium: boolean
  /** A "not found" wording valid for this registry only. */
  readonly notFoundHere: RegExp | undefined
  /** This WHOIS host's known "not found" wording; undefined if unknown. */
  readonly known: RegExp | undefined
}

/** Terms of use mention limits and refusals too, but conditionally. */
const RULES_OF_USE =
  /\b(?:may|might|should|shall|must|if|unless|agree|reserves?|prohibited|forbidden|terms|policy|abide|lawful|purposes?|ll|constitutes|for more information|through the use|electronic|high-volume|our whois database)\b/

/** Decides the result. Data about the domain outweighs any sentence; missing data is never "available". */
export function classifyAnswer(evidence: VerdictInput): RegistryAnswer {
  const { lines, cut, asked, registration, notFoundHere, known } = evidence
  const states = evidence.statuses.map((said) => ({ ...normalizeStatement(said, asked), said, isContinuation: false }))
  const premium = evidence.isPremium || states.some(({ words }) => PREMIUM_STATUS.test(words))
  const registered: RegistryAnswer = { kind: 'registered', registration, ...(premium && { premium }) }
  if (hasData(registration)) return registered
  if (isWebPage(lines)) return unclear('unavailable', 'a web page')
  const statements = extractStatements(lines, asked).filter((statement) => !statement.isContinuation)
  if (cut) return unclear('not_understood', 'an answer with too many lines')

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
  // Premium without an offer is not for sale.
  if (kept && !offer) return { kind: 'reserved', reason: kept.said, premium: true }
  const refused = refusals.find(({ words }) => NO_ANSWER.test(words))
  if (refused) return unclear('not_understood', refused.said)
  // Only an existing domain has a status.
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

/** The statement would be an answer if `~` were the queried domain, or it says that another domain was looked up. */
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
