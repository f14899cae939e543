import { OK, type Outcome, OUTCOME_WORDS, outcomeOf, scriptOf } from '../outcome.ts'

/** What becomes of a question about a name, by the wire language it is asked in. */
export type Fate = { readonly dns: Outcome; readonly rdap: Outcome; readonly whois: Outcome }

export const FINE: Fate = { dns: OK, rdap: OK, whois: OK }

/**
 * `throttled-shop` has trouble with its registry, by RDAP and by WHOIS; `dns-throttled-shop` with the name servers,
 * `rdap-…` and `whois-…` with the registry in that language alone.
 */
export function fateOf(label: string): Fate {
  const [, prefix, rest] = /^(?:(dns|rdap|whois)-)?(.*)$/.exec(label) ?? []
  const outcome = outcomeOf(rest ?? '')
  if (prefix === undefined) return { ...FINE, rdap: outcome, whois: outcome }
  return { ...FINE, [prefix]: outcome }
}

/** Words that say what a name is, where those of `outcome.ts` say how its servers behave. */
export const STATE_WORDS = ['free', 'premium', 'taken', 'held', 'reserved', 'signed', 'lame', 'bogus'] as const
export type StateWord = (typeof STATE_WORDS)[number]

/** `held` for `heldback-shop`; a word of an outcome in front leaves no room for it. */
export const stateWordOf = (label: string): StateWord | undefined => scriptOf(label, STATE_WORDS)?.word

/** Whether the registry has to be asked: the name servers of a TLD say nothing of such a name that would spare it. */
export const isRegistryScripted = (label: string): boolean =>
  scriptOf(label.replace(/^(?:rdap|whois)-/, ''), OUTCOME_WORDS) !== undefined
