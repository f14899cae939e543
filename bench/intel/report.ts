import { MAX_OTHERS_BUSY } from '../contest.ts'
import { median } from '../speed.ts'
import { table } from '../table.ts'
import type { Verdict } from '../verdicts.ts'
import type { Interference, CaptureFigures, Outcome, Pair } from './measure.ts'

/** For a machine with two cores. */
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

export function intelReport({ pairs, interference }: Outcome): string {
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
        ['alone', ...endpointFigures(interference, 'alone'), ''],
        [
          'with captures',
          ...endpointFigures(interference, 'withCaptures'),
          medianOf(interference, ({ captures }) => captures.perSecond).toFixed(1),
        ],
      ],
      1,
    ),
  ].join('\n')
}

function figures(turns: readonly Pair[], who: 'onoma' | 'playwright'): string[] {
  const of = (figure: (done: CaptureFigures) => number) => median(turns.map((turn) => figure(turn[who])))
  const max = (figure: (done: CaptureFigures) => number) => Math.max(...turns.map((turn) => figure(turn[who])))
  return [
    of(({ perSecond }) => perSecond).toFixed(2),
    who === 'onoma' ? ratio(turns).toFixed(2) : '',
    of(({ p50Ms }) => p50Ms).toFixed(0),
    of(({ p95Ms }) => p95Ms).toFixed(0),
    of(({ browserCpuMs }) => browserCpuMs).toFixed(0),
    of(({ nodeCpuMs }) => nodeCpuMs).toFixed(0),
    max(({ browserMegabytes }) => browserMegabytes).toFixed(0),
    max(({ nodeMegabytes }) => nodeMegabytes).toFixed(0),
  ]
}

const endpointFigures = (interference: readonly Interference[], when: 'alone' | 'withCaptures'): string[] => [
  medianOf(interference, (turn) => turn[when].perSecond).toFixed(0),
  medianOf(interference, (turn) => turn[when].p99Ms).toFixed(1),
]

const medianOf = (interference: readonly Interference[], figure: (turn: Interference) => number): number =>
  median(interference.map(figure))

/** The median of the ratios within each turn, in which both had about the same conditions. */
const ratio = (turns: readonly Pair[]): number =>
  median(turns.map(({ onoma, playwright }) => onoma.perSecond / playwright.perSecond))

export function judgeIntel({ pairs, interference }: Outcome): Verdict[] {
  const byInFlight = [...Map.groupBy(pairs, ({ inFlight }) => inFlight).values()]
  const medians = (figure: (done: CaptureFigures) => number) =>
    byInFlight.map((turns) => median(turns.map(({ onoma }) => figure(onoma))))
  const bestPerSecond = Math.max(...medians(({ perSecond }) => perSecond))
  const cpuMs = Math.min(...medians(({ nodeCpuMs, browserCpuMs }) => nodeCpuMs + browserCpuMs))
  const others = median(pairs.map(({ onoma }) => onoma.othersBusy))
  // On a disturbed machine only the CPU time of a capture is meaningful.
  const isDisturbed = others > 2 * MAX_OTHERS_BUSY
  const possiblePerSecond = 2000 / cpuMs
  const kept = medianOf(interference, ({ alone, withCaptures }) => withCaptures.perSecond / alone.perSecond)
  return [
    {
      target: `at least ${TARGETS.perSecond} captures/s of a small page on two cores`,
      measured: isDisturbed
        ? `${bestPerSecond.toFixed(2)}/s while other programs kept ${others.toFixed(1)} processors busy; ${cpuMs.toFixed(0)} ms of CPU time each, so two free cores allow ${possiblePerSecond.toFixed(1)}/s`
        : `${bestPerSecond.toFixed(2)}/s`,
      met: bestPerSecond >= TARGETS.perSecond || (isDisturbed && possiblePerSecond >= TARGETS.perSecond),
    },
    {
      target: `another endpoint keeps at least ${TARGETS.kept} of its requests/s during captures`,
      measured: `${kept.toFixed(2)} ×${isDisturbed ? ' (the machine was not calm: repeat the run)' : ''}`,
      met: kept >= TARGETS.kept,
    },
  ]
}
