/** Throughput and RPC requests of ENS metadata, compared with servers built on ensjs and viem. `npm run bench:ens`. */
import { parseArgs } from 'node:util'
import { createChildren } from './children.ts'
import { measureEns, type Plan } from './ens/measure.ts'
import { judgeEns, reportEns } from './ens/report.ts'
import { printReport, profileFolder, runAsCommand, showProgress } from './run.ts'

const HELP = `npm run bench:ens -- [options]

Measures metadata of ENS names, compared with small servers that do the same with ensjs and with viem. All of them use
a node that replays what a real chain answered at the start of the run.

  --quick              A short run: shows large regressions, not exact figures
  --profile FOLDER     Write CPU profiles of the service to FOLDER; slows it down
  --json               Print one JSON object instead of tables

Everything stays on loopback.
Exit code: 0 all targets met, 1 a target missed, 2 the measurement failed.
`

const TIMEOUT_MS = 20 * 60_000

const COMMON = { connections: 16, names: 64, latencyMs: 60, slowRequests: 40 }
const FULL: Plan = { ...COMMON, starts: 3, warmUpSeconds: 4, seconds: 2, rounds: 4, maxWaitSeconds: 5 }
const QUICK: Plan = { ...COMMON, starts: 1, warmUpSeconds: 2, seconds: 1, rounds: 3, maxWaitSeconds: 1 }

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
    const outcome = await measureEns(children, plan, { profile, showProgress })
    return printReport({
      json: values.json,
      sections: reportEns(outcome, plan.connections),
      data: { plan, ...outcome },
      verdicts: judgeEns(outcome),
    })
  } finally {
    await children.stop()
  }
}

await runAsCommand(TIMEOUT_MS, main)
