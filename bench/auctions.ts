/** How fast auctions are read and found, with as many of them as the largest public feed has. `npm run bench:auctions`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROWS, type Version, writeFeed } from './auctions/generate.ts'
import { measureAuctions, type Plan } from './auctions/measure.ts'
import { judgeAuctions, reportAuctions } from './auctions/report.ts'
import { verdictLines } from './report.ts'
import { machine, runAsCommand, tell } from './run.ts'

const HELP = `npm run bench:auctions -- [options]

Writes a feed of ${ROWS.toLocaleString('en')} invented auctions in the shape of the largest public one, syncs it, syncs it
again, and asks every kind of question there is.

  --quick     A tenth of the rows: enough to see a large mistake, no figure to quote
  --json      Print one JSON object instead of tables

Needs about 2 GB of disk for a while, and no network.
Exit code: 0 all targets met, 1 one missed, 2 it could not be measured.
`

const DEADLINE_MS = 40 * 60_000
const FULL: Plan = { rows: ROWS, rounds: 100, random: 1000 }
const QUICK: Plan = { rows: Math.floor(ROWS / 10), rounds: 20, random: 100 }

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      // The bench calls itself with this: what writes the feed shall not count as memory of what reads it.
      write: { type: 'string' },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  if (values.write !== undefined) {
    const { path, ...version } = JSON.parse(values.write) as { path: string } & Version
    writeFeed(path, version)
    return 0
  }
  const plan = values.quick ? QUICK : FULL
  const folder = mkdtempSync(join(tmpdir(), 'onoma-bench-'))
  try {
    const outcome = await measureAuctions(folder, plan, tell)
    tell('')
    const verdicts = judgeAuctions(outcome)
    const report = values.json
      ? JSON.stringify({ machine: machine(), plan, ...outcome, verdicts }, null, 2)
      : `${machine()}\n\n${reportAuctions(outcome)}\n\n${verdictLines(verdicts)}`
    process.stdout.write(`${report}\n`)
    return verdicts.every(({ met }) => met) ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await runAsCommand(DEADLINE_MS, main)
