/**
 * How fast names are valued in one process, beside the part of the work that any model would have to do (reading the
 * names, cutting them into words), and how fast similar sales are found. `npm run bench:valuation`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { verdictLines } from './report.ts'
import { machine, runAsCommand, tell } from './run.ts'
import { measureValuation, type Plan } from './valuation/measure.ts'
import { judgeValuation, reportValuation } from './valuation/report.ts'

const HELP = `npm run bench:valuation -- [options]

Values invented names in one process, imports invented sales, and looks for those similar to invented names.

  --quick     Fewer names and sales: enough to see a large mistake, no figure to quote
  --json      Print one JSON object instead of tables

Needs about 300 MB of disk for a while, and no network.
Exit code: 0 all targets met, 1 one missed, 2 it could not be measured.
`

const DEADLINE_MS = 20 * 60_000
const FULL: Plan = { names: 50_000, rounds: 7, sales: 300_000, questions: 3000 }
const QUICK: Plan = { names: 5_000, rounds: 3, sales: 20_000, questions: 300 }

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
    const outcome = await measureValuation(folder, plan, tell)
    tell('')
    const verdicts = judgeValuation(outcome)
    const report = values.json
      ? JSON.stringify({ machine: machine(), plan, ...outcome, verdicts }, null, 2)
      : [machine(), ...reportValuation(outcome), verdictLines(verdicts)].join('\n\n')
    process.stdout.write(`${report}\n`)
    return verdicts.every(({ met }) => met) ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await runAsCommand(DEADLINE_MS, main)
