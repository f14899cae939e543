/**
 * A realistic mix of requests on the simulated internet: requests/s, latency, CPU time and memory of each part.
 * `npm run bench:load`.
 */
import { parseArgs } from 'node:util'
import { seededRandom } from '../src/kernel/random.ts'
import { type Child, createChildren } from './children.ts'
import { drive, type Seen } from './mix/drive.ts'
import { type Part, PARTS } from './mix/parts.ts'
import { startMixService, waitUntilReady } from './mix/service.ts'
import type { WorldPlaces } from './mix/world.ts'
import { printReport, runAsCommand, showProgress } from './run.ts'
import { table } from './table.ts'
import type { Verdict } from './verdicts.ts'

const HELP = `npm run bench:load -- [options]

Starts the sandbox's simulated internet and the service in processes of their own, requests each part of a realistic mix
alone, then all of them together, twice; a first mix warms up.

  --quick             A short run: shows large regressions, not exact figures
  --connections N     Concurrent connections, 1 to 250 (default 16)
  --json              Print one JSON object instead of tables

Exit code: 0 all targets met, 1 a target missed, 2 the measurement failed.
`

const TIMEOUT_MS = 15 * 60_000
const SEED = 20_261_116
const MAX_MEMORY_GROWTH = 1.15
/** The latency of a cached check within the mix, compared with the same request alone. */
const MAX_CACHED_P50_RATIO = 25

type Plan = {
  readonly connections: number
  readonly warmUpSeconds: number
  readonly seconds: number
  readonly mixSeconds: number
}
type Figures = {
  readonly name: string
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly unexpected: number
  readonly example: string | undefined
}
type Cost = { readonly cpuMicros: number; readonly heapMb: number; readonly rssMb: number }
type Alone = Figures & Cost
type Mixed = { readonly parts: readonly Figures[]; readonly all: Cost & { readonly perSecond: number } }

async function measured<Result>(child: Child, run: () => Promise<Result>) {
  const before = await child.usage()
  const result = await run()
  const after = await child.usage({ collect: true })
  const cpuMicros = after.cpuMicros - before.cpuMicros
  return { result, cpuMicros, heapMb: after.heapBytes / 1e6, rssMb: after.rssBytes / 1e6 }
}

const figuresOf = (name: string, { latencies, unexpected, example }: Seen, seconds: number): Figures => ({
  name,
  requests: latencies.count,
  perSecond: latencies.count / seconds,
  p50Ms: latencies.quantile(0.5),
  p99Ms: latencies.quantile(0.99),
  unexpected,
  example,
})

async function measureAlone({ child, url }: { child: Child; url: string }, plan: Plan, sent: Map<Part, number>) {
  const alone: Alone[] = []
  for (const part of PARTS) {
    showProgress(part.name)
    await drive({ url, connections: plan.connections, seconds: plan.warmUpSeconds }, () => part, sent)
    const { result, ...cost } = await measured(child, () =>
      drive({ url, connections: plan.connections, seconds: plan.seconds }, () => part, sent),
    )
    const figures = figuresOf(part.name, result.seen.get(part)!, result.seconds)
    alone.push({ ...figures, ...cost, cpuMicros: cost.cpuMicros / figures.requests })
  }
  return alone
}

async function measureMix({ child, url }: { child: Child; url: string }, plan: Plan, sent: Map<Part, number>) {
  const random = seededRandom(SEED)
  const deck = PARTS.flatMap((part) => Array.from({ length: part.share }, () => part))
  const { result, ...cost } = await measured(child, () =>
    drive(
      { url, connections: plan.connections, seconds: plan.mixSeconds },
      () => deck[random.below(deck.length)]!,
      sent,
    ),
  )
  const { seen, seconds } = result
  const parts = PARTS.filter((part) => seen.has(part)).map((part) => figuresOf(part.name, seen.get(part)!, seconds))
  const requests = parts.reduce((sum, part) => sum + part.requests, 0)
  return { parts, all: { ...cost, cpuMicros: cost.cpuMicros / requests, perSecond: requests / seconds } }
}

