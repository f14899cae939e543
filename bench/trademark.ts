/**
 * Build, import and search speed of the trademark index on an invented register of any size, compared with SQLite FTS5 on
 * the same records. `npm run bench:trademark`.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createChildren } from './children.ts'
import { printReport, runAsCommand, showProgress } from './run.ts'
import { LAWYER_QUERIES } from './trademark/lawyer-queries.ts'
import { measureTrademark, type Plan } from './trademark/measure.ts'
import { judgeTrademark, reportTrademark } from './trademark/report.ts'

const HELP = `npm run bench:trademark -- [options]

Builds an index of an invented register, imports register files, and runs queries of every kind.

  --size N      Records (default 1,000,000; the real register has 14,000,000)
  --index DIR   Use the index in DIR, or build it there if missing, and keep it. No daily file is imported
  --daily       Also import a daily file into the index of --index; this adds records to it
  --quick       A short run: shows large regressions, not exact figures
  --no-peer     Skip SQLite (which never gets more than a million records)
  --json        Print one JSON object instead of tables

Exit code: 0 all targets met, 1 a target missed, 2 the measurement failed.
`

/** 14 million records take half an hour or more. */
const TIMEOUT_MS = 4 * 60 * 60_000
const SEED = 20260101
const MAX_PEER_RECORDS = 1_000_000

type Values = { size: string; index?: string | undefined; daily: boolean; quick: boolean; peer: boolean }

function parsePlan(values: Values): Plan {
  const size = Number(values.size)
  if (!Number.isInteger(size) || size < 100 || size > 28_000_000)
    throw new Error(`--size must be a whole number from 100 to 28000000, not ${values.size}.`)
  return {
    seed: SEED,
    size,
    index: values.index === undefined ? undefined : resolve(values.index),
    changesIndex: values.daily,
    threads: 2,
    // Real annual files have 155,000 records.
    annual: Math.min(values.quick ? 5_000 : 100_000, size),
    daily: Math.min(values.quick ? 5_000 : 40_000, size),
    queries: values.quick ? { first: 20, warm: 50 } : { first: LAWYER_QUERIES.length, warm: 500 },
    mixedSeconds: values.quick ? 2 : 15,
    peer: values.peer ? Math.min(size, MAX_PEER_RECORDS) : 0,
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      size: { type: 'string', default: '1000000' },
      index: { type: 'string' },
      daily: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      peer: { type: 'boolean', default: true },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const plan = parsePlan(values)
  const children = createChildren()
  try {
    const outcome = await measureTrademark(children, plan, showProgress)
    return printReport({
      json: values.json,
      sections: reportTrademark(outcome, plan),
      data: { plan, ...outcome },
      verdicts: judgeTrademark(outcome, plan),
    })
  } finally {
    await children.stop()
  }
}

await runAsCommand(TIMEOUT_MS, main)
