import { CONTESTANTS } from './contestants.ts'
import type { CreditTurns } from './credit.ts'
import { creditPart } from './credit-report.ts'
import type { Flood } from './measure.ts'
import { type Overhead, overheadMs } from './overhead.ts'
import { ownPart } from './report.ts'

type Outcome = {
  readonly flood: Flood | undefined
  readonly credit: CreditTurns | undefined
  readonly overhead: Overhead | undefined
}

/** The figures that `npm run bench` compares with those of earlier runs. */
export const payRatios = ({ flood, credit, overhead }: Outcome): Record<string, number> => ({
  ...(flood &&
    Object.fromEntries(CONTESTANTS.filter((who) => flood[who]).map((who) => [`402 ${who}`, ownPart(flood, who)]))),
  ...(credit && { 'credit file': creditPart(credit, 'file'), 'credit memory': creditPart(credit, 'memory') }),
  ...(overhead && { 'overhead x402': overheadMs(overhead, 'x402'), 'overhead mpp': overheadMs(overhead, 'mpp') }),
})
