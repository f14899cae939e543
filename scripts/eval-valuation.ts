/**
 * Measures the valuation model on sales it was not trained on: the held-out names of its training file, or the rows of
 * another file. Rows of names it was trained on are skipped and counted.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Market } from '../src/valuation/context.ts'
import { createReader } from '../src/valuation/sight.ts'
import { readModel, type ModelFile } from '../src/valuation/model.ts'
import { bundledWords } from '../src/valuation/sources/bundled.ts'
import { evaluate } from './valuation/evaluation.ts'
import { calibrationPlot } from './valuation/plot.ts'
import { calibrationTable, report } from './valuation/report.ts'
import { readSales } from './valuation/sales.ts'
import { recallNames } from './valuation/seen-names.ts'

const USAGE = `usage: npm run eval:valuation -- SALES.csv [--model FILE] [--svg FILE] [--strict]

  SALES.csv     columns: domain, price_usd; optional: date, venue, context
  --model FILE  the model to measure (default data/valuation-model.json)
  --svg FILE    also write a calibration plot
  --strict      exit with 1 if a target is missed
`
const MODEL = fileURLToPath(new URL('../data/valuation-model.json', import.meta.url))
const MARKETS: readonly Market[] = ['auction', 'retail', 'reported', 'top', 'other']

export async function evalValuation(args: string[], print: (line: string) => void = console.log): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      model: { type: 'string', default: MODEL },
      svg: { type: 'string' },
      strict: { type: 'boolean', default: false },
    },
  })
  const [path] = positionals
  if (path === undefined || positionals.length > 1) {
    print(USAGE)
    return 1
  }
  const file = JSON.parse(await readFile(values.model, 'utf8')) as ModelFile
  const { sales, rejected } = readSales(await readFile(path, 'utf8'))
  const wasSeen = recallNames(file.seen)
  const unseen = sales.filter(({ domain }) => !wasSeen(domain))
  print(`model ${file.id}: trained on ${file.rows.trained} sales of ${file.rows.names} names`)
  print(
    `${sales.length} sales read, ${rejected} rows invalid, ${sales.length - unseen.length} skipped: the model was trained on these names`,
  )
  if (unseen.length === 0) {
    print('no sales are left to measure')
    return 1
  }
  const reader = createReader(bundledWords())
  const model = readModel(file, reader.words)
  const measure = (rows: typeof unseen) => ({
    open: evaluate(model, reader, rows, false),
    known: evaluate(model, reader, rows, true),
  })
  const metrics = measure(unseen)
  const lines = report(metrics)
  for (const line of ['', ...lines, '', ...calibrationTable(metrics), '']) print(line)
  print('| market | n | rank known | factor known | rank alone | factor alone |')
  print('|---|---|---|---|---|---|')
  for (const market of MARKETS) {
    const rows = unseen.filter(({ context }) => context.market === market)
    if (rows.length === 0) continue
    const { open, known } = measure(rows)
    print(
      `| ${market} | ${rows.length} | ${known.rankScore.toFixed(3)} | ${known.medianFactor.toFixed(2)} | ${open.rankScore.toFixed(3)} | ${open.medianFactor.toFixed(2)} |`,
    )
  }
  if (values.svg !== undefined) {
    await writeFile(values.svg, calibrationPlot(metrics, `Calibration on ${unseen.length} sales not used in training`))
  }
  return values.strict && lines.some((line) => line.includes('✗')) ? 1 : 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await evalValuation(process.argv.slice(2))
