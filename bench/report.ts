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
    `load generator: busy ${percent(generator)} of one processor at saturation (most in a round: ${percent(busiest)})`,
    ...doubts(saturated),
  ].join('\n')
}

function rows(duel: Duel, load: string): string[][] {
  return (['bare', 'onoma'] as const).map((name) => {
    const middle = (figure: (round: Round) => number) => median(duel[name].map(figure))
    const timesBare = (figure: (round: Round) => number) => (name === 'bare' ? '' : ratio(duel, figure).toFixed(2))
    return [
      `${name}, ${load}`,
      middle((round) => round.perSecond).toFixed(0),
      timesBare((round) => round.perSecond),
      middle((round) => round.cpuMicrosPerRequest).toFixed(1),
      timesBare((round) => round.cpuMicrosPerRequest),
      middle((round) => round.p50Ms).toFixed(2),
      middle((round) => round.p99Ms).toFixed(2),
      timesBare((round) => round.p99Ms),
      megabytes(duel[name].at(-1)!.rssBytes),
      percent(middle((round) => round.serverBusy)),
    ]
  })
}

/** Whether the figures can be believed: both servers alone on the machine, and the generator never the limit. */
function doubts({ bare, onoma, disturbed, calm }: Duel): string[] {
  const others = median([...bare, ...onoma].map((round) => round.othersBusy))
  const starved = [...bare, ...onoma].filter((round) => round.serverBusy < 0.9).length
  return [
    `rounds: ${bare.length} pairs, ${disturbed} more left out because other programs were at work`,
    ...(calm ? [] : [`NOTE: the machine was not calm (others: ${percent(others)} of a processor); repeat the run.`]),
    ...(starved === 0
      ? []
      : [`NOTE: in ${starved} rounds the server was not busy all the time: it was not saturated.`]),
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
