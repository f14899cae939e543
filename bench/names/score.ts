import type { Trial } from './contestants.ts'
import { isFree } from './lists.ts'

export type Score = {
  readonly right: number
  readonly unknown: number
  readonly falseAvailable: number
  readonly falseTaken: number
}

/** A domain without a verdict counts as unknown. */
export function scoreVerdicts(domains: readonly string[], { verdicts }: Pick<Trial, 'verdicts'>): Score {
  const results = domains.map((domain) => ({ verdict: verdicts[domain] ?? 'unknown', free: isFree(domain) }))
  const count = (matches: (one: (typeof results)[number]) => boolean) => results.filter(matches).length
  return {
    right: count(({ verdict, free }) => verdict === (free ? 'available' : 'taken')),
    unknown: count(({ verdict }) => verdict === 'unknown'),
    falseAvailable: count(({ verdict, free }) => verdict === 'available' && !free),
    falseTaken: count(({ verdict, free }) => verdict === 'taken' && free),
  }
}
