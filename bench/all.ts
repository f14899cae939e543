/** Runs all benches in their short forms and compares their figures with recorded ones. `npm run bench`. */
import { parseArgs } from 'node:util'
import { BENCHES, type Bench } from './all/benches.ts'
import {
  type Comparison,
  compareAll,
  loadFigures,
  type Recorded,
  type RecordedFigures,
  rounded,
  saveFigures,
} from './all/figures.ts'
import { type BenchRun, runBench } from './all/run-bench.ts'
import { verdictLines } from './report.ts'
import { machine, runAsCommand } from './run.ts'
import { table } from './table.ts'

const NAMES = BENCHES.map(({ name }) => name)
const HELP = `npm run bench -- [options]

Runs all benches in their short forms, one after the other, in under 15 minutes on two calm processors. Compares their
figures with those in bench/figures.json.

  --only NAMES   Separated by commas: ${NAMES.join(', ')}
  --update       Record the figures in bench/figures.json, and print what differs
  --json         Print one JSON object instead of tables

Exit code: 0 all well, 1 a target missed or a figure worse than its tolerance allows, 2 a measurement failed or a recorded
figure is missing.
`

/** A bench that takes longer than this many times its expected time, and two minutes, is ended. */
const MAX_TIMES_EXPECTED = 4
const GRACE_SECONDS = 120
const TIMEOUT_MS = 60 * 60_000

type Compared = ReturnType<typeof compareAll>[number]
type Result = { readonly bench: Bench; readonly run: BenchRun; readonly comparisons: readonly Compared[] }

async function measure(bench: Bench, recorded: RecordedFigures): Promise<Result> {
  process.stderr.write(`${bench.name} (about ${bench.seconds} s) … `)
  const run = await runBench(bench.file, bench.args, (bench.seconds * MAX_TIMES_EXPECTED + GRACE_SECONDS) * 1000)
  const missed = run.output.verdicts.filter(({ met }) => !met).length
  const outcome = run.failed === undefined ? `${run.output.verdicts.length - missed} met, ${missed} missed` : 'FAILED'
  process.stderr.write(`${run.seconds.toFixed(0)} s, ${outcome}\n`)
  const comparisons = run.failed === undefined ? compareAll(bench.figures, run.output, recorded[bench.name] ?? {}) : []
  return { bench, run, comparisons }
}

function parseOnly(text: string | undefined): readonly Bench[] {
  if (text === undefined) return BENCHES
  const wanted = text.split(',').map((name) => name.trim())
  const unknown = wanted.filter((name) => !NAMES.includes(name))
  if (unknown.length > 0)
    throw new Error(`--only must name benches (${NAMES.join(', ')}), not ${unknown.join(', ') || 'nothing'}.`)
  return BENCHES.filter(({ name }) => wanted.includes(name))
}

const formatValue = (value: number | undefined): string => (value === undefined ? '–' : String(rounded(value)))

function figuresTable(results: readonly Result[]): string {
  const rows = results.flatMap(({ bench, run, comparisons }) => {
    const time = `${run.seconds.toFixed(0)} s`
    if (run.failed !== undefined) return [[bench.name, 'FAILED', '', '', '', time]]
    return comparisons.map((one, at) => [bench.name, ...cells(one), at === 0 ? time : ''])
  })
  const total = results.reduce((sum, { run }) => sum + run.seconds, 0)
  return table([
    ['bench', 'figure', 'recorded', 'now', 'verdict', 'time'],
    ...rows,
    ['', '', '', '', '', `${total.toFixed(0)} s`],
  ])
}

const cells = ({ name, recorded, now, verdict }: Comparison): string[] => [
  name,
  formatValue(recorded?.value),
  formatValue(now),
  verdict,
]

function missedTargets(results: readonly Result[]): string[] {
  return results.flatMap(({ bench, run }) => {
    if (run.failed !== undefined) return [`${bench.name} failed: ${run.failed}`]
    const missed = run.output.verdicts.filter(({ met }) => !met)
    return missed.length === 0 ? [] : [`${bench.name}\n${verdictLines(missed)}`]
  })
}

/** A failed bench keeps its recorded figures; a bench that ran loses those that it no longer prints. */
function update(recorded: RecordedFigures, results: readonly Result[]): string {
  const date = new Date().toISOString().slice(0, 10)
  const next: Record<string, Readonly<Record<string, Recorded>>> = { ...recorded }
  const lines: string[] = []
  for (const { bench, run, comparisons } of results) {
    if (run.failed !== undefined) continue
    const kept: Record<string, Recorded> = {}
    for (const { name, figure, now, recorded: before } of comparisons) {
      if (now === undefined || !figure) {
        lines.push(`${bench.name}, ${name}: ${formatValue(before?.value)} removed, the bench does not print it`)
        continue
      }
      const { better, tolerance } = figure
      kept[name] = { value: rounded(now), tolerance, better, date, machine: machine() }
      if (before?.value !== rounded(now))
        lines.push(`${bench.name}, ${name}: ${formatValue(before?.value)} → ${formatValue(now)}`)
    }
    next[bench.name] = kept
  }
  saveFigures(Object.fromEntries(NAMES.filter((name) => next[name]).map((name) => [name, next[name]!])))
  return ['recorded in bench/figures.json:', ...(lines.length > 0 ? lines : ['nothing differs'])].join('\n')
}

function exitCode(results: readonly Result[], isUpdate: boolean): 0 | 1 | 2 {
  const has = (wanted: Comparison['verdict']) =>
    results.some(({ comparisons }) => comparisons.some(({ verdict }) => verdict === wanted))
  if (results.some(({ run }) => run.failed !== undefined)) return 2
  if (!isUpdate && has('MISSING')) return 2
  const isMissed = results.some(({ run }) => run.output.verdicts.some(({ met }) => !met))
  return isMissed || (!isUpdate && has('WORSE')) ? 1 : 0
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      update: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const recorded = loadFigures()
  const results: Result[] = []
  for (const bench of parseOnly(values.only)) results.push(await measure(bench, recorded))
  const data = results.map(({ bench, run, comparisons }) => ({
    bench: bench.name,
    seconds: run.seconds,
    failed: run.failed,
    figures: comparisons.map(({ figure: _figure, ...one }) => one),
    verdicts: run.output.verdicts,
  }))
  const text = [machine(), ...missedTargets(results), figuresTable(results)].join('\n\n')
  process.stdout.write(
    values.json ? `${JSON.stringify({ machine: machine(), benches: data }, null, 2)}\n` : `${text}\n`,
  )
  if (values.update) process.stderr.write(`\n${update(recorded, results)}\n`)
  return exitCode(results, values.update)
}

await runAsCommand(TIMEOUT_MS, main)
