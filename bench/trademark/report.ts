import { table } from '../table.ts'
import { megabytes, type Verdict } from '../verdicts.ts'
import type { Latency } from './latencies.ts'
import type { Outcome, Plan } from './measure.ts'
import type { Built } from './worker.ts'
import { KINDS, type Kind } from './queries.ts'

/** For 14 million records on two processors. */
const TARGETS = {
  buildPerSecond: 45_000,
  importMegabytes: 150,
  importPerSecond: 20_000,
  buildRssBytes: 2e9,
  dailySeconds: 5,
  openSeconds: 5,
  rssBytes: 1.8e9,
  mixedPerSecond: 420,
  markMs: { p50: 4, p99: 18 },
  /** As they are asked for the first time. */
  lawyersFirstP50Ms: 6,
  splitRespelledP50Ms: 10,
  joinedRespelledMaxMs: 50,
  p99Ms: { goods: 6, owner: 8, expiring: 1 } as Partial<Record<Kind, number>>,
}
const MARK_KINDS: readonly Kind[] = ['exact', 'one typo', 'respelled', 'common word', 'in class']
/** Kinds that SQLite cannot answer: it finds exact words only. */
const UNSUPPORTED_BY_PEER: ReadonlySet<Kind> = new Set<Kind>([
  'one typo',
  'respelled',
  'split, respelled',
  'joined, respelled',
  'lawyers',
])

const number = (value: number) => Math.round(value).toLocaleString('en')
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const ms = (value: number | undefined) => (value === undefined ? '–' : value.toFixed(value < 1 ? 2 : 1))

/** Records per second of CPU time, without generating them. */
const buildRate = ({ spent, generatingCpuMs }: Built, size: number) =>
  (size / Math.max(1, spent.cpuMs - generatingCpuMs)) * 1000
/** Records per second of CPU time, for indexing alone. */
const segmentRate = ({ size, cpuMs }: NonNullable<Outcome['segment']>) => (size / cpuMs) * 1000
/** Records per second of CPU time, from the Office's file to a searchable index. */
const importRate = ({ import: { cpuMs }, file }: Outcome) => (file.records / cpuMs) * 1000
/** CPU time of each further record, from two imports of different size; null if the difference is within the noise. */
function marginalCost({
  import: whole,
  quarter,
  file,
}: Outcome): { readonly micros: number; readonly startMs: number } | null {
  const perRecordMs = (whole.cpuMs - quarter.cpuMs) / (file.records - quarter.records)
  return perRecordMs > 0
    ? { micros: perRecordMs * 1000, startMs: Math.max(0, whole.cpuMs - perRecordMs * file.records) }
    : null
}
const describeMarginal = (cost: ReturnType<typeof marginalCost>) =>
  cost === null
    ? 'the cost of a further record is within the noise'
    : `each further record ${cost.micros.toFixed(1)} µs or ${number(1e6 / cost.micros)}/s, after ${seconds(cost.startMs)} to start`
const readRate = ({ read, file }: Outcome) => file.xmlBytes / 1e6 / (read.cpuMs / 1000)

export function reportTrademark(outcome: Outcome, plan: Plan): string[] {
  const { build, segment, file, open, mixed, daily, peer } = outcome
  return [
    `${number(plan.size)} invented records, ${plan.threads} threads`,
    [
      build === null
        ? 'build: skipped, the index already exists'
        : `build: ${seconds(build.spent.wallMs)}, ${number(buildRate(build, plan.size))} records/s of CPU time (with the record store, without generating records), peak RSS ${megabytes(build.peakRssBytes)}`,
      ...(segment === null
        ? []
        : [`indexing alone, ${number(segment.size)} records: ${number(segmentRate(segment))} records/s of CPU time`]),
      `index: ${megabytes(open.bytes)}, ${number(open.documents)} records`,
      `read a register file: ${number(readRate(outcome))} MB of XML per second of CPU time (${number(file.records)} records, ${megabytes(file.xmlBytes)} of XML in a ${megabytes(file.bytes)} zip)`,
      `import it: ${seconds(outcome.import.wallMs)}, ${number(importRate(outcome))} records/s of CPU time (${describeMarginal(marginalCost(outcome))}), peak RSS ${megabytes(outcome.import.peakRssBytes)}`,
      daily === null
        ? 'daily file: skipped, the index is not changed'
        : `daily file of ${number(plan.daily)} records: found by a running service after ${seconds(daily.visibleMs)}, ${seconds(daily.import.cpuMs)} of CPU time`,
      `open: ${seconds(open.wallMs)}; RSS ${megabytes(outcome.rssOpenBytes)} then, ${megabytes(outcome.rssBytes)} after all queries`,
    ].join('\n'),
    table([COLUMNS, ...KINDS.map((kind) => row(kind, outcome))], 1),
    `mixed, ${plan.threads * 2} concurrent: ${number(mixed.perSecond)} queries/s, p50 ${ms(mixed.p50Ms)} ms, p99 ${ms(mixed.p99Ms)} ms, ${mixed.busy.toFixed(2)} processors busy; event loop delay ${ms(mixed.loopDelayP99Ms)} ms (p99)`,
    ...(peer === null
      ? []
      : [
          `SQLite FTS5: ${number(peer.size)} records, ${number(buildRate(peer.build, peer.size))} records/s, ${megabytes(peer.bytes)}. It searches for exact words; “first” and “warm” as above.`,
        ]),
  ]
}

