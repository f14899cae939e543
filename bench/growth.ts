/** Time and memory against the number of names, clients, auctions, sales, marks and payments. `npm run bench:growth`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Children, createChildren } from './children.ts'
import { type Curve, curvesOf } from './growth/curves.ts'
import type { Sample } from './growth/part.ts'
import { type PartPlan, PARTS } from './growth/parts.ts'
import { printReport, runAsCommand, showProgress } from './run.ts'
import { table } from './table.ts'
import { megabytes, type Verdict } from './verdicts.ts'

const NAMES = PARTS.map(({ name }) => name)
const HELP = `npm run bench:growth -- [options]

Builds each part with 1,000, 10,000, 100,000 and 1,000,000 entries, each in a process of its own, and measures the CPU time
of the build and of single operations, and memory. A fit over the sizes names the growth of each: constant, logarithmic,
linear or worse.

  --quick        Up to 100,000
  --only NAMES   Separated by commas: ${NAMES.join(', ')}
  --json         Print one JSON object instead of tables

Needs about 2 GB of temporary disk space and no network.
Exit code: 0 all targets met, 1 a target missed, 2 the measurement failed.
`

const TIMEOUT_MS = 40 * 60_000
const SIZES = [1_000, 10_000, 100_000, 1_000_000] as const
const MAX_QUICK_SIZE = 100_000
const CHILD_TIMEOUT_MS = 15 * 60_000

type Measured = { readonly plan: PartPlan; readonly samples: readonly Sample[]; readonly curves: readonly Curve[] }

async function measure(
  children: Children,
  plan: PartPlan,
  sizes: readonly number[],
  folder: string,
): Promise<Measured> {
  const samples: Sample[] = []
  for (const size of sizes) {
    showProgress(`${plan.name}: ${size.toLocaleString('en')}`)
    const work = join(folder, `${plan.file}-${size}`)
    const child = children.start(new URL('growth/child.ts', import.meta.url), { args: [plan.file, String(size), work] })
    const { sample } = (await child.line('sample', CHILD_TIMEOUT_MS)) as { sample: Sample }
    samples.push(sample)
    await child.stop()
    for (const used of [work, `${work}-warm-up`]) rmSync(used, { recursive: true, force: true })
  }
  return { plan, samples, curves: curvesOf(samples, plan.isFilled ?? false) }
}

function reportOf({ plan, samples, curves }: Measured): string {
  const operations = Object.keys(samples[0]!.operations)
  const columns = ['', 'build CPU s', 'µs each', 'held', 'peak RSS', 'disk', ...operations.map((name) => `${name}, µs`)]
  const rows = samples.map((sample) => [
    sample.size.toLocaleString('en'),
    (sample.buildCpuMs / 1000).toFixed(2),
    ((sample.buildCpuMs * 1000) / sample.size).toFixed(1),
    megabytes(Math.max(0, sample.heldBytes)),
    megabytes(sample.peakRssBytes),
    sample.diskBytes === undefined ? '' : megabytes(sample.diskBytes),
    ...operations.map((name) => sample.operations[name]!.toFixed(1)),
  ])
  const growthOf = (wanted: string) => curves.find(({ name }) => name === wanted)?.growth ?? ''
  const growth = ['growth', growthOf('build'), '', '', '', '', ...operations.map(growthOf)]
  const notes = Object.entries(plan.linear).map(([name, why]) => `${name}: may be linear, because ${why}.`)
  return [`${plan.name}:`, table([columns, ...rows, growth], 1), ...notes].join('\n')
}

function judge({ plan, curves }: Measured): Verdict[] {
  return curves.map(({ name, exponent, growth }) => {
    const mayBeLinear = name === 'build' || Object.hasOwn(plan.linear, name)
    return {
      target: `${plan.name}, ${name} grows no worse than ${mayBeLinear ? 'linearly' : 'logarithmically'}`,
      measured: `${growth} (exponent ${exponent.toFixed(2)})`,
      met: growth !== 'worse' && (mayBeLinear || growth !== 'linear'),
    }
  })
}

function parseOnly(text: string | undefined): readonly PartPlan[] {
  if (text === undefined) return PARTS
  const wanted = text.split(',').map((name) => name.trim())
  const unknown = wanted.filter((name) => !NAMES.includes(name))
  if (unknown.length > 0) throw new Error(`--only must name parts (${NAMES.join(', ')}), not ${unknown.join(', ')}.`)
  return PARTS.filter(({ name }) => wanted.includes(name))
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const sizes = SIZES.filter((size) => !values.quick || size <= MAX_QUICK_SIZE)
  const parts = parseOnly(values.only)
  const folder = mkdtempSync(join(tmpdir(), 'onoma-bench-'))
  const children = createChildren()
  try {
    const measured: Measured[] = []
    for (const plan of parts) measured.push(await measure(children, plan, sizes, folder))
    return printReport({
      json: values.json,
      heading: '; CPU time, one process for each size',
      sections: measured.map(reportOf),
      data: { sizes, parts: measured.map(({ plan, ...figures }) => ({ part: plan.name, ...figures })) },
      verdicts: measured.flatMap(judge),
    })
  } finally {
    await children.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

await runAsCommand(TIMEOUT_MS, main)
