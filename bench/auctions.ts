/** Sync and search speed with as many auctions as the largest public feed has. `npm run bench:auctions`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROWS, type FeedVersion, writeFeed } from './auctions/generate.ts'
import { measureAuctions, type Plan } from './auctions/measure.ts'
import { judgeAuctions, reportAuctions } from './auctions/report.ts'
import { printReport, runAsCommand, showProgress } from './run.ts'

const HELP = `npm run bench:auctions -- [options]

Writes a feed of ${ROWS.toLocaleString('en')} invented auctions in the format of the largest public one, syncs it twice, and
runs every kind of query.

  --quick     A tenth of the rows: shows large regressions, not exact figures
  --json      Print one JSON object instead of tables

Needs about 2 GB of temporary disk space and no network.
Exit code: 0 all targets met, 1 a target missed, 2 the measurement failed.
`

const TIMEOUT_MS = 40 * 60_000
const FULL: Plan = { rows: ROWS, rounds: 100, randomQueries: 1000 }
const QUICK: Plan = { rows: Math.floor(ROWS / 10), rounds: 20, randomQueries: 100 }

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      // Internal: the bench starts itself to write the feed, so that its memory is not measured.
      write: { type: 'string' },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  if (values.write !== undefined) {
    const { path, ...version } = JSON.parse(values.write) as { path: string } & FeedVersion
    writeFeed(path, version)
    return 0
  }
  const plan = values.quick ? QUICK : FULL
  const folder = mkdtempSync(join(tmpdir(), 'onoma-bench-'))
  try {
    const outcome = await measureAuctions(folder, plan, showProgress)
    return printReport({
      json: values.json,
      sections: [reportAuctions(outcome)],
      data: { plan, ...outcome },
      verdicts: judgeAuctions(outcome),
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await runAsCommand(TIMEOUT_MS, main)
