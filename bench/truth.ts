/**
 * Correctness and time of verdicts while the simulated internet misbehaves, compared with two npm packages: the same names
 * and faults, a new process for each. `npm run bench:truth`.
 */
import type { NamesOptions } from '../sandbox/names/start.ts'
import type { Children } from './children.ts'
import { runTrial, type ContestantName, type Trial } from './names/contestants.ts'
import { type Options, type Outcome, runBench } from './names/command.ts'
import { SEED } from './names/lists.ts'
import { LATENCY_MS } from './names/minimum.ts'
import { countNames, findMissed, type Missed, missedTable } from './names/missed.ts'
import { type Scenario, scenarios } from './names/scenarios.ts'
import { type Score, scoreVerdicts } from './names/score.ts'
import { checkBulk } from './names/service-client.ts'
import { createTimeJudge, nextDomains } from './names/truth-times.ts'
import { poolInternets } from './names/world-pool.ts'
import type { Verdict } from './verdicts.ts'
import { showProgress } from './run.ts'
import { table } from './table.ts'

const HELP = `npm run bench:truth -- [options]

Counts right, unknown and false verdicts on a simulated internet full of faults, and compares rdapper and whoiser.
Compares the time of each scenario with the minimum that its latencies, rate limits and timeouts allow.
`

const MIN_ANSWERED_SHARE = 0.99
const TASK_TIMEOUT_MS = 120_000
const MAX_RUN_SECONDS = 90
/** Scenarios run concurrently, because most of their time is spent waiting. rdapper needs twice as long as we do. */
const MAX_CONCURRENT_SCENARIOS: Readonly<Record<ContestantName, number>> = { onoma: 3, rdapper: 5, whoiser: 1 }

type Figures = Score & {
  /** Answered names among those that can be answered. */
  readonly answered: number
  readonly upstream: number
  readonly throttled: number
  readonly blocked: number
  readonly seconds: number
  /** Of a second call with further names; only ours, and null if it was not made. */
  readonly nextMs: number | null
  readonly verdicts: Trial['verdicts']
}
type Result = { readonly scenario: Scenario; readonly figures: ReadonlyMap<ContestantName, Figures> }

async function run(children: Children, { quick, contestants, tls, only }: Options): Promise<Outcome> {
  const began = performance.now()
  const pooled = poolInternets(children)
  // The first has no faults: the others are compared with its time.
  const chosen = scenarios(quick ? 32 : 96).filter(
    ({ title, knobs }, at) => at === 0 || (title.includes(only) && (tls || knobs?.rdapDown !== 'untrusted')),
  )
  // Those that wait longest first, so that the others run meanwhile.
  const longestFirst = chosen.toSorted((a, b) => b.minMs(b.domains) - a.minMs(a.domains))
  /** Each contestant goes through the scenarios by itself, so that we do not wait for a slow peer. */
  const measureAll = async (name: ContestantName) => {
    const measured = new Map<Scenario, Figures>()
    const queue = longestFirst.values()
    const worker = async () => {
      for (const scenario of queue) {
        showProgress(`${scenario.title}: ${name}`)
        const world: NamesOptions = { seed: SEED, tls, latencyMs: LATENCY_MS, ...scenario.knobs }
        measured.set(scenario, await measure(pooled, name, scenario, world))
      }
    }
    await Promise.all(Array.from({ length: MAX_CONCURRENT_SCENARIOS[name] }, worker))
    return [name, measured] as const
  }
  const measured = await Promise.all(contestants.map(measureAll))
  const results: Result[] = chosen.map((scenario) => ({
    scenario,
    figures: new Map(measured.map(([name, figures]) => [name, figures.get(scenario)!])),
  }))
  const missed = missedIn(results)
  const data = {
    tls,
    scenarios: results.map(({ scenario, figures }) => ({
      title: scenario.title,
      names: scenario.domains.length,
      canBeAnswered: answerable(scenario).length,
      ...Object.fromEntries([...figures].map(([name, { verdicts: _verdicts, ...figure }]) => [name, figure])),
    })),
    missed: Object.fromEntries(missed),
  }
  const totals = contestants.map((name) => totalRow(name, results))
  const { ratiosOf, judge: judgeTime } = createTimeJudge(chosen[0]!, timesOf(results[0]!))
  const tables = [
    table([COLUMNS, ...results.flatMap((result) => lines(result, ratiosOf)), ...totals]),
    missedTable(missed),
  ].filter((one) => one !== undefined)
  const verdicts = [
    ...judge(results),
    ...results.map((result) => judgeTime(result.scenario, timesOf(result))),
    ...(contestants.length > 1 ? [judgeMissed(missed)] : []),
    judgeRun((performance.now() - began) / 1000),
  ]
  return { tables, verdicts, data }
}

const timesOf = ({ figures }: Result) => {
  const { seconds, nextMs } = figures.get('onoma')!
  return { wallMs: seconds * 1000, nextMs }
}

/** What peers get right and we call unknown, by the title of the scenario. */
const missedIn = (results: readonly Result[]): Map<string, Missed[]> =>
  new Map(
    results.map(({ scenario, figures }) => {
      const onoma = figures.get('onoma')!
      const peers = [...figures].filter(([name]) => name !== 'onoma')
      return [scenario.title, findMissed(scenario.domains, onoma, new Map(peers))]
    }),
  )

