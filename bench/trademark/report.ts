import { table } from '../table.ts'
import { megabytes, type Verdict } from '../verdicts.ts'
import type { Latency } from './asking.ts'
import type { Outcome, Plan } from './measure.ts'
import type { Built } from './process.ts'
import { KINDS, type Kind } from './questions.ts'

/** What is wanted of 14 million records on two processors. */
const TARGETS = {
  buildPerSecond: 45_000,
  importMegabytes: 150,
  dailySeconds: 5,
  openSeconds: 5,
  rssBytes: 1.8e9,
  mixedPerSecond: 350,
  markMs: { p50: 5, p99: 25 },
  p99Ms: { goods: 6, owner: 8, expiring: 1 } as Partial<Record<Kind, number>>,
}
const MARK_KINDS: readonly Kind[] = ['exact', 'one typo', 'respelled', 'common word', 'in class']
/** Channels of ours that SQLite does not have: what it answers there is another question. */
const PEER_CANNOT: ReadonlySet<Kind> = new Set<Kind>(['one typo', 'respelled'])

const number = (value: number) => Math.round(value).toLocaleString('en')
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const ms = (value: number | undefined) => (value === undefined ? '–' : value.toFixed(value < 1 ? 2 : 1))

/** Records of a second of processor time, without what making them up took. */
const buildRate = ({ spent, inventingCpuMs }: Built, size: number) =>
  (size / Math.max(1, spent.cpuMs - inventingCpuMs)) * 1000
/** The same of the index alone. */
const segmentRate = ({ size, cpuMs }: NonNullable<Outcome['segment']>) => (size / cpuMs) * 1000
const readRate = ({ read, file }: Outcome) => file.xmlBytes / 1e6 / (read.cpuMs / 1000)

export function reportTrademark(outcome: Outcome, plan: Plan): string[] {
  const { build, segment, file, open, mixed, daily, peer } = outcome
  return [
    `${number(plan.size)} invented records, ${plan.threads} threads`,
    [
      build === null
        ? 'build: the index was there'
        : `build: ${seconds(build.spent.wallMs)}, ${number(buildRate(build, plan.size))} records/s of processor time (keeping the records counted, making them up not), peak RSS ${megabytes(build.peakRssBytes)}`,
      ...(segment === null
        ? []
        : [
            `the index alone, of ${number(segment.size)} records that are at hand: ${number(segmentRate(segment))} records/s of processor time`,
          ]),
      `index: ${megabytes(open.bytes)}, ${number(open.documents)} records`,
      `read a file of the register: ${number(readRate(outcome))} MB/s of XML and processor (${number(file.records)} records, ${megabytes(file.xmlBytes)} of XML in ${megabytes(file.bytes)} of zip)`,
      `import it: ${seconds(outcome.import.wallMs)}, ${number(file.records / (outcome.import.cpuMs / 1000))} records/s of processor time`,
      daily === null
        ? 'daily file: left out, the index is to stay as it is'
        : `daily file of ${number(plan.daily)} records: found by a running service after ${seconds(daily.visibleMs)}, ${seconds(daily.import.cpuMs)} of processor time`,
      `open: ${seconds(open.wallMs)}; RSS ${megabytes(outcome.rssOpenBytes)} then, ${megabytes(outcome.rssBytes)} after all questions`,
    ].join('\n'),
    table([COLUMNS, ...KINDS.map((kind) => row(kind, outcome))], 1),
    `mixed, ${plan.threads * 2} at once: ${number(mixed.perSecond)} answers/s, p50 ${ms(mixed.p50Ms)} ms, p99 ${ms(mixed.p99Ms)} ms, ${mixed.busy.toFixed(2)} processors busy; event loop late by ${ms(mixed.loopDelayP99Ms)} ms (p99)`,
    ...(peer === null
      ? []
      : [
          `SQLite FTS5 beside it: ${number(peer.size)} records, ${number(buildRate(peer.build, peer.size))} records/s, ${megabytes(peer.bytes)}. It is asked for the words as they are; “first” and “warm” as above.`,
        ]),
  ]
}

const COLUMNS = [
  'question',
  'n',
  'first p50',
  'p99',
  'warm p50',
  'p99',
  'CPU ms',
  'found',
  'FTS5 p50',
  'p99',
  '× ours p50',
  '× p99',
]

function row(kind: Kind, { latencies, peer }: Outcome): string[] {
  const { first, warm } = latencies[kind]
  const theirs = peer === null || PEER_CANNOT.has(kind) ? null : peer.latencies[kind].warm
  const times = (figure: (of: Latency) => number) =>
    theirs === null || warm === null ? '' : (figure(theirs) / figure(warm)).toFixed(1)
  return [
    kind,
    String(warm?.asked ?? 0),
    ms(first?.p50Ms),
    ms(first?.p99Ms),
    ms(warm?.p50Ms),
    ms(warm?.p99Ms),
    ms(warm?.cpuMs),
    warm === null ? '–' : `${Math.round((100 * warm.found) / warm.asked)} %`,
    theirs === null ? '' : ms(theirs.p50Ms),
    theirs === null ? '' : ms(theirs.p99Ms),
    times(({ p50Ms }) => p50Ms),
    times(({ p99Ms }) => p99Ms),
  ]
}

export function judgeTrademark(outcome: Outcome, plan: Plan): Verdict[] {
  const { segment, open, latencies, mixed, daily, rssBytes } = outcome
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
            `index of records at hand ≥ ${number(TARGETS.buildPerSecond)} records/s and processor`,
            number(segmentRate(segment)),
          ),
        ]),
    verdict(
      readRate(outcome) >= TARGETS.importMegabytes,
      `reading files ≥ ${TARGETS.importMegabytes} MB/s of XML and processor`,
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
    ...Object.entries(TARGETS.p99Ms).map(([kind, limit]) =>
      atMost(`${kind}, p99`, latencies[kind as Kind].warm!.p99Ms, limit, 'ms'),
    ),
    verdict(
      mixed.perSecond >= TARGETS.mixedPerSecond,
      `mixed ≥ ${TARGETS.mixedPerSecond} answers/s`,
      number(mixed.perSecond),
    ),
  ]
}
