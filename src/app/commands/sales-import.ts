import { parseArgs } from 'node:util'
import { type Clock, systemClock } from '../../kernel/clock.ts'
import { UsageError } from '../../surfaces/cli/arguments.ts'
import type { Output } from '../../surfaces/cli/output.ts'
import { loadCatalogue } from '../../tlds/catalogue.ts'
import { createDescriber } from '../../valuation/describe.ts'
import { bundledWords } from '../../valuation/sources/bundled.ts'
import { SalesFileError } from '../../valuation/sources/sales-file.ts'
import { type Intake, IntakeError, takeInSales } from '../../valuation/sources/sales-intake.ts'
import { sourceProblem } from '../../valuation/sources/sales-row.ts'
import type { Config } from '../settings/config.ts'
import { createProgressBar } from './progress-bar.ts'

type Needs = {
  readonly config: Pick<Config, 'dataDir'>
  /** For progress and results. */
  readonly output: Output
  readonly signal: AbortSignal
  readonly clock?: Clock
}

export const SALES_IMPORT_HELP = `Usage: onoma sales import FILE… [--source NAME]

Imports domain sales for valuations to compare with. Files are CSV in UTF-8 with a header line. Columns: domain, price_usd
(or price), date (YYYY-MM-DD), and source or venue. Other columns are ignored.

  --source NAME   Publisher of the sales in rows without a source

A sale is identified by domain and date, so a file can be imported again; a later import replaces an earlier one. Invalid
rows (incomplete date, future date, unknown TLD …) are skipped, counted and reported. A damaged file changes nothing. A
running service uses the new sales at once.

The sales are stored in sales.sqlite in ONOMA_DATA_DIR.
`

export type SalesImport = { readonly help: boolean; readonly files: readonly string[]; readonly source: string | null }

export function parseSalesImport(argv: readonly string[]): SalesImport {
  const options = { source: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } } as const
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true })
    const source = values.source?.trim() ?? null
    const problem = source === null ? null : sourceProblem(source)
    if (!values.help && problem !== null) throw new Error(`--source: ${problem}.`)
    if (!values.help && positionals.length === 0) throw new Error('sales import needs at least one file.')
    return { help: values.help, files: positionals, source }
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${SALES_IMPORT_HELP}`)
  }
}

/** Imports each file completely or not at all. False if one failed; the others are still imported. */
export async function importSales({ files, source }: SalesImport, needs: Needs): Promise<boolean> {
  const { config, output, signal, clock = systemClock } = needs
  const bar = createProgressBar(output, clock)
  const { suffixes } = loadCatalogue()
  const describe = createDescriber(bundledWords())
  let isComplete = true
  try {
    for (const file of files) {
      const onProgress = ({ done, total, rows }: { done: number; total: number; rows: number }) =>
        bar.show({ label: 'reading', done, total, detail: `${rows.toLocaleString('en')} rows` })
      const folder = config.dataDir
      try {
        const intake = await takeInSales(file, { folder, source, suffixes, describe, clock, signal, onProgress })
        for (const line of formatResult(file, intake)) bar.say(line)
      } catch (error) {
        if (signal.aborted) {
          bar.say(`${file}: stopped; nothing of it was imported.`)
          return false
        }
        if (!(error instanceof IntakeError) && !(error instanceof SalesFileError)) throw error
        bar.say(`${file}: not imported. ${error.message}`)
        isComplete = false
      }
    }
    return isComplete
  } finally {
    bar.clear()
  }
}

function formatResult(file: string, { added, changed, known, refused, examples, movedTo }: Intake): string[] {
  const count = (number: number) => number.toLocaleString('en')
  const more = refused - examples.length
  return [
    ...(movedTo === null
      ? []
      : [`The file of the sales was damaged and is moved to ${movedTo}; import its sales again.`]),
    `${file}: sales: ${count(added)} added, ${count(changed)} changed, ${count(known)} unchanged; rows rejected: ${count(refused)}.`,
    ...examples.map(({ line, problem }) => `  line ${line}: ${problem}`),
    ...(more > 0 ? [`  and ${count(more)} more`] : []),
  ]
}
