import type { Round } from '../contest.ts'
import { median } from '../speed.ts'
import { table } from '../table.ts'
import type { Verdict } from '../verdicts.ts'
import { calmCreditTurns, type CreditTurn, type CreditTurns, LEDGERS } from './credit.ts'

const TARGET = 0.5
const COLUMNS = ['ledger', 'request', 'requests/s', '× plain', 'CPU µs', '× plain', 'p99 ms']

export function creditReport(turns: CreditTurns): string {
  const rows = LEDGERS.flatMap((ledger) => {
    const calm = calmCreditTurns(turns[ledger])
    return [row(ledger, 'plain', calm), row('', 'credit', calm)]
  })
  return ['paid with credit, beside the same endpoint without a price:', table([COLUMNS, ...rows])].join('\n')
}

function row(ledger: string, what: keyof CreditTurn, turns: readonly CreditTurn[]): string[] {
  const middle = (figure: (round: Round) => number) => median(turns.map((turn) => figure(turn[what])))
  const times = (figure: (round: Round) => number) => (what === 'plain' ? '' : ratio(turns, figure).toFixed(2))
  return [
    ledger,
    what,
    middle(({ perSecond }) => perSecond).toFixed(0),
    times(({ perSecond }) => perSecond),
    middle(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest).toFixed(0),
    times(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest),
    middle(({ p99Ms }) => p99Ms).toFixed(1),
  ]
}

/** The median of the ratios within each turn. */
const ratio = (turns: readonly CreditTurn[], figure: (round: Round) => number): number =>
  median(turns.map(({ plain, credit }) => figure(credit) / figure(plain)))

/** Requests/s paid with credit as a part of those without a price. */
export const creditPart = (turns: CreditTurns, ledger: (typeof LEDGERS)[number]): number =>
  ratio(calmCreditTurns(turns[ledger]), ({ perSecond }) => perSecond)

export const judgeCredit = (turns: CreditTurns): Verdict[] =>
  LEDGERS.map((ledger) => {
    const reached = creditPart(turns, ledger)
    return {
      target: `requests/s paid with credit at least ${TARGET} × plain, ledger in ${ledger}`,
      measured: `${reached.toFixed(2)} ×`,
      met: reached >= TARGET,
    }
  })
