/**
 * How fast one process values names, compared with the part every model needs (parsing names, splitting them into words),
 * and how fast comparable sales are found. `npm run bench:valuation`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { printReport, runAsCommand, showProgress } from './run.ts'
import { measureValuation, type Plan } from './valuation/measure.ts'
import { judgeValuation, reportValuation } from './valuation/report.ts'

const HELP = `npm run bench:valuation -- [options]

Values invented names in one process, imports invented sales, and looks for comparables of invented names.

  --quick     Fewer names and sales: shows large regressions, not exact figures
  --json      Print one JSON object instead of tables

Needs about 300 MB of temporary disk space and no network.
Exit code: 0 all targets met, 1 a target missed, 2 the measurement failed.
`

const TIMEOUT_MS = 20 * 60_000
const FULL: Plan = { names: 50_000, rounds: 7, sales: 300_000, comparablesQueries: 3000 }
const QUICK: Plan = { names: 5_000, rounds: 3, sales: 20_000, comparablesQueries: 300 }

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
  const folder = mkdtempSync(join(tmpdir(), 'onoma-bench-'))
  try {
    const outcome = await measureValuation(folder, plan, showProgress)
    return printReport({
      json: values.json,
      sections: reportValuation(outcome),
      data: { plan, ...outcome },
      verdicts: judgeValuation(outcome),
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await runAsCommand(TIMEOUT_MS, main)
