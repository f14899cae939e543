/**
 * Trains the valuation model on a file of sales and writes it as JSON. Names are split by a hash: the held-out names are
 * never trained on, and the metrics in the model file are measured on them. The same input gives the same model.
 */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { FEATURE_NAMES } from '../src/valuation/feature-names.ts'
import { createReader } from '../src/valuation/sight.ts'
import type { ModelFile } from '../src/valuation/model.ts'
import { bundledWords } from '../src/valuation/sources/bundled.ts'
import { evaluate } from './valuation/evaluation.ts'
import { report } from './valuation/report.ts'
import { readSales, type Sale } from './valuation/sales.ts'
import { rememberNames } from './valuation/seen-names.ts'
import { isHeldOut } from './valuation/split.ts'
import { modelOf, trainModel } from './valuation/training.ts'

const USAGE = `usage: npm run train:valuation -- SALES.csv [--out FILE] [--date YYYY-MM-DD] [--effort N]

  SALES.csv          columns: domain, price_usd; optional: date, venue, context
  --out FILE         the model file to write (default data/valuation-model.json)
  --date YYYY-MM-DD  the date of the model (default: that of the latest sale)
  --effort N         share of the trees to train, below 1 for a quick try (default 1)
`
const MODEL = fileURLToPath(new URL('../data/valuation-model.json', import.meta.url))
const MIN_SALES = 500

export async function trainValuation(args: string[], print: (line: string) => void = console.log): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      out: { type: 'string', default: MODEL },
      date: { type: 'string' },
      effort: { type: 'string', default: '1' },
    },
  })
  const [path] = positionals
  const effort = Number(values.effort)
  if (path === undefined || positionals.length > 1 || !(effort > 0)) {
    print(USAGE)
    return 1
  }
  const { sales, rejected } = readSales(await readFile(path, 'utf8'))
  if (rejected > 0) print(`skipped ${rejected} rows without a valid name or price`)
  if (sales.length < MIN_SALES) {
    print(`${path} has ${sales.length} sales; a model needs at least ${MIN_SALES}`)
    return 1
  }
  const file = train(sales, values.date ?? latestDay(sales), effort, print)
  await writeFile(values.out, `${JSON.stringify(file)}\n`)
  print(`wrote ${file.id}`)
  return 0
}

function train(sales: readonly Sale[], date: string, effort: number, print: (line: string) => void): ModelFile {
  const reader = createReader(bundledWords())
  const training = sales.filter(({ domain }) => !isHeldOut(domain))
  const heldOut = sales.filter(({ domain }) => isHeldOut(domain))
  const trained = trainModel(training, reader, effort, print)
  const model = modelOf(trained, reader)
  const metrics = { open: evaluate(model, reader, heldOut, false), known: evaluate(model, reader, heldOut, true) }
  for (const line of report(metrics)) print(line)
  const names = new Set(training.map(({ domain }) => domain))
  const fingerprint = createHash('sha256').update(JSON.stringify(trained)).digest('hex').slice(0, 8)
  return {
    id: `onoma-valuation-${date}-${fingerprint}`,
    date,
    rows: { trained: training.length, names: names.size, heldOut: heldOut.length },
    features: FEATURE_NAMES,
    heldOut: metrics,
    ...trained,
    seen: rememberNames(names),
  }
}

const latestDay = (sales: readonly Sale[]) =>
  sales.reduce((latest, { date }) => (/^\d{4}-\d{2}-\d{2}$/.test(date) && date > latest ? date : latest), '1970-01-01')

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await trainValuation(process.argv.slice(2))
