/**
 * Correctness of verdicts while the simulated internet misbehaves, compared with two npm packages: the same names and
 * faults, a new process for each. `npm run bench:truth`.
 */
import type { NamesOptions } from '../sandbox/names/start.ts'
import type { Children } from './children.ts'
import { runTrial, type ContestantName } from './names/contestants.ts'
import { type Options, type Outcome, runBench } from './names/command.ts'
import { SEED } from './names/lists.ts'
import { type Scenario, scenarios } from './names/scenarios.ts'
import { type Score, scoreVerdicts } from './names/score.ts'
import type { Verdict } from './verdicts.ts'
import { showProgress } from './run.ts'
import { table } from './table.ts'

const HELP = `npm run bench:truth -- [options]

Counts right, unknown and false verdicts on a simulated internet full of faults, and compares rdapper and whoiser.
`

const MIN_ANSWERED_SHARE = 0.99
const TASK_TIMEOUT_MS = 120_000
/** Scenarios run concurrently: most of their time is spent waiting. */
const MAX_CONCURRENT_SCENARIOS = 3

type Figures = Score & {
  /** Answered names among those that can be answered. */
  readonly answered: number
  readonly upstream: number
  readonly throttled: number
  readonly blocked: number
  readonly seconds: number
}
type Result = { readonly scenario: Scenario; readonly figures: ReadonlyMap<ContestantName, Figures> }

async function run(children: Children, { quick, contestants, tls, only }: Options): Promise<Outcome> {
  const chosen = scenarios(quick ? 32 : 96).filter(({ title }) => title.includes(only))
  const results: Result[] = []
  const queue = chosen.entries()
  const worker = async () => {
    for (const [at, scenario] of queue) {
      showProgress(scenario.title)
      const world: NamesOptions = { seed: SEED, tls, latencyMs: 20, ...scenario.knobs }
      // Concurrently, each with its own internet: speed is not measured here.
      const measured = contestants.map(async (name) => [name, await measure(children, name, scenario, world)] as const)
      results[at] = { scenario, figures: new Map(await Promise.all(measured)) }
    }
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT_SCENARIOS }, worker))
  const data = {
    tls,
    scenarios: results.map(({ scenario, figures }) => ({
      title: scenario.title,
      names: scenario.domains.length,
      canBeAnswered: answerable(scenario).length,
      ...Object.fromEntries(figures),
    })),
  }
  const totals = contestants.map((name) => totalRow(name, results))
  return { tables: [table([COLUMNS, ...results.flatMap(lines), ...totals])], verdicts: judge(results), data }
}

const answerable = ({ domains, canBeAnswered }: Scenario): readonly string[] => domains.filter(canBeAnswered)

async function measure(
  children: Children,
  name: ContestantName,
  scenario: Scenario,
  world: NamesOptions,
): Promise<Figures> {
  const { domains, jumps = false } = scenario
  const trial = await runTrial(children, name, { world, domains, jumps, timeoutMs: TASK_TIMEOUT_MS })
  const possible = answerable(scenario)
  return {
    ...scoreVerdicts(domains, trial),
    answered: possible.length - scoreVerdicts(possible, trial).unknown,
    upstream: trial.counters.registryRequests,
    throttled: trial.counters.throttled,
    blocked: trial.blocked,
    seconds: trial.wallMs / 1000,
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
]

const lines = ({ scenario, figures }: Result): string[][] =>
  [...figures].map(([name, one], at) => [
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
  ])

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
