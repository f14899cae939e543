/**
 * How fast and how politely names are checked, with two npm peers beside us on the same simulated internet: every trial
 * in a fresh process, every connection cold. `npm run bench:check`.
 */
import type { NamesOptions } from '../sandbox/names/start.ts'
import { loadCatalogue } from '../src/tlds/catalogue.ts'
import type { Children } from './children.ts'
import { measureCached } from './names/cached.ts'
import { attempt, type ContestantName, type Task, type Trial } from './names/contestants.ts'
import { type Options, type Outcome, runBench } from './names/frame.ts'
import { evenLabel, halfFree, SEED } from './names/lists.ts'
import { type Score, scoreOf } from './names/score.ts'
import { askLegacy, askStream } from './names/service-client.ts'
import { median } from './speed.ts'
import { megabytes, type Verdict } from './verdicts.ts'
import { table } from './table.ts'

const HELP = `npm run bench:check -- [options]

Checks names on a simulated internet whose registries take 60 ms for every answer, cold, beside rdapper and whoiser.
`

const REGISTRY_MS = 60
const NAME_SERVER_MS = 5
const CACHED_MS = 0.5
const LIMIT = { perSecond: 20, burst: 20 }

type Targets = {
  readonly wallMs: number
  readonly firstMs?: number
  readonly upstream?: number
  readonly throttledShare?: number
}
type Row = {
  readonly title: string
  readonly task: Omit<Task, 'world'>
  readonly world?: NamesOptions
  readonly targets: Targets
}

type Figures = Score & {
  readonly wallMs: number
  readonly bestMs: number
  readonly firstMs: number
  readonly upstream: number
  readonly throttled: number
  readonly cpuMs: number
  readonly rssBytes: number
}

function rows(): Row[] {
  const { all, categories } = loadCatalogue()
  const popular = categories.find(({ name }) => name === 'top20')!.tlds
  const name = evenLabel(popular)
  const everywhere = evenLabel(all)
  const deadlineMs = 60_000
  const com = halfFree(['com'], 200)
  return [
    { title: '200 .com', task: { domains: com, deadlineMs }, targets: { wallMs: 350, upstream: 105 } },
    {
      title: '500 over 5 registries',
      task: { domains: interleaved(halfFree(['com', 'org', 'app', 'io', 'xyz'], 100), 5), deadlineMs },
      targets: { wallMs: 600, upstream: 255 },
    },
    {
      title: '1 name × 20 TLDs, streamed',
      task: {
        domains: popular.map((tld) => `${name}.${tld}`),
        deadlineMs,
        ask: (base, ms) => askStream(base, name, ms),
      },
      targets: { wallMs: 200, firstMs: 30 },
    },
    {
      title: '200 .com, 20 requests/s',
      task: { domains: com, deadlineMs },
      world: { rdapLimit: LIMIT, whoisLimit: LIMIT },
      targets: { wallMs: 5_500, throttledShare: 0.01 },
    },
    {
      title: 'legacy, 1 name × 511 TLDs',
      task: {
        domains: all.map((tld) => `${everywhere}.${tld}`),
        deadlineMs,
        ask: (base, ms) => askLegacy(base, everywhere, ms),
      },
      targets: { wallMs: 1_500 },
    },
  ]
}

/** As people have them: the TLDs of one name after the other, not all of .com first. */
const interleaved = (domains: readonly string[], parts: number): string[] => {
  const each = domains.length / parts
  return domains.map((_, at) => domains[(at % parts) * each + Math.floor(at / parts)]!)
}

async function run(
  children: Children,
  { quick, contestants, tls, only }: Options,
  tell: (what: string) => void,
): Promise<Outcome> {
  const rounds = quick ? 1 : 5
  const results: { row: Row; figures: Map<ContestantName, Figures> }[] = []
  for (const row of rows().filter(({ title }) => title.includes(only))) {
    const trials = new Map<ContestantName, Trial[]>(contestants.map((name) => [name, []]))
    const world: NamesOptions = {
      seed: SEED,
      tls,
      latencyMs: REGISTRY_MS,
      dns: { latencyMs: NAME_SERVER_MS },
      ...row.world,
    }
    for (let round = 1; round <= rounds; round++) {
      for (const name of contestants) {
        tell(`${row.title}: ${name}, round ${round} of ${rounds}`)
        trials.get(name)!.push(await attempt(children, name, { ...row.task, world }))
      }
    }
    const figures = [...trials].map(([name, list]) => [name, figuresOf(row.task.domains, list)] as const)
    results.push({ row, figures: new Map(figures) })
  }
  tell('cached check')
  const cached = await measureCached(children, quick ? 2_000 : 10_000)
  const verdicts = [...results.flatMap(({ row, figures }) => judge(row, figures)), judgeCached(cached)]
  const data = {
    registryMs: REGISTRY_MS,
    nameServerMs: NAME_SERVER_MS,
    rounds,
    tls,
    rows: results.map(({ row, figures }) => ({ title: row.title, ...Object.fromEntries(figures) })),
    cached,
  }
  const note = `registries ${REGISTRY_MS} ms, name servers ${NAME_SERVER_MS} ms, RDAP over ${tls ? 'https' : 'http'}; middle of ${rounds} cold rounds`
  return { tables: [note, table([COLUMNS, ...results.flatMap(lines)])], verdicts, data }
}

/** Times are the middle of the rounds; mistakes and requests those of the worst. */
function figuresOf(domains: readonly string[], trials: readonly Trial[]): Figures {
  const scores = trials.map((trial) => scoreOf(domains, trial))
  const middle = (figure: (trial: Trial) => number) => median(trials.map(figure))
  const most = (figure: (score: Score) => number) => Math.max(...scores.map(figure))
  return {
    right: Math.min(...scores.map(({ right }) => right)),
    unknown: most(({ unknown }) => unknown),
    falseAvailable: most(({ falseAvailable }) => falseAvailable),
    falseTaken: most(({ falseTaken }) => falseTaken),
    wallMs: middle(({ wallMs }) => wallMs),
    bestMs: Math.min(...trials.map(({ wallMs }) => wallMs)),
    firstMs: middle(({ firstMs }) => firstMs),
    upstream: Math.max(...trials.map(({ counters }) => counters.registryRequests)),
    throttled: Math.max(...trials.map(({ counters }) => counters.throttled)),
    cpuMs: middle(({ cpuMs }) => cpuMs),
    rssBytes: middle(({ rssBytes }) => rssBytes),
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
  'CPU ms',
  'RSS',
]

const lines = ({ row, figures }: { row: Row; figures: ReadonlyMap<ContestantName, Figures> }): string[][] =>
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
    one.cpuMs.toFixed(0),
    megabytes(one.rssBytes),
  ])

function judge({ title, task, targets }: Row, figures: ReadonlyMap<ContestantName, Figures>): Verdict[] {
  const ours = figures.get('onoma')!
  const { wallMs, firstMs, upstream, throttledShare } = targets
  const atMost = (what: string, measured: number, most: number, unit = ''): Verdict => ({
    target: `${title}: ${what} at most ${most}${unit}`,
    measured: `${Math.round(measured * 100) / 100}${unit}`,
    met: measured <= most,
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

/** Whoever gives up on names has not done the task, however soon. */
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
  target: `cached check over HTTP: p50 at most ${CACHED_MS} ms`,
  measured: `${p50Ms.toFixed(3)} ms (p99 ${p99Ms.toFixed(3)} ms)`,
  met: p50Ms <= CACHED_MS,
})

await runBench({ help: HELP, deadlineMs: 20 * 60_000, run })
