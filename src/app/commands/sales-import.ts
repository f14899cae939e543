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
  /** Where the person at the terminal reads how it goes. */
  readonly output: Output
  readonly signal: AbortSignal
  readonly clock?: Clock
}

export const SALES_IMPORT_HELP = `Usage: onoma sales import FILE… [--source NAME]

Takes sales of domains into the sales that valuations are compared with. A file is CSV (UTF-8, the first line names the
columns): domain, price_usd (or price), date (YYYY-MM-DD), and source or venue. Other columns are passed over.

  --source NAME   Who published the sales of rows that do not say

A sale is known by its domain and date: a file may come more than once, and of two versions the later import holds. Rows
that are wrong (no full date, a date to come, no such TLD …) are left out, counted and told. A file that is damaged
changes nothing. A running service has the new sales at once.

ONOMA_DATA_DIR names the folder, the file in it is sales.sqlite.
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

/** Each file is taken in whole or not at all. False where one was not; the others are taken in all the same. */
export async function importSales({ files, source }: SalesImport, needs: Needs): Promise<boolean> {
  const { config, output, signal, clock = systemClock } = needs
  const bar = createProgressBar(output, clock)
  const { suffixes } = loadCatalogue()
  const describe = createDescriber(bundledWords())
  let isWhole = true
  try {
    for (const file of files) {
      const onProgress = ({ done, total, rows }: { done: number; total: number; rows: number }) =>
        bar.show({ words: 'reading', done, total, more: `${rows.toLocaleString('en')} rows` })
      const folder = config.dataDir
      try {
        const intake = await takeInSales(file, { folder, source, suffixes, describe, clock, signal, onProgress })
        for (const line of sentencesOf(file, intake)) bar.say(line)
      } catch (error) {
        if (signal.aborted) {
          bar.say(`${file}: stopped; nothing of it was taken in.`)
          return false
        }
        if (!(error instanceof IntakeError) && !(error instanceof SalesFileError)) throw error
        bar.say(`${file}: not taken in. ${error.message}`)
        isWhole = false
      }
    }
    return isWhole
  } finally {
    bar.clear()
  }
}

function sentencesOf(file: string, { added, changed, known, refused, examples }: Intake): string[] {
  const count = (number: number) => number.toLocaleString('en')
  const more = refused - examples.length
  return [
    `${file}: ${count(added)} new sales, ${count(changed)} changed, ${count(known)} known already, ${count(refused)} rows refused.`,
    ...examples.map(({ line, problem }) => `  line ${line}: ${problem}`),
    ...(more > 0 ? [`  and ${count(more)} more`] : []),
  ]
}
