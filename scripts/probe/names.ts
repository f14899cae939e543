import { type DomainName, parseDomain } from '../../src/kernel/names.ts'
import type { Random } from '../../src/kernel/random.ts'

export type NameNeeds = {
  readonly random: Random
  /** A label that is registered under every TLD. */
  readonly takenLabel: string
}

/** The simulated registries know a name with this beginning to be free; in the real world it is, by all odds. */
const FREE_PREFIX = 'freeonoma'
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** A name under the suffix that somebody holds, and one that nobody does. */
export function namesUnder(suffix: string, { random, takenLabel }: NameNeeds): { taken: DomainName; free: DomainName } {
  const ending = Array.from({ length: 10 }, () => LETTERS[random.below(LETTERS.length)]).join('')
  return { taken: domainOf(`${takenLabel}.${suffix}`), free: domainOf(`${FREE_PREFIX}${ending}.${suffix}`) }
}

function domainOf(text: string): DomainName {
  const parsed = parseDomain(text)
  if (!parsed.ok) throw new Error(`${text} is not a domain.`)
  return parsed.name
}