function judge(alone: readonly Alone[], [first, last]: readonly [Mixed, Mixed]): Verdict[] {
  const wrong = [...alone, ...first.parts, ...last.parts].filter(({ unexpected }) => unexpected > 0)
  const cached = [alone, last.parts].map((parts) => parts.find(({ name }) => name === PARTS[0]!.name)!.p50Ms)
  const ratio = cached[1]! / cached[0]!
  return [
    {
      target: 'every answer has the expected status',
      measured: wrong.map(({ name, unexpected, example }) => `${name}: ${unexpected} × ${example}`).join('; ') || 'yes',
      met: wrong.length === 0,
    },
    {
      target: `p50 of a cached check in the mix at most ${MAX_CACHED_P50_RATIO} × alone`,
      measured: `${ratio.toFixed(1)} ×`,
      met: ratio <= MAX_CACHED_P50_RATIO,
    },
    {
      target: `heap after the second mix at most ${MAX_MEMORY_GROWTH} × after the first`,
      measured: `${first.all.heapMb.toFixed(0)}, ${last.all.heapMb.toFixed(0)} MB`,
      met: last.all.heapMb <= first.all.heapMb * MAX_MEMORY_GROWTH,
    },
  ]
}

const row = ({ name, perSecond, p50Ms, p99Ms }: Figures) => [
  name,
  perSecond.toFixed(0),
  p50Ms.toFixed(2),
  p99Ms.toFixed(1),
]

function reports(alone: readonly Alone[], mixes: readonly [Mixed, Mixed]): string[] {
  const cheapest = Math.min(...alone.map(({ cpuMicros }) => cpuMicros))
  const lines = alone.map((part) => [
    ...row(part),
    part.cpuMicros.toFixed(0),
    (part.cpuMicros / cheapest).toFixed(1),
    part.heapMb.toFixed(0),
    part.rssMb.toFixed(0),
  ])
  const { parts, all } = mixes[1]
  return [
    table(
      [['part, alone', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs', '× cheapest', 'heap MB', 'RSS MB'], ...lines],
      1,
    ),
    table([['part, in the mix', 'requests/s', 'p50 ms', 'p99 ms'], ...parts.map(row)], 1),
    `the mix: ${all.perSecond.toFixed(0)} requests/s, ${all.cpuMicros.toFixed(0)} µs of CPU each, ` +
      `heap ${all.heapMb.toFixed(0)} MB, RSS ${all.rssMb.toFixed(0)} MB`,
  ]
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      connections: { type: 'string', default: '16' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const connections = Number(values.connections)
  if (!Number.isInteger(connections) || connections < 1 || connections > 250) {
    throw new Error(`--connections must be a whole number from 1 to 250, not ${values.connections}.`)
  }
  const plan: Plan = values.quick
    ? { connections, warmUpSeconds: 1, seconds: 1.5, mixSeconds: 5 }
    : { connections, warmUpSeconds: 2, seconds: 5, mixSeconds: 30 }
  const children = createChildren()
  try {
    const internet = children.start(new URL('mix/world.ts', import.meta.url))
    const { world } = (await internet.line('world')) as { world: WorldPlaces }
    const service = await startMixService(children, world)
    showProgress('waiting for all parts')
    await waitUntilReady(service.url)
    const sent = new Map<Part, number>()
    showProgress('warming up')
    // The first part would otherwise pay for code that is not compiled yet.
    await measureMix(service, plan, sent)
    const alone = await measureAlone(service, plan, sent)
    showProgress('the mix')
    const mixes = [await measureMix(service, plan, sent), await measureMix(service, plan, sent)] as const
    const data = { plan, alone, mixes }
    return printReport({
      json: values.json,
      heading: `, ${connections} connections`,
      sections: reports(alone, mixes),
      data,
      verdicts: judge(alone, mixes),
    })
  } finally {
    await children.stop()
  }
}

await runAsCommand(TIMEOUT_MS, main)