const COLUMNS = [
  'query',
  'n',
  'first p50',
  'p99',
  'warm p50',
  'p99',
  'max',
  'CPU ms',
  'found',
  'FTS5 p50',
  'p99',
  '× ours p50',
  '× p99',
]

function row(kind: Kind, { latencies, peer }: Outcome): string[] {
  const { first, warm } = latencies[kind]
  const theirs = peer === null || UNSUPPORTED_BY_PEER.has(kind) ? null : peer.latencies[kind].warm
  const times = (figure: (of: Latency) => number) =>
    theirs === null || warm === null ? '' : (figure(theirs) / figure(warm)).toFixed(1)
  return [
    kind,
    String(warm?.queries ?? 0),
    ms(first?.p50Ms),
    ms(first?.p99Ms),
    ms(warm?.p50Ms),
    ms(warm?.p99Ms),
    ms(warm?.maxMs),
    ms(warm?.cpuMs),
    warm === null ? '–' : `${Math.round((100 * warm.found) / warm.queries)} %`,
    theirs === null ? '' : ms(theirs.p50Ms),
    theirs === null ? '' : ms(theirs.p99Ms),
    times(({ p50Ms }) => p50Ms),
    times(({ p99Ms }) => p99Ms),
  ]
}

export function judgeTrademark(outcome: Outcome, plan: Plan): Verdict[] {
  const { build, segment, open, latencies, mixed, daily, rssBytes } = outcome
  const verdict = (met: boolean, target: string, measured: string): Verdict => ({ met, target, measured })
  const atMost = (what: string, value: number, limit: number, unit: string) =>
    verdict(value <= limit, `${what} ≤ ${limit} ${unit}`, `${ms(value)} ${unit}`)
  const worst = (figure: (of: Latency) => number) =>
    Math.max(...MARK_KINDS.map((kind) => figure(latencies[kind].warm!)))
  return [
    ...(segment === null
      ? []
      : [
          verdict(
            segmentRate(segment) >= TARGETS.buildPerSecond,
            `indexing alone ≥ ${number(TARGETS.buildPerSecond)} records/s of CPU time`,
            number(segmentRate(segment)),
          ),
        ]),
    ...(build === null
      ? []
      : [
          verdict(
            build.peakRssBytes <= TARGETS.buildRssBytes,
            `peak RSS of the build ≤ ${TARGETS.buildRssBytes / 1e9} GB`,
            `${(build.peakRssBytes / 1e9).toFixed(2)} GB`,
          ),
        ]),
    verdict(
      importRate(outcome) >= TARGETS.importPerSecond,
      `import to searchable ≥ ${number(TARGETS.importPerSecond)} records/s of CPU time`,
      `${number(importRate(outcome))} (${describeMarginal(marginalCost(outcome))})`,
    ),
    verdict(
      readRate(outcome) >= TARGETS.importMegabytes,
      `reading files ≥ ${TARGETS.importMegabytes} MB of XML per second of CPU time`,
      number(readRate(outcome)),
    ),
    ...(daily === null
      ? []
      : [
          atMost(
            `a daily file of ${number(plan.daily)} is found after`,
            daily.visibleMs / 1000,
            TARGETS.dailySeconds,
            's',
          ),
        ]),
    atMost('open', open.wallMs / 1000, TARGETS.openSeconds, 's'),
    verdict(rssBytes <= TARGETS.rssBytes, `RSS ≤ ${TARGETS.rssBytes / 1e9} GB`, `${(rssBytes / 1e9).toFixed(2)} GB`),
    atMost(
      'marks, p50 of the slowest kind',
      worst(({ p50Ms }) => p50Ms),
      TARGETS.markMs.p50,
      'ms',
    ),
    atMost(
      'marks, p99 of the slowest kind',
      worst(({ p99Ms }) => p99Ms),
      TARGETS.markMs.p99,
      'ms',
    ),
    atMost("lawyers' queries for the first time, p50", latencies.lawyers.first!.p50Ms, TARGETS.lawyersFirstP50Ms, 'ms'),
    atMost('split, respelled, p50', latencies['split, respelled'].warm!.p50Ms, TARGETS.splitRespelledP50Ms, 'ms'),
    atMost('joined, respelled, max', latencies['joined, respelled'].warm!.maxMs, TARGETS.joinedRespelledMaxMs, 'ms'),
    ...Object.entries(TARGETS.p99Ms).map(([kind, limit]) =>
      atMost(`${kind}, p99`, latencies[kind as Kind].warm!.p99Ms, limit, 'ms'),
    ),
    verdict(
      mixed.perSecond >= TARGETS.mixedPerSecond,
      `mixed ≥ ${TARGETS.mixedPerSecond} queries/s`,
      number(mixed.perSecond),
    ),
  ]
}
