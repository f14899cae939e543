/**
 * How soon the page of a name and its dossier say something, what a page costs, and how large it is.
 * `npm run bench:page`.
 */
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { createChildren } from './children.ts'
import { startMixService, waitUntilReady } from './mix/service.ts'
import type { WorldPlaces } from './mix/world.ts'
import { type Cost, measurePage, type PageFigures, type Plan, ratioOf } from './page/measure.ts'
import { printReport, runAsCommand, showProgress } from './run.ts'
import { median } from './speed.ts'
import { table } from './table.ts'
import type { Verdict } from './verdicts.ts'

const HELP = `npm run bench:page -- [options]

Starts the sandbox's simulated internet and the service in processes of their own. Asks for dossiers and pages of fresh
names, then for the same page and the check of the same domains in turns.

  --quick     Fewer requests: shows large regressions, not exact figures
  --json      Print one JSON object instead of tables

Exit code: 0 all targets met, 1 a target missed, 2 the measurement failed.
`

const TIMEOUT_MS = 10 * 60_000
const FULL: Plan = { names: 40, requests: 40, rounds: 7 }
const QUICK: Plan = { names: 12, requests: 10, rounds: 3 }

const KILOBYTE = 1024
const MAX_FIRST_PART_MS = 50
const MAX_FIRST_TILE_MS = 100
const MAX_SCRIPT_BYTES = 30 * KILOBYTE
const MAX_STYLE_BYTES = 12 * KILOBYTE
const MAX_COMPACT_BYTES = 2 * KILOBYTE
/** A page of 20 tiles also has five cards, each of which is an answer of its own. */
const MAX_TOP20_RATIO = 15
const MAX_ALL_RATIO = 6

const atMost = (what: string, limit: number, value: number, unit: string): Verdict => ({
  target: `${what} at most ${limit} ${unit}`,
  measured: `${value.toFixed(unit === 'bytes' ? 0 : 2)} ${unit}`,
  met: value <= limit,
})

const judge = (figures: PageFigures): Verdict[] => [
  atMost('first part of a dossier, median,', MAX_FIRST_PART_MS, median(figures.firstPartMs), 'ms'),
  atMost('first tile after the first byte of a page, median,', MAX_FIRST_TILE_MS, median(figures.firstTileMs), 'ms'),
  atMost('all scripts, gzipped,', MAX_SCRIPT_BYTES, figures.scriptBytes, 'bytes'),
  atMost('style sheet, gzipped,', MAX_STYLE_BYTES, figures.styleBytes, 'bytes'),
  atMost('compact dossier of all TLDs', MAX_COMPACT_BYTES, figures.compactBytes, 'bytes'),
  atMost('CPU time of a page of 20 tiles', MAX_TOP20_RATIO, ratioOf(figures.costs.top20), '× /v1/check'),
  atMost('CPU time of a page of all TLDs', MAX_ALL_RATIO, ratioOf(figures.costs.all), '× /v1/check/bulk'),
]

const costRow = (name: string, costs: readonly Cost[]): string[] => [
  name,
  (median(costs.map(({ pageMicros }) => pageMicros)) / 1000).toFixed(2),
  (median(costs.map(({ checkMicros }) => checkMicros)) / 1000).toFixed(2),
  ratioOf(costs).toFixed(2),
]

function report({ costs, firstPartMs, firstTileMs, allTldsBytes }: PageFigures): string[] {
  const latency = (what: string, all: readonly number[]) => [what, median(all).toFixed(1), Math.max(...all).toFixed(1)]
  return [
    table(
      [
        ['fresh names', 'median ms', 'maximum ms'],
        latency('first part of a dossier', firstPartMs),
        latency('first tile after the first byte', firstTileMs),
      ],
      1,
    ),
    table(
      [
        ['cached verdicts', 'page, CPU ms', 'check, CPU ms', 'ratio'],
        costRow('20 TLDs', costs.top20),
        costRow('all TLDs', costs.all),
      ],
      1,
    ),
    ...(loadavg()[0]! > availableParallelism() + 1
      ? ['NOTE: other programs were busy; milliseconds say little, repeat the run. Ratios and sizes hold.']
      : []),
    `page of all TLDs: ${(allTldsBytes / KILOBYTE).toFixed(0)} KiB, uncompressed`,
  ]
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const plan = values.quick ? QUICK : FULL
  const children = createChildren()
  try {
    showProgress('starting the sandbox and the service')
    const world = children.start(new URL('mix/world.ts', import.meta.url))
    const places = (await world.line('world'))['world'] as WorldPlaces
    const service = await startMixService(children, places)
    await waitUntilReady(service.url)
    const figures = await measurePage(service, plan, showProgress)
    return printReport({
      json: values.json,
      sections: report(figures),
      data: {
        plan,
        ...figures,
        ratios: { 'page of 20 tiles': ratioOf(figures.costs.top20), 'page of all TLDs': ratioOf(figures.costs.all) },
      },
      verdicts: judge(figures),
    })
  } finally {
    await children.stop()
  }
}

await runAsCommand(TIMEOUT_MS, main)
