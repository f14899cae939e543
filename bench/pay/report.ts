import { MAX_OTHERS_BUSY, type Round } from '../contest.ts'
import { table } from '../table.ts'
import { median } from '../speed.ts'
import { megabytes, type Verdict } from '../verdicts.ts'
import { CONTESTANTS, type ContestantName, PEERS } from './contestants.ts'
import { calmTurns, type Flood, type Turn } from './measure.ts'
import type { Sold } from './paid.ts'

const TARGET = 0.65

const COLUMNS = [
  'server',
  'answer',
  'requests/s',
  '× own 200',
  'CPU µs',
  '× own 200',
  'p99 ms',
  'RSS',
  'outgoing',
  'busy',
]

export function floodReport(flood: Flood): string {
  const rows = present(flood).flatMap((who) => {
    const turns = calmTurns(flood[who]!)
    const asked = turns.reduce((sum, turn) => sum + turn.outgoing, 0)
    return [
      [...row(who, '200', turns, 'free'), '', busy(turns, 'free')],
      [...row('', '402', turns, 'paid'), String(asked), busy(turns, 'paid')],
    ]
  })
  const ours = calmTurns(flood.onoma!)
  const kept = median(ours.map((turn) => turn.paid.perSecond / turn.kept!.perSecond))
  const keptPerSecond = median(ours.map((turn) => turn.kept!.perSecond)).toFixed(0)
  return [
    table([COLUMNS, ...rows]),
    '',
    `for comparison: onoma sends ${keptPerSecond}/s of a 200 from its cache; its 402 reaches ${kept.toFixed(2)} × that`,
    ...reliabilityNotes(flood),
  ].join('\n')
}

function row(who: string, answer: string, turns: readonly Turn[], what: 'free' | 'paid'): string[] {
  const middle = (figure: (round: Round) => number) => median(turns.map((turn) => figure(turn[what])))
  const timesOwn = (figure: (round: Round) => number) => (what === 'free' ? '' : ratio(turns, figure).toFixed(2))
  return [
    who,
    answer,
    middle(perSecond).toFixed(0),
    timesOwn(perSecond),
    middle(cpuMicros).toFixed(0),
    timesOwn(cpuMicros),
    middle(({ p99Ms }) => p99Ms).toFixed(1),
    megabytes(turns.at(-1)![what].rssBytes),
  ]
}

const perSecond = (round: Round): number => round.perSecond
const cpuMicros = (round: Round): number => round.cpuMicrosPerRequest

/** The median of the ratios within each turn: both rounds of a turn ran on about the same machine. */
const ratio = (turns: readonly Turn[], figure: (round: Round) => number): number =>
  median(turns.map(({ free, paid }) => figure(paid) / figure(free)))

const busy = (turns: readonly Turn[], what: 'free' | 'paid'): string =>
  percent(median(turns.map((turn) => turn[what].serverBusy)))

/** Notes on how reliable the figures are: other load on the machine, and the load generator as a bottleneck. */
function reliabilityNotes(flood: Flood): string[] {
  const used = present(flood).map((who) => calmTurns(flood[who]!))
  const rounds = used.flat().flatMap(({ free, paid }) => [free, paid])
  const others = median(rounds.map(({ othersBusy }) => othersBusy))
  const fewest = Math.min(...used.map((turns) => turns.length))
  const busiest = Math.max(...rounds.map(({ generatorBusy }) => generatorBusy))
  return [
    `at least ${fewest} turns of each; load generator at most ${percent(busiest)} of a processor`,
    ...(others <= MAX_OTHERS_BUSY
      ? []
      : [`NOTE: the machine was not calm (others: ${percent(others)} of a processor); repeat the run.`]),
  ]
}

export function soldReport(sold: Readonly<Record<string, Sold>>, wallets: number): string {
  const columns = [
    'paid by',
    '',
    'payments/s',
    'p50 ms',
    'p99 ms',
    'CPU ms service',
    'CPU ms wallet',
    'requests to nodes',
  ]
  return [
    `for information: ${wallets} wallets at once, client libraries, service and both simulated chains on this machine`,
    table([
      columns,
      ...Object.entries(sold).map(([protocol, each]) => [
        protocol,
        '',
        each.perSecond.toFixed(0),
        each.p50Ms.toFixed(0),
        each.p99Ms.toFixed(0),
        each.serviceMs.toFixed(1),
        each.walletMs.toFixed(1),
        each.outgoing.toFixed(1),
      ]),
    ]),
  ].join('\n')
}

/** Its 402s/s as a part of its own plain 200s/s. */
export const ownPart = (flood: Flood, who: ContestantName): number => ratio(calmTurns(flood[who]!), perSecond)

export function judgeFlood(flood: Flood): Verdict[] {
  const own = (who: ContestantName) => ownPart(flood, who)
  const ours = own('onoma')
  const asked = flood.onoma!.reduce((sum, turn) => sum + turn.outgoing, 0)
  const requests = flood.onoma!.reduce((sum, turn) => sum + turn.paid.requests, 0)
  return [
    {
      target: `402s/s at saturation at least ${TARGET} × a plain 200 of the same service`,
      measured: `${ours.toFixed(2)} ×`,
      met: ours >= TARGET,
    },
    ...PEERS.filter((who) => flood[who]).map((who) => ({
      target: `a larger part of its own plain 200 than ${who}`,
      measured: `${ours.toFixed(2)} and ${own(who).toFixed(2)}`,
      met: ours > own(who),
    })),
    {
      target: 'a 402 causes no outgoing requests',
      measured: `${asked} requests for ${requests.toLocaleString('en')} responses`,
      met: asked === 0,
    },
  ]
}

const present = (flood: Flood): ContestantName[] => CONTESTANTS.filter((who) => flood[who])
const percent = (part: number): string => `${Math.round(part * 100)} %`
