import { table } from '../table.ts'
import type { ContestantName, Trial } from './contestants.ts'
import { isRight, scoreVerdicts } from './score.ts'

type Answers = Pick<Trial, 'verdicts'>
export type Missed = { readonly domain: string; readonly peer: ContestantName; readonly isGuess: boolean }

/**
 * Names that we call unknown and a peer gets right. A peer with false verdicts in the same scenario only guesses: it trusts
 * an answer that is wrong for other names.
 */
export function findMissed(
  domains: readonly string[],
  ours: Answers,
  peers: ReadonlyMap<ContestantName, Answers>,
): Missed[] {
  const isUnknown = (domain: string) => (ours.verdicts[domain] ?? 'unknown') === 'unknown'
  const missed = domains.filter(isUnknown)
  return [...peers].flatMap(([peer, answers]) => {
    const { falseAvailable, falseTaken } = scoreVerdicts(domains, answers)
    const right = missed.filter((domain) => isRight(domain, answers.verdicts[domain] ?? 'unknown'))
    return right.map((domain) => ({ domain, peer, isGuess: falseAvailable + falseTaken > 0 }))
  })
}

export const countNames = (missed: readonly Missed[]): number => new Set(missed.map(({ domain }) => domain)).size

/** One line for each scenario and peer; undefined if nothing was missed. */
export function missedTable(missed: ReadonlyMap<string, readonly Missed[]>): string | undefined {
  const rows = [...missed].flatMap(([title, ofScenario]) =>
    [...Map.groupBy(ofScenario, ({ peer }) => peer)].map(([peer, names]) => [
      title,
      peer,
      String(names.length),
      names[0]!.isGuess ? 'a guess: false for other names' : 'counts against us',
      names
        .slice(0, 3)
        .map(({ domain }) => domain)
        .join(' '),
    ]),
  )
  if (rows.length === 0) return undefined
  return table([['unknown here, right at a peer', 'peer', 'names', 'judged', 'for example'], ...rows])
}
