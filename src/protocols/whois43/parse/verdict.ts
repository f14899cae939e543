import type { Registration, RegistryAnswer } from '../../../kernel/registration.ts'
import type { Line } from './lines.ts'
import { readStatements, statementWords, type Statement } from './statements.ts'
import { FREE_STATUS, NOT_FOUND } from './wording/not-found.ts'
import { BROKEN, NO_ANSWER, RATE_LIMITED } from './wording/refusals.ts'
import { RESERVED, RESERVED_STATUS } from './wording/reserved.ts'

type Evidence = {
  readonly lines: readonly Line[]
  /** Not the whole answer was read. */
  readonly cut: boolean
  readonly domain: string
  readonly registration: Registration
  /** The values under `Status:`, as the server wrote them. */
  readonly statuses: readonly string[]
  /** Words that mean "no such domain" to this registry alone. */
  readonly notFoundHere: RegExp | undefined
  /** How this WHOIS host says "no such domain"; undefined where that is not known. */
  readonly known: RegExp | undefined
}

/** Rules of use speak of limits and refusals too, but of what may happen. */
const RULES_OF_USE =
  /\b(?:may|might|should|shall|must|if|unless|agree|reserves?|prohibited|forbidden|terms|policy|abide|lawful|purposes?|ll|constitutes|for more information|through the use|electronic|high-volume|our whois database)\b/

/** What an answer comes to. What it says of the domain counts more than any sentence; silence is never "available". */
export function judge({ lines, cut, domain, registration, statuses, notFoundHere, known }: Evidence): RegistryAnswer {
  if (hasData(registration)) return { kind: 'registered', registration }
  if (isWebPage(lines)) return unclear('unavailable', 'a web page')
  const statements = readStatements(lines, domain).filter((statement) => !statement.goesOn)
  const states = statuses.map((said) => ({ words: statementWords(said, domain), said, goesOn: false }))
  if (cut) return unclear('not_understood', 'an answer without end')

  const isNotFound = ({ words }: Statement) => NOT_FOUND.test(words) || notFoundHere?.test(words) === true
  const free = states.find(({ words }) => FREE_STATUS.test(words)) ?? statements.find(isNotFound)
  const refusals = statements.filter((statement) => !isNotFound(statement) && !RULES_OF_USE.test(statement.words))
  const limited = refusals.find(({ words }) => RATE_LIMITED.test(words))
  if (limited) return unclear('rate_limited', limited.said)
  const broken = refusals.find(({ words }) => BROKEN.test(words))
  if (broken) return unclear('unavailable', broken.said)
  const reserved =
    states.find(({ words }) => RESERVED_STATUS.test(words)) ?? statements.find(({ words }) => RESERVED.test(words))
  if (reserved) return { kind: 'reserved', reason: reserved.said }
  const refused = refusals.find(({ words }) => NO_ANSWER.test(words))
  if (refused) return unclear('not_understood', refused.said)
  // A status of its own has only a domain that exists, whatever else is said.
  if (states.some(({ words }) => words !== '' && !FREE_STATUS.test(words))) return { kind: 'registered', registration }
  if (free) return { kind: 'available', ...(known?.test(free.words) && { wording: 'known' as const }) }
  return unclear('not_understood', firstWords(lines))
}

const hasData = ({ registrar, dates, nameservers, registrant }: Registration): boolean =>
  registrar?.name !== undefined || dates !== undefined || nameservers.length > 0 || registrant !== undefined

const isWebPage = (lines: readonly Line[]): boolean =>
  lines.slice(0, 5).some(({ text }) => /^<(?:!doctype|html|head|body|script)\b/i.test(text))

function unclear(why: 'rate_limited' | 'unavailable' | 'not_understood', said: string): RegistryAnswer {
  return { kind: 'unclear', why, said: said.slice(0, 200) }
}

const firstWords = (lines: readonly Line[]): string =>
  (lines.find(({ text, comment }) => text !== '' && !comment) ?? lines.find(({ text }) => text !== ''))?.text ?? ''
