import type { Trial } from './contestants.ts'
import { isFree } from './lists.ts'
import type { Verdict } from './peer.ts'

export type Score = {
  readonly right: number
  readonly unknown: number
  readonly falseAvailable: number
  readonly falseTaken: number
}

export const isRight = (domain: string, verdict: Verdict): boolean =>
  verdict === (isFree(domain) ? 'available' : 'taken')

/** A domain without a verdict counts as unknown. */
export function scoreVerdicts(domains: readonly string[], { verdicts }: Pick<Trial, 'verdicts'>): Score {
  const results = domains.map((domain) => {
    const verdict = verdicts[domain] ?? 'unknown'
    return { verdict, right: isRight(domain, verdict) }
  })
  const count = (matches: (one: (typeof results)[number]) => boolean) => results.filter(matches).length
  return {
    right: count(({ right }) => right),
    unknown: count(({ verdict }) => verdict === 'unknown'),
    falseAvailable: count(({ verdict, right }) => verdict === 'available' && !right),
    falseTaken: count(({ verdict, right }) => verdict === 'taken' && !right),
  }
}
