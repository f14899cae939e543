import { MAX_OTHERS_BUSY } from '../contest.ts'
import { table } from '../table.ts'
import { median } from '../speed.ts'
import { megabytes, type Verdict } from '../verdicts.ts'
import { CONTESTANTS, type ContestantName } from './contestants.ts'
import type { Outcome, Slow } from './measure.ts'
import type { Round } from './rounds.ts'

const TARGETS = { throughput: 1.5, latency: 1.15 }

type Rounds = Outcome['rounds']

export function reportEns({ rounds, slow, latencyMs }: Outcome, connections: number): string[] {
  return [
    `metadata at ${connections} connections, a node without latency; median of ${rounds.onoma.length} rounds`,
    table([FAST_COLUMNS, ...CONTESTANTS.map((who) => fastRow(rounds, who))]),
    reliabilityNotes(rounds).join('\n'),
    `one connection, a node with ${latencyMs} ms latency`,
    table([
      ['what', 'who', 'ms', '× one round trip'],
      slowRow('one round trip', 'no service', slow, 'roundTrip'),
      ...CONTESTANTS.map((who, at) => slowRow(at === 0 ? 'metadata' : '', who, slow, who)),
      slowRow('prepare-commit', 'onoma', slow, 'prepareCommit'),
    ]),
  ]
}

const FAST_COLUMNS = [
  'who',
  'requests/s',
  '× ours',
  'p50 ms',
  'p99 ms',
  'RPC requests',
  'RPC calls',
  'CPU ms/req',
  '× ours',
  'RSS',
  'busy',
]

function fastRow(rounds: Rounds, who: ContestantName): string[] {
  const medianOf = (figure: (round: Round) => number) => median(rounds[who].map(figure))
  const timesOurs = (figure: (round: Round) => number) => ratio(rounds, who, 'onoma', figure).toFixed(2)
  return [
    who,
    medianOf(({ perSecond }) => perSecond).toFixed(0),
    timesOurs(({ perSecond }) => perSecond),
    medianOf(({ p50Ms }) => p50Ms).toFixed(1),
    medianOf(({ p99Ms }) => p99Ms).toFixed(1),
    (total(rounds[who], 'posts') / total(rounds[who], 'requests')).toFixed(2),
    (total(rounds[who], 'calls') / total(rounds[who], 'requests')).toFixed(2),
    medianOf(({ cpuMsPerRequest }) => cpuMsPerRequest).toFixed(2),
    timesOurs(({ cpuMsPerRequest }) => cpuMsPerRequest),
    megabytes(rounds[who].at(-1)!.rssBytes),
    percent(medianOf(({ serverBusy }) => serverBusy)),
  ]
}

const slowRow = (what: string, who: string, slow: Slow, key: keyof Slow): string[] => [
  what,
  who,
  median(slow[key]).toFixed(1),
  slowRatio(slow, key).toFixed(2),
]

/** The median of the ratios within each round, in which all contestants had about the same conditions. */
const ratio = (rounds: Rounds, one: ContestantName, other: ContestantName, figure: (round: Round) => number): number =>
  median(rounds[one].map((round, at) => figure(round) / figure(rounds[other][at]!)))

const slowRatio = (slow: Slow, key: keyof Slow): number => median(slow[key].map((ms, at) => ms / slow.roundTrip[at]!))

const total = (rounds: readonly Round[], figure: 'requests' | 'posts' | 'calls'): number =>
  rounds.reduce((sum, round) => sum + round[figure], 0)

/** Notes on whether the figures are reliable: no other load, and neither generator nor node the bottleneck. */
function reliabilityNotes(rounds: Rounds): string[] {
  const all = Object.values(rounds).flat()
  const busiest = (figure: (round: Round) => number) => percent(Math.max(...all.map(figure)))
  const others = median(all.map(({ othersBusy }) => othersBusy))
  return [
    `maximum of a round: load generator ${busiest((round) => round.generatorBusy)} of a processor, node ${busiest((round) => round.nodeBusy)}`,
    ...(others <= MAX_OTHERS_BUSY
      ? []
      : [
          `NOTE: the machine was not calm (others: ${percent(others)} of a processor); only the ratios are meaningful.`,
        ]),
  ]
}

export function judgeEns({ rounds, slow, latencyMs }: Outcome): Verdict[] {
  const faster = ratio(rounds, 'onoma', 'ensjs', ({ perSecond }) => perSecond)
  const [requests, posts] = [total(rounds.onoma, 'requests'), total(rounds.onoma, 'posts')]
  const late = slowRatio(slow, 'onoma')
  return [
    {
      target: `metadata/s at least ${TARGETS.throughput} × ensjs`,
      measured: `${faster.toFixed(2)} ×`,
      met: faster >= TARGETS.throughput,
    },
    {
      target: 'exactly 1 RPC request per response',
      measured: `${posts} for ${requests}`,
      met: posts === requests,
    },
    {
      target: `metadata with a node of ${latencyMs} ms latency at most ${TARGETS.latency} × one round trip`,
      measured: `${late.toFixed(2)} ×`,
      met: late <= TARGETS.latency,
    },
  ]
}

const percent = (part: number): string => `${Math.round(part * 100)} %`
