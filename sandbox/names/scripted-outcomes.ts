import { OK, type Outcome, OUTCOME_WORDS, outcomeOf, scriptOf } from '../outcome.ts'

/** The scripted outcomes of a name, by protocol. */
export type ScriptedOutcomes = { readonly dns: Outcome; readonly rdap: Outcome; readonly whois: Outcome }

export const ALL_OK: ScriptedOutcomes = { dns: OK, rdap: OK, whois: OK }

/**
 * `throttled-shop` scripts the registry, for RDAP and WHOIS; `dns-throttled-shop` the name servers; `rdap-…` and
 * `whois-…` only that protocol of the registry.
 */
export function outcomesFor(label: string): ScriptedOutcomes {
  const [, prefix, rest] = /^(?:(dns|rdap|whois)-)?(.*)$/.exec(label) ?? []
  const outcome = outcomeOf(rest ?? '')
  if (prefix === undefined) return { ...ALL_OK, rdap: outcome, whois: outcome }
  return { ...ALL_OK, [prefix]: outcome }
}

/** Words for the state of a name; the words of `outcome.ts` script how its servers behave. */
export const STATE_WORDS = ['free', 'premium', 'taken', 'held', 'reserved', 'signed', 'lame', 'bogus'] as const
export type StateWord = (typeof STATE_WORDS)[number]

/** `held` for `heldback-shop`; undefined if the label starts with another word. */
export const stateWordOf = (label: string): StateWord | undefined => scriptOf(label, STATE_WORDS)?.word

/** Whether the registry is scripted. Such a name is never delegated, so that DNS cannot answer for the registry. */
export const isRegistryScripted = (label: string): boolean =>
  scriptOf(label.replace(/^(?:rdap|whois)-/, ''), OUTCOME_WORDS) !== undefined
