/**
 * How fast the metadata of ENS names is told, and how often a node is asked for it, beside the same work done with ensjs
 * and with viem. `npm run bench:ens`.
 */
import { parseArgs } from 'node:util'
import { createChildren } from './children.ts'
import { measureEns, type Plan } from './ens/measure.ts'
import { judgeEns, reportEns } from './ens/report.ts'
import { verdictLines } from './report.ts'
import { machine, profileFolder, runAsCommand, tell } from './run.ts'

const HELP = `npm run bench:ens -- [options]

Measures metadata of ENS names beside small servers that do the same with ensjs and with viem. All ask a node that
answers from memory what a real chain answered at the start of the run.

  --quick              A short run: enough to see a large mistake, too noisy for a figure
  --profile FOLDER     Leave processor profiles of the service in FOLDER; slows it down
  --json               Print one JSON object instead of tables

Everything stays on loopback.
Exit code: 0 all targets met, 1 one missed, 2 it could not be measured.
`

/** Nothing here takes as long; whatever still runs then is killed. */
const DEADLINE_MS = 20 * 60_000

const COMMON = { connections: 16, names: 64, latencyMs: 60, slowRequests: 40 }
const FULL: Plan = { ...COMMON, starts: 3, warmUpSeconds: 4, seconds: 2, rounds: 4, patienceSeconds: 5 }
const QUICK: Plan = { ...COMMON, starts: 1, warmUpSeconds: 2, seconds: 1, rounds: 3, patienceSeconds: 1 }

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      profile: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const profile = profileFolder(values.profile)
  const plan = values.quick ? QUICK : FULL
  const children = createChildren()
  try {
    const outcome = await measureEns(children, plan, { profile, tell })
    tell('')
    const verdicts = judgeEns(outcome)
    const report = values.json
      ? JSON.stringify({ machine: machine(), plan, ...outcome, verdicts }, null, 2)
      : [machine(), ...reportEns(outcome, plan.connections), verdictLines(verdicts)].join('\n\n')
    process.stdout.write(`${report}\n`)
    return verdicts.every(({ met }) => met) ? 0 : 1
  } finally {
    await children.stop()
  }
}

await runAsCommand(DEADLINE_MS, main)
