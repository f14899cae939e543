import { DISTURBANCE } from '../contest.ts'
import { median } from '../speed.ts'
import { table } from '../table.ts'
import type { Verdict } from '../verdicts.ts'
import type { Beside, Done, Outcome, Pair } from './measure.ts'

/** Of a machine with two cores; on any other it is for the reader to judge. */
const TARGETS = { perSecond: 3, kept: 0.8 }

const COLUMNS = [
  'captures by',
  'in flight',
  'per second',
  '× playwright',
  'p50 ms',
  'p95 ms',
  'CPU ms browser',
  'node',
  'MB browser',
  'node',
]

export function intelReport({ pairs, beside }: Outcome): string {
  const rows = [...Map.groupBy(pairs, ({ inFlight }) => inFlight)].flatMap(([inFlight, turns]) => [
    ['playwright', String(inFlight), ...figures(turns, 'playwright')],
    ['onoma', String(inFlight), ...figures(turns, 'onoma')],
  ])
  return [
    table([COLUMNS, ...rows]),
    '',
    table(
      [
        ['another endpoint, saturated', 'requests/s', 'p99 ms', 'captures/s'],
        ['alone', ...served(beside, 'alone'), ''],
        [
          'beside captures',
          ...served(beside, 'meanwhile'),
          middle(beside, ({ captures }) => captures.perSecond).toFixed(1),
        ],
      ],
      1,
    ),
  ].join('\n')
}

function figures(turns: readonly Pair[], who: 'onoma' | 'playwright'): string[] {
  const of = (figure: (done: Done) => number) => median(turns.map((turn) => figure(turn[who])))
  const most = (figure: (done: Done) => number) => Math.max(...turns.map((turn) => figure(turn[who])))
  return [
    of(({ perSecond }) => perSecond).toFixed(2),
    who === 'onoma' ? ratio(turns).toFixed(2) : '',
    of(({ p50Ms }) => p50Ms).toFixed(0),
    of(({ p95Ms }) => p95Ms).toFixed(0),
    of(({ browserCpuMs }) => browserCpuMs).toFixed(0),
    of(({ nodeCpuMs }) => nodeCpuMs).toFixed(0),
    most(({ browserMegabytes }) => browserMegabytes).toFixed(0),
    most(({ nodeMegabytes }) => nodeMegabytes).toFixed(0),
  ]
}

const served = (beside: readonly Beside[], when: 'alone' | 'meanwhile'): string[] => [
  middle(beside, (turn) => turn[when].perSecond).toFixed(0),
  middle(beside, (turn) => turn[when].p99Ms).toFixed(1),
]

const middle = (beside: readonly Beside[], figure: (turn: Beside) => number): number => median(beside.map(figure))

/** The middle of the ratios within each turn: both sides of it met about the same machine. */
const ratio = (turns: readonly Pair[]): number =>
  median(turns.map(({ onoma, playwright }) => onoma.perSecond / playwright.perSecond))

export function judgeIntel({ pairs, beside }: Outcome): Verdict[] {
  const byInFlight = [...Map.groupBy(pairs, ({ inFlight }) => inFlight).values()]
  const middles = (figure: (done: Done) => number) =>
    byInFlight.map((turns) => median(turns.map(({ onoma }) => figure(onoma))))
  const most = Math.max(...middles(({ perSecond }) => perSecond))
  const cpuMs = Math.min(...middles(({ nodeCpuMs, browserCpuMs }) => nodeCpuMs + browserCpuMs))
  const others = median(pairs.map(({ onoma }) => onoma.othersBusy))
  // Of captures that had to share their processors, only the work in them says something.
  const isDisturbed = others > 2 * DISTURBANCE
  const carried = 2000 / cpuMs
  const kept = middle(beside, ({ alone, meanwhile }) => meanwhile.perSecond / alone.perSecond)
  return [
    {
      target: `at least ${TARGETS.perSecond} captures/s of a small page on two cores`,
      measured: isDisturbed
        ? `${most.toFixed(2)}/s while others kept ${others.toFixed(1)} processors busy; ${cpuMs.toFixed(0)} ms of work each, for which two cores are enough ${carried.toFixed(1)} times a second`
        : `${most.toFixed(2)}/s`,
      met: most >= TARGETS.perSecond || (isDisturbed && carried >= TARGETS.perSecond),
    },
    {
      target: `another endpoint keeps at least ${TARGETS.kept} of its requests/s meanwhile`,
      measured: `${kept.toFixed(2)} ×${isDisturbed ? ' (the machine was not calm: repeat the run)' : ''}`,
      met: kept >= TARGETS.kept,
    },
  ]
}
