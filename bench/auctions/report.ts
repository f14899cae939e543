import { availableParallelism, loadavg } from 'node:os'
import { table } from '../table.ts'
import { megabytes, type Verdict } from '../verdicts.ts'
import type { Outcome } from './measure.ts'

const TARGETS = { queryMs: 50, resyncMs: 60_000, rssBytes: 400 * 1024 * 1024 }

export function judgeAuctions({ timings, random, syncs, peakRssBytes }: Outcome): Verdict[] {
  const slowest = timings.toSorted((a, b) => b.p99Ms - a.p99Ms)[0]!
  const rare = timings.filter(({ targetMs }) => targetMs !== undefined).toSorted((a, b) => b.p50Ms - a.p50Ms)[0]!
  const again = syncs.find(({ what }) => what === 'unchanged')!
  return [
    {
      target: `every documented query with its total, p99 at most ${TARGETS.queryMs} ms`,
      measured: `${ms(slowest.p99Ms)} (${slowest.what}; ${ms(slowest.p99CpuMs)} CPU)`,
      met: slowest.p99Ms <= TARGETS.queryMs,
    },
    {
      target: `any combination of filters, p99 at most ${TARGETS.queryMs} ms`,
      measured: `${ms(random.p99Ms)} over ${random.count} (${ms(random.p99CpuMs)} CPU)`,
      met: random.p99Ms <= TARGETS.queryMs,
    },
    {
      target: `rare part of a name, at most ${rare.targetMs} ms`,
      measured: `${ms(rare.p50Ms)} (${rare.what}; p99 ${ms(rare.p99Ms)})`,
      met: rare.p50Ms <= rare.targetMs!,
    },
    {
      target: `unchanged file synced again in at most ${TARGETS.resyncMs / 1000} s`,
      measured: `${(again.wallMs / 1000).toFixed(1)} s (${(again.cpuMs / 1000).toFixed(1)} s CPU)`,
      met: again.wallMs <= TARGETS.resyncMs,
    },
    {
      target: `RSS at most ${megabytes(TARGETS.rssBytes)}`,
      measured: megabytes(peakRssBytes),
      met: peakRssBytes <= TARGETS.rssBytes,
    },
  ]
}

export function reportAuctions({ feedBytes, indexBytes, syncs, timings, random, duringSync }: Outcome): string {
  return [
    `feed ${megabytes(feedBytes)}, index ${megabytes(indexBytes)}`,
    '',
    table(
      [
        ['sync', 'rows', 's', 'CPU s', 'rows/s', ''],
        ...syncs.map(({ what, rows, wallMs, cpuMs, report }) => [
          what,
          rows.toLocaleString('en'),
          (wallMs / 1000).toFixed(1),
          (cpuMs / 1000).toFixed(1),
          Math.round((rows / wallMs) * 1000).toLocaleString('en'),
          report,
        ]),
      ],
      1,
    ),
    '',
    table(
      [
        ['query with its total', 'total', 'p50 ms', 'p99 ms', 'CPU p99 ms'],
        ...timings.map(({ what, total, p50Ms, p99Ms, p99CpuMs }) => [
          what,
          total.toLocaleString('en'),
          ...[p50Ms, p99Ms, p99CpuMs].map((one) => one.toFixed(1)),
        ]),
        [
          `${random.count} combinations`,
          '',
          ...[random.p50Ms, random.p99Ms, random.p99CpuMs].map((one) => one.toFixed(1)),
        ],
      ],
      1,
    ),
    '',
    `during a sync: ${duringSync.count} queries, p50 ${ms(duringSync.p50Ms)}, p99 ${ms(duringSync.p99Ms)}; ` +
      `maximum event loop delay ${ms(duringSync.maxEventLoopDelayMs)}`,
    ...loadNote(),
  ].join('\n')
}

/** Other programs lengthen elapsed times; CPU times stay about the same. */
function loadNote(): string[] {
  const [load = 0] = loadavg()
  const processors = availableParallelism()
  if (load <= processors + 1) return []
  return [`NOTE: other programs were busy (load ${load.toFixed(1)} on ${processors} processors): use the CPU columns.`]
}

const ms = (value: number): string => `${value.toFixed(1)} ms`
