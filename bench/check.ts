/**
 * How fast names are checked, and with how many registry requests, compared with two npm packages on the same simulated
 * internet. Every trial runs in a new process with cold connections. `npm run bench:check`.
 */
import type { Children } from './children.ts'
import { measureCached } from './names/cached.ts'
import { checkRows, type CheckRow, NAME_SERVER_LATENCY_MS, REGISTRY_LATENCY_MS } from './names/check-rows.ts'
import { type ContestantName, openInternet, type Trial } from './names/contestants.ts'
import { type Options, type Outcome, runBench } from './names/command.ts'
import { type Score, scoreVerdicts } from './names/score.ts'
import { median } from './speed.ts'
import { megabytes, type Verdict } from './verdicts.ts'
import { showProgress } from './run.ts'
import { table } from './table.ts'

const HELP = `npm run bench:check -- [options]

Checks names on a simulated internet whose registries answer after 60 ms, with cold caches, and compares rdapper and whoiser.
Registries have host names, which the resolver answers after 0, 20 or 100 ms, and offer HTTP/2 or HTTP/1.1 only.
The service is asked as soon as it is ready; with BENCH_AFTER_READY_MS=2500 it has warmed up before.
`

const MAX_CACHED_P50_MS = 0.5

type Figures = Score & {
  readonly wallMs: number
  readonly bestMs: number
  readonly firstMs: number
  readonly upstream: number
  readonly throttled: number
  readonly connections: number
  readonly resolutions: number
  readonly cpuMs: number
  readonly rssBytes: number
}

async function run(children: Children, { quick, contestants, tls, only }: Options): Promise<Outcome> {
  const rounds = quick ? 1 : 3
  const results: { row: CheckRow; figures: Map<ContestantName, Figures> }[] = []
  const rows = checkRows(tls).filter(({ title, isInQuickRun }) => title.includes(only) && (isInQuickRun || !quick))
  for (const row of rows) {
    const trials = new Map<ContestantName, Trial[]>(contestants.map((name) => [name, []]))
    showProgress(row.title)
    let internet = await openInternet(children, row.world)
    for (let round = 1; round <= rounds; round++) {
      for (const name of contestants) {
        showProgress(`${row.title}: ${name}, round ${round} of ${rounds}`)
        trials.get(name)!.push(await internet.runTrial(name, row.task))
        if (!row.hasRateLimit) continue
        await internet.stop()
        internet = await openInternet(children, row.world)
      }
    }
    await internet.stop()
    const figures = [...trials].map(([name, list]) => [name, summarize(row.task.domains, list)] as const)
    results.push({ row, figures: new Map(figures) })
  }
  showProgress('cached check')
  const cached = await measureCached(children, quick ? 2_000 : 10_000)
  const verdicts = [...results.flatMap(({ row, figures }) => judge(row, figures)), judgeCached(cached)]
  const data = {
    registryMs: REGISTRY_LATENCY_MS,
    nameServerMs: NAME_SERVER_LATENCY_MS,
    rounds,
    tls,
    rows: results.map(({ row, figures }) => ({ title: row.title, ...Object.fromEntries(figures) })),
    cached,
  }
  const note = `registries ${REGISTRY_LATENCY_MS} ms, name servers ${NAME_SERVER_LATENCY_MS} ms, RDAP over ${tls ? 'https' : 'http'}; median of ${rounds} cold rounds`
  return { tables: [note, table([COLUMNS, ...results.flatMap(lines)])], verdicts, data }
}

