/** How fast pages are captured, and what the rest of the service feels of it. `npm run bench:intel`. */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { createChildren } from './children.ts'
import { measureIntel, type Plan } from './intel/measure.ts'
import { intelReport, judgeIntel } from './intel/report.ts'
import { verdictLines } from './report.ts'
import { machine, runAsCommand, tell } from './run.ts'

const HELP = `npm run bench:intel -- [options]

Captures a small page on this machine with one, two and four visits in flight, beside playwright that drives the same
browser without proxy, queue or checks. Then saturates another endpoint of the service, alone and beside captures.

  --quick     A short run: enough to see a large mistake, too noisy for a figure
  --json      Print one JSON object instead of tables

Needs a Chromium on PATH, or in ONOMA_CHROMIUM.
Exit code: 0 all targets met, 1 one missed, 2 it could not be measured.
`

/** Nothing here takes as long; whatever still runs then is killed. */
const DEADLINE_MS = 15 * 60_000
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
    const outcome = await measureIntel(children, plan, { concurrent: availableParallelism(), tell })
    tell('')
    const verdicts = judgeIntel(outcome)
    const report = values.json
      ? JSON.stringify({ machine: machine(), plan, ...outcome, verdicts }, null, 2)
      : `${machine()}\n\n${intelReport(outcome)}\n\n${verdictLines(verdicts)}`
    process.stdout.write(`${report}\n`)
    return verdicts.every(({ met }) => met) ? 0 : 1
  } finally {
    await children.stop()
  }
}

await runAsCommand(DEADLINE_MS, main)
