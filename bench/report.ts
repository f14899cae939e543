import type { Round } from './contest.ts'
import type { Memory } from './memory.ts'
import { type Duel, median, ratio, type Speed } from './speed.ts'
import { table } from './table.ts'
import { megabytes, type Verdict } from './verdicts.ts'

const COLUMNS = ['server', 'requests/s', '× bare', 'CPU µs/req', '× bare', 'p50 ms', 'p99 ms', '× bare', 'RSS', 'busy']

export function speedReport({ saturated, moderate, moderateRate }: Speed): string {
  const generator = median([...saturated.bare, ...saturated.onoma].map((round) => round.generatorBusy))
  const busiest = Math.max(...[...saturated.bare, ...saturated.onoma].map((round) => round.generatorBusy))
  return [
    table([COLUMNS, ...rows(saturated, 'saturated'), ...rows(moderate, `${moderateRate}/s`)], 1),
    '',
    `load generator: busy ${percent(generator)} of one processor at saturation (maximum of a round: ${percent(busiest)})`,
    ...(['bare', 'onoma'] as const).flatMap((name) => [
      `GC pauses of ${name}: ${gcLine(saturated[name])} at saturation, ${gcLine(moderate[name])} at ${moderateRate}/s`,
    ]),
    ...reliabilityNotes(saturated),
  ].join('\n')
}

/** Pauses of the collector: where one is long, so is p99. */
function gcLine(rounds: readonly Round[]): string {
  const [count, totalMs, requests] = rounds.reduce(
    ([pauses, ms, sum], { gc, requests }) => [pauses + gc.count, ms + gc.totalMs, sum + requests],
    [0, 0, 0] as [number, number, number],
  )
  const maxMs = Math.max(...rounds.map(({ gc }) => gc.maxMs))
  return `${count}, longest ${maxMs.toFixed(1)} ms, ${((totalMs * 1000) / requests).toFixed(1)} µs/req`
}

function rows(duel: Duel, load: string): string[][] {
  return (['bare', 'onoma'] as const).map((name) => {
    const medianOf = (figure: (round: Round) => number) => median(duel[name].map(figure))
    const timesBare = (figure: (round: Round) => number) => (name === 'bare' ? '' : ratio(duel, figure).toFixed(2))
    return [
      `${name}, ${load}`,
      medianOf((round) => round.perSecond).toFixed(0),
      timesBare((round) => round.perSecond),
      medianOf((round) => round.cpuMicrosPerRequest).toFixed(1),
      timesBare((round) => round.cpuMicrosPerRequest),
      medianOf((round) => round.p50Ms).toFixed(2),
      medianOf((round) => round.p99Ms).toFixed(2),
      timesBare((round) => round.p99Ms),
      megabytes(duel[name].at(-1)!.rssBytes),
      percent(medianOf((round) => round.serverBusy)),
    ]
  })
}

/** Notes on whether the figures are reliable: no other load on the machine, and the servers saturated. */
function reliabilityNotes({ bare, onoma, disturbed, calm }: Duel): string[] {
  const others = median([...bare, ...onoma].map((round) => round.othersBusy))
  const unsaturated = [...bare, ...onoma].filter((round) => round.serverBusy < 0.9).length
  return [
    `rounds: ${bare.length} pairs, ${disturbed} more discarded because other programs were busy`,
    ...(calm ? [] : [`NOTE: the machine was not calm (others: ${percent(others)} of a processor); repeat the run.`]),
    ...(unsaturated === 0 ? [] : [`NOTE: in ${unsaturated} rounds the server was not saturated.`]),
  ]
}

export function memoryReport({ samples, perSecond, cpuMicrosPerRequest }: Memory): string {
  const lines = samples.map(({ requests, rssBytes, heapBytes, nurseryBytes }) => [
    requests.toLocaleString('en'),
    megabytes(rssBytes),
    megabytes(nurseryBytes),
    megabytes(heapBytes),
  ])
  return [
    table([['requests', 'RSS', 'nursery', 'heap in use'], ...lines], 1),
    '',
    `behind a proxy (X-Forwarded-For): ${perSecond.toFixed(0)} requests/s, ${cpuMicrosPerRequest.toFixed(1)} CPU µs/req`,
  ].join('\n')
}

export const verdictLines = (verdicts: readonly Verdict[]): string =>
  verdicts.map(({ met, target, measured }) => `${met ? 'PASS' : 'FAIL'}  ${target}: ${measured}`).join('\n')

const percent = (part: number): string => `${Math.round(part * 100)} %`