/** Times are the median of the rounds; errors and requests are those of the worst round. */
function summarize(domains: readonly string[], trials: readonly Trial[]): Figures {
  const scores = trials.map((trial) => scoreVerdicts(domains, trial))
  const medianOf = (figure: (trial: Trial) => number) => median(trials.map(figure))
  const worst = (figure: (score: Score) => number) => Math.max(...scores.map(figure))
  return {
    right: Math.min(...scores.map(({ right }) => right)),
    unknown: worst(({ unknown }) => unknown),
    falseAvailable: worst(({ falseAvailable }) => falseAvailable),
    falseTaken: worst(({ falseTaken }) => falseTaken),
    wallMs: medianOf(({ wallMs }) => wallMs),
    bestMs: Math.min(...trials.map(({ wallMs }) => wallMs)),
    firstMs: medianOf(({ firstMs }) => firstMs),
    upstream: Math.max(...trials.map(({ counters }) => counters.registryRequests)),
    throttled: Math.max(...trials.map(({ counters }) => counters.throttled)),
    connections: Math.max(...trials.map(({ counters }) => counters.rdapConnections)),
    resolutions: Math.max(...trials.map(({ counters }) => counters.dns.recursor.udp)),
    cpuMs: medianOf(({ cpuMs }) => cpuMs),
    rssBytes: medianOf(({ rssBytes }) => rssBytes),
  }
}

const COLUMNS = [
  'task',
  'who',
  'ms',
  'best',
  '× ours',
  'first ms',
  'right',
  'unknown',
  'FALSE AVAIL',
  'FALSE TAKEN',
  'upstream',
  '429s',
  'conns',
  'DNS',
  'CPU ms',
  'RSS',
]

const lines = ({ row, figures }: { row: CheckRow; figures: ReadonlyMap<ContestantName, Figures> }): string[][] =>
  [...figures].map(([name, one], at) => [
    at === 0 ? row.title : '',
    name,
    one.wallMs.toFixed(0),
    one.bestMs.toFixed(0),
    (one.wallMs / figures.get('onoma')!.wallMs).toFixed(2),
    one.firstMs.toFixed(0),
    `${one.right}/${row.task.domains.length}`,
    String(one.unknown),
    String(one.falseAvailable),
    String(one.falseTaken),
    String(one.upstream),
    String(one.throttled),
    String(one.connections),
    String(one.resolutions),
    one.cpuMs.toFixed(0),
    megabytes(one.rssBytes),
  ])

function judge({ title, task, targets }: CheckRow, figures: ReadonlyMap<ContestantName, Figures>): Verdict[] {
  const ours = figures.get('onoma')!
  const { wallMs, firstMs, upstream, throttledShare } = targets
  const atMost = (what: string, measured: number, limit: number, unit = ''): Verdict => ({
    target: `${title}: ${what} at most ${limit}${unit}`,
    measured: `${Math.round(measured * 100) / 100}${unit}`,
    met: measured <= limit,
  })
  const peers = [...figures].filter(([name]) => name !== 'onoma')
  return [
    atMost('time', Math.round(ours.wallMs), wallMs, ' ms'),
    ...(firstMs === undefined ? [] : [atMost('first result', Math.round(ours.firstMs), firstMs, ' ms')]),
    ...(upstream === undefined ? [] : [atMost('registry requests', ours.upstream, upstream)]),
    ...(throttledShare === undefined
      ? []
      : [atMost('refused requests', (ours.throttled / ours.upstream) * 100, throttledShare * 100, ' %')]),
    {
      target: `${title}: all right`,
      measured: `${ours.right} of ${task.domains.length}`,
      met: ours.right === task.domains.length,
    },
    ...peers.map(([name, peer]) => faster(title, ours, name, peer)),
  ]
}

/** A peer that leaves more than 1 % of the names unanswered has not done the task, however fast it was. */
function faster(title: string, ours: Figures, name: ContestantName, peer: Figures): Verdict {
  const lost = ours.right - peer.right
  const times = `${(peer.wallMs / ours.wallMs).toFixed(2)} × our time`
  return {
    target: `${title}: faster than ${name}`,
    measured: lost > 0 ? `${times}, but ${lost} names less` : times,
    met: peer.wallMs > ours.wallMs || lost > ours.right * 0.01,
  }
}

const judgeCached = ({ p50Ms, p99Ms }: { p50Ms: number; p99Ms: number }): Verdict => ({
  target: `cached check over HTTP: p50 at most ${MAX_CACHED_P50_MS} ms`,
  measured: `${p50Ms.toFixed(3)} ms (p99 ${p99Ms.toFixed(3)} ms)`,
  met: p50Ms <= MAX_CACHED_P50_MS,
})

await runBench({ help: HELP, timeoutMs: 20 * 60_000, run })
