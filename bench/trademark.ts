/**
 * How fast trademarks are found: an invented register of any size is built, imported and asked, with SQLite FTS5 on the
 * same records beside it. `npm run bench:trademark`.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createChildren } from './children.ts'
import { verdictLines } from './report.ts'
import { machine, runAsCommand, tell } from './run.ts'
import { measureTrademark, type Plan } from './trademark/measure.ts'
import { judgeTrademark, reportTrademark } from './trademark/report.ts'

const HELP = `npm run bench:trademark -- [options]

Builds an index of an invented register, imports files of it, and asks questions of every kind.

  --size N      Records (default 1,000,000; the real register has 14,000,000)
  --index DIR   Use the index in DIR; where there is none yet, build it there and leave it. No daily file is imported
  --daily       Import a daily file into the index of --index, too. This changes it: it has more records afterwards
  --quick       A short run: enough to see a large mistake, too noisy for a figure
  --no-peer     Without SQLite beside it (which is never given more than a million records)
  --json        Print one JSON object instead of tables

Exit code: 0 all targets met, 1 one missed, 2 it could not be measured.
`

/** 14 million records take half an hour and more; whatever still runs then is killed. */
const DEADLINE_MS = 4 * 60 * 60_000
const SEED = 20260101
const LARGEST_PEER = 1_000_000

type Values = { size: string; index?: string | undefined; daily: boolean; quick: boolean; peer: boolean }

function planOf(values: Values): Plan {
  const size = Number(values.size)
  if (!Number.isInteger(size) || size < 100 || size > 28_000_000)
    throw new Error(`--size must be a whole number from 100 to 28000000, not ${values.size}.`)
  return {
    seed: SEED,
    size,
    index: values.index === undefined ? undefined : resolve(values.index),
    changesIndex: values.daily,
    threads: 2,
    // The register's own files have 155,000.
    annual: Math.min(values.quick ? 5_000 : 100_000, size),
    daily: Math.min(values.quick ? 5_000 : 40_000, size),
    ask: values.quick ? { first: 20, warm: 50 } : { first: 100, warm: 500 },
    mixedSeconds: values.quick ? 2 : 15,
    peer: values.peer ? Math.min(size, LARGEST_PEER) : 0,
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
  const plan = planOf(values)
  const children = createChildren()
  try {
    const outcome = await measureTrademark(children, plan, tell)
    tell('')
    const verdicts = judgeTrademark(outcome, plan)
    const report = values.json
      ? JSON.stringify({ machine: machine(), plan, ...outcome, verdicts }, null, 2)
      : [machine(), ...reportTrademark(outcome, plan), verdictLines(verdicts)].join('\n\n')
    process.stdout.write(`${report}\n`)
    return verdicts.every(({ met }) => met) ? 0 : 1
  } finally {
    await children.stop()
  }
}

await runAsCommand(DEADLINE_MS, main)
