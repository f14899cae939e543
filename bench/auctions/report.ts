import { availableParallelism, loadavg } from 'node:os'
import type { Verdict } from '../verdicts.ts'
import { megabytes } from '../verdicts.ts'
import type { Outcome } from './measure.ts'

const TARGETS = { queryMs: 50, resyncMs: 60_000, rssBytes: 400 * 1024 * 1024 }

export function judgeAuctions({ timings, mixed, syncs, peakRssBytes }: Outcome): Verdict[] {
  const slowest = timings.toSorted((a, b) => b.p99 - a.p99)[0]!
  const rare = timings.filter(({ target }) => target !== undefined).toSorted((a, b) => b.p50 - a.p50)[0]!
  const again = syncs.find(({ what }) => what === 'unchanged')!
  return [
    {
      target: `every documented query with its total, p99 at most ${TARGETS.queryMs} ms`,
      measured: `${ms(slowest.p99)} (${slowest.what}; ${ms(slowest.p99Cpu)} of processor)`,
      met: slowest.p99 <= TARGETS.queryMs,
    },
    {
      target: `any combination of filters, p99 at most ${TARGETS.queryMs} ms`,
      measured: `${ms(mixed.p99)} over ${mixed.count} (${ms(mixed.p99Cpu)} of processor)`,
      met: mixed.p99 <= TARGETS.queryMs,
    },
    {
      target: `rare part of a name, at most ${rare.target} ms`,
      measured: `${ms(rare.p50)} (${rare.what}; p99 ${ms(rare.p99)})`,
      met: rare.p50 <= rare.target!,
    },
    {
      target: `unchanged file read again in at most ${TARGETS.resyncMs / 1000} s`,
      measured: `${(again.wallMs / 1000).toFixed(1)} s (${(again.cpuMs / 1000).toFixed(1)} s of processor)`,
      met: again.wallMs <= TARGETS.resyncMs,
    },
    {
      target: `RSS at most ${megabytes(TARGETS.rssBytes)}`,
      measured: megabytes(peakRssBytes),
      met: peakRssBytes <= TARGETS.rssBytes,
    },
  ]
}

export function reportAuctions({ feedBytes, shelfBytes, syncs, timings, mixed, during }: Outcome): string {
  return [
    `feed ${megabytes(feedBytes)}, index ${megabytes(shelfBytes)}`,
    '',
    table([
      ['sync', 'rows', 's', 'processor s', 'rows/s', ''],
      ...syncs.map(({ what, rows, wallMs, cpuMs, report }) => [
        what,
        rows.toLocaleString('en'),
        (wallMs / 1000).toFixed(1),
        (cpuMs / 1000).toFixed(1),
        Math.round((rows / wallMs) * 1000).toLocaleString('en'),
        report,
      ]),
    ]),
    '',
    table([
      ['query with its total', 'total', 'p50 ms', 'p99 ms', 'processor p99'],
      ...timings.map(({ what, total, p50, p99, p99Cpu }) => [
        what,
        total.toLocaleString('en'),
        ...[p50, p99, p99Cpu].map((one) => one.toFixed(1)),
      ]),
      [`${mixed.count} combinations`, '', ...[mixed.p50, mixed.p99, mixed.p99Cpu].map((one) => one.toFixed(1))],
    ]),
    '',
    `during a delivery: ${during.count} questions, p50 ${ms(during.p50)}, p99 ${ms(during.p99)}; ` +
      `the event loop waited ${ms(during.longestPauseMs)} at most`,
    ...doubts(),
  ].join('\n')
}

/** Others at work make everything wait; what it takes of a processor stays about the same. */
function doubts(): string[] {
  const [load = 0] = loadavg()
  const processors = availableParallelism()
  if (load <= processors + 1) return []
  return [
    `NOTE: other programs were at work (load ${load.toFixed(1)} on ${processors} processors): read the processor columns.`,
  ]
}

const ms = (value: number): string => `${value.toFixed(1)} ms`

function table(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  return lines
    .map((line) =>
      line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  '),
    )
    .join('\n')
}
