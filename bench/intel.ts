/** How fast pages are captured, and how much captures slow down another endpoint. `npm run bench:intel`. */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { createChildren } from './children.ts'
import { measureIntel, type Plan } from './intel/measure.ts'
import { intelReport, judgeIntel } from './intel/report.ts'
import { printReport, runAsCommand, showProgress } from './run.ts'

const HELP = `npm run bench:intel -- [options]

Captures a small local page with one, two and four visits in flight, compared with playwright driving the same browser
without proxy, queue or checks. Then saturates another endpoint of the service, without and with captures.

  --quick     A short run: shows large regressions, not exact figures
  --json      Print one JSON object instead of tables

Needs a Chromium on PATH, or in ONOMA_CHROMIUM.
Exit code: 0 all targets met, 1 a target missed, 2 the measurement failed.
`

const TIMEOUT_MS = 15 * 60_000
const FULL: Plan = { inFlight: [1, 2, 4], warmUpSeconds: 5, seconds: 10, turns: 3, connections: 32, apiSeconds: 6 }
const QUICK: Plan = { inFlight: [1, 2, 4], warmUpSeconds: 2, seconds: 4, turns: 1, connections: 32, apiSeconds: 3 }

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
  const children = createChildren()
  try {
    const outcome = await measureIntel(children, plan, { concurrent: availableParallelism(), showProgress })
    return printReport({
      json: values.json,
      sections: [intelReport(outcome)],
      data: { plan, ...outcome },
      verdicts: judgeIntel(outcome),
    })
  } finally {
    await children.stop()
  }
}

await runAsCommand(TIMEOUT_MS, main)