function judgeMissed(missed: ReadonlyMap<string, readonly Missed[]>): Verdict {
  const where = [...missed].flatMap(([title, names]) => {
    const count = countNames(names.filter(({ isGuess }) => !isGuess))
    return count > 0 ? [{ title, count }] : []
  })
  const total = where.reduce((sum, { count }) => sum + count, 0)
  return {
    target: 'onoma: no name unknown that a peer without false verdicts in the same scenario gets right',
    measured: [total, ...where.map(({ title, count }) => `${title}: ${count}`)].join('; '),
    met: total === 0,
  }
}

const judgeRun = (seconds: number): Verdict => ({
  target: `whole run in at most ${MAX_RUN_SECONDS} s`,
  measured: `${seconds.toFixed(0)} s`,
  met: seconds <= MAX_RUN_SECONDS,
})

const answerable = ({ domains, canBeAnswered }: Scenario): readonly string[] => domains.filter(canBeAnswered)

async function measure(
  children: Children,
  name: ContestantName,
  scenario: Scenario,
  world: NamesOptions,
): Promise<Figures> {
  const { domains, jumps = false } = scenario
  const next = nextDomains(scenario)
  let nextMs: number | null = null
  const call = async (base: string, timeoutMs: number) => {
    const first = domains.filter((domain) => !next.includes(domain))
    const results = await checkBulk(base, first, timeoutMs)
    if (next.length === 0) return results
    const later = await checkBulk(base, next, timeoutMs)
    nextMs = later.wallMs
    return { ...results, verdicts: { ...results.verdicts, ...later.verdicts } }
  }
  const trial = await runTrial(children, name, { world, domains, jumps, timeoutMs: TASK_TIMEOUT_MS, call })
  const possible = answerable(scenario)
  return {
    ...scoreVerdicts(domains, trial),
    answered: possible.length - scoreVerdicts(possible, trial).unknown,
    upstream: trial.counters.registryRequests,
    throttled: trial.counters.throttled,
    blocked: trial.blocked,
    seconds: trial.wallMs / 1000,
    nextMs,
    verdicts: trial.verdicts,
  }
}

const COLUMNS = [
  'fault',
  'who',
  'right',
  'unknown',
  'FALSE AVAIL',
  'FALSE TAKEN',
  'answered/possible',
  'upstream',
  '429s',
  'off loopback',
  's',
  'next s',
  '× minimum',
]

type RatiosOf = ReturnType<typeof createTimeJudge>['ratiosOf']

const lines = (result: Result, ratiosOf: RatiosOf): string[][] => {
  const { scenario, figures } = result
  const ratio = ratiosOf(scenario, timesOf(result)).first.toFixed(1)
  return [...figures].map(([name, one], at) => [
    at === 0 ? scenario.title : '',
    name,
    `${one.right}/${scenario.domains.length}`,
    String(one.unknown),
    String(one.falseAvailable),
    String(one.falseTaken),
    `${one.answered}/${answerable(scenario).length}`,
    String(one.upstream),
    String(one.throttled),
    String(one.blocked),
    one.seconds.toFixed(1),
    one.nextMs === null ? '' : (one.nextMs / 1000).toFixed(2),
    name === 'onoma' ? ratio : '',
  ])
}

function sum(name: ContestantName, results: readonly Result[], figure: (figures: Figures) => number): number {
  return results.reduce((total, { figures }) => total + figure(figures.get(name)!), 0)
}

const namesIn = (results: readonly Result[], of: (scenario: Scenario) => readonly string[]): number =>
  results.reduce((total, { scenario }) => total + of(scenario).length, 0)

function totalRow(name: ContestantName, results: readonly Result[]): string[] {
  const of = (figure: (figures: Figures) => number) => String(sum(name, results, figure))
  return [
    name === 'onoma' ? 'ALL' : '',
    name,
    `${of(({ right }) => right)}/${namesIn(results, ({ domains }) => domains)}`,
    of(({ unknown }) => unknown),
    of(({ falseAvailable }) => falseAvailable),
    of(({ falseTaken }) => falseTaken),
    `${of(({ answered }) => answered)}/${namesIn(results, answerable)}`,
    of(({ upstream }) => upstream),
    of(({ throttled }) => throttled),
    of(({ blocked }) => blocked),
    sum(name, results, ({ seconds }) => seconds).toFixed(1),
    '',
    '',
  ]
}

function judge(results: readonly Result[]): Verdict[] {
  const expectNone = (what: string, figure: (figures: Figures) => number): Verdict => {
    const where = results
      .filter(({ figures }) => figure(figures.get('onoma')!) > 0)
      .map(({ scenario }) => scenario.title)
    const count = sum('onoma', results, figure)
    return {
      target: `onoma: no ${what}`,
      measured: count === 0 ? '0' : `${count} (${where.join('; ')})`,
      met: count === 0,
    }
  }
  return [
    expectNone('false available', ({ falseAvailable }) => falseAvailable),
    expectNone('false taken', ({ falseTaken }) => falseTaken),
    expectNone('connection outside loopback', ({ blocked }) => blocked),
    ...results.filter(({ scenario }) => answerable(scenario).length > 0).map(judgeAnswered),
  ]
}

function judgeAnswered({ scenario, figures }: Result): Verdict {
  const possible = answerable(scenario).length
  const { answered } = figures.get('onoma')!
  return {
    target: `${scenario.title}: at least ${MIN_ANSWERED_SHARE * 100} % answered of what can be`,
    measured: `${answered} of ${possible}`,
    met: answered >= possible * MIN_ANSWERED_SHARE,
  }
}

await runBench({ help: HELP, timeoutMs: 30 * 60_000, run })
