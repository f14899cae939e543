import type { Random } from '../kernel/random.ts'
import type { STATUSES } from './contract.ts'
import type { Signals } from './signals.ts'

type Status = (typeof STATUSES)[number]

const OPENINGS: Readonly<Record<Status, readonly string[]>> = {
  clean: [
    '{name} is hardly to be found on the web',
    'Next to nothing was found for {name}',
    'The web knows almost nothing of {name}',
  ],
  low: [
    'There is a little about {name} on the web',
    '{name} turns up here and there',
    'A few traces of {name} were found',
  ],
  medium: [
    '{name} is in use to some degree',
    'Others use {name} already, though not everywhere',
    '{name} is fairly visible',
  ],
  high: ['{name} is well known on the web', '{name} is taken up by others', 'The web is full of {name}'],
}

/** In a few sentences, each of which a signal carries; only the wording is chance. */
export function summaryOf(
  name: string,
  { status, signals, engines }: { readonly status: Status; readonly signals: Signals; readonly engines: number },
  random: Random,
): string {
  const pick = <T>(all: readonly T[]): T => all[random.below(all.length)]!
  const facts: string[] = []
  if (signals.company_exists) facts.push(pick(['a company is called so', 'a company goes by this name']))
  if (signals.product_exists) facts.push(pick(['there is a product of this name', 'a product is called so']))
  if (signals.domain_registered) facts.push(pick(['its .com is registered', 'somebody holds its .com']))
  const { social_handles_found: handles, notable_individuals: people } = signals
  if (handles.length > 0)
    facts.push(
      handles.length === 1 ? `a social handle is taken (${handles[0]})` : `${handles.length} social handles are taken`,
    )
  if (people.length > 0) facts.push(`a person is known by it (${people[0]})`)
  const opening = pick(OPENINGS[status]).replace('{name}', () => name)
  const first = facts.length === 0 ? `${opening}.` : `${opening}: ${listed(facts)}.`
  const rest = [
    ...(facts.length === 0 && signals.exact_phrase_found
      ? ['The exact words were found, but nobody who trades by them.']
      : []),
    ...(facts.length === 0 && !signals.exact_phrase_found ? ['The exact words were not found.'] : []),
    ...(engines === 1 ? ['Only one search engine was heard.'] : []),
  ]
  return [first, ...rest].join(' ')
}

const listed = (facts: readonly string[]): string =>
  facts.length === 1 ? facts[0]! : `${facts.slice(0, -1).join(', ')} and ${facts.at(-1)!}`
