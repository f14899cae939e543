import type { Random } from '../kernel/random.ts'
import type { STATUSES } from './contract.ts'
import type { Coverage, OpenSourceId } from './search-engine.ts'
import type { Signals } from './signals.ts'

type Status = (typeof STATUSES)[number]

/** Openings by status. They only say how visible the name is; the signals say who uses it. */
const OPENINGS: Readonly<Record<Status, readonly string[]>> = {
  clean: [
    'Search engines show next to nothing for {name}',
    '{name} hardly turns up in search results',
    'There is almost no trace of {name} in search results',
  ],
  low: [
    '{name} turns up here and there in search results',
    'Search results show a little of {name}',
    '{name} is only faintly visible to search engines',
  ],
  medium: [
    '{name} is fairly visible in search results',
    'Search engines show a good deal for {name}',
    '{name} turns up often in search results',
  ],
  high: [
    '{name} is highly visible in search results',
    'Search results are full of {name}',
    '{name} stands out in search results',
  ],
}

/** Openings if no engine has searched the web. */
const OPEN_OPENINGS: Readonly<Record<Status, readonly string[]>> = {
  clean: ['Open registers show next to nothing for {name}', 'There is almost no trace of {name} in open registers'],
  low: ['{name} turns up here and there in open registers', 'Open registers show a little of {name}'],
  medium: ['{name} is fairly visible in open registers', 'Open registers show a good deal for {name}'],
  high: ['{name} is highly visible in open registers', 'Open registers are full of {name}'],
}

type SummaryFacts = {
  readonly status: Status
  readonly signals: Signals
  /** Number of engines queried, and of those that answered. */
  readonly asked: number
  readonly answered: number
  /** What was searched, if it was not the web; null if it was. */
  readonly openOnly?: Coverage | null
}

/** A few sentences, each backed by a signal; only the wording is random. */
export function summaryOf(name: string, facts: SummaryFacts, random: Random): string {
  const { status, signals, asked, answered, openOnly = null } = facts
  const pick = (...wordings: readonly string[]): string => wordings[random.below(wordings.length)]!
  const { social_handles_found: handles, notable_individuals: people } = signals
  const isTraded = signals.company_exists || signals.product_exists
  const known = [
    signals.company_exists && pick('a company has this name', 'a company goes by this name'),
    signals.product_exists && pick('a product has this name', 'a product goes by this name'),
    signals.brand_exists && !isTraded && pick('somebody uses it as a brand', 'it is in use as a brand'),
    signals.domain_registered && pick('its .com is registered', 'somebody holds its .com'),
    handles.length === 1 && pick(`a handle is taken (${handles[0]})`, `${handles[0]} is somebody's handle`),
    handles.length > 1 &&
      pick(`${handles.length} handles are taken`, `there are ${handles.length} handles of this name`),
    people.length > 0 && pick(`a person is known by it (${people[0]})`, `others write about a person (${people[0]})`),
  ].filter((fact) => fact !== false)
  const opening = pick(...(openOnly === null ? OPENINGS : OPEN_OPENINGS)[status]).replace('{name}', () => name)
  const phrase = signals.exact_phrase_found
    ? pick('The exact words were found, and no more than that.', 'Only the words themselves were found.')
    : pick('The exact words were not found.', 'None of the results has exactly these words.')
  return [
    known.length === 0 ? `${opening}.` : `${opening}: ${listed(known)}.`,
    ...(known.length === 0 || !signals.exact_phrase_found ? [phrase] : []),
    ...(signals.domain_registered_unknown === true ? ['Whether its .com is taken is unknown.'] : []),
    ...(answered < asked
      ? [pick('Not every search engine answered.', `Only ${answered} of ${asked} search engines answered.`)]
      : []),
    ...(openOnly === null ? [] : [coverageNote(openOnly)]),
  ].join(' ')
}

const SOURCE_NAMES: Readonly<Record<OpenSourceId, string>> = {
  wikidata: 'Wikidata',
  wikipedia: 'Wikipedia',
  gleif: 'the LEI index of companies',
  github: 'GitHub',
  itunes: 'the App Store',
  dns: 'DNS',
}

/** A low score says less if the web was not searched. */
function coverageNote({ answered, failed }: Coverage): string {
  const note = `The web was not searched, only ${listed(answered.map((source) => SOURCE_NAMES[source]))}.`
  return failed.length === 0
    ? note
    : `${note} No answer came from ${listed(failed.map(({ source }) => SOURCE_NAMES[source]))}.`
}

const listed = (facts: readonly string[]): string =>
  facts.length === 1 ? facts[0]! : `${facts.slice(0, -1).join(', ')} and ${facts.at(-1)!}`
