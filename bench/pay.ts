/**
 * The cost of a 402, which anybody can request for free, compared with the middlewares of the two payment protocols.
 * `npm run bench:pay`.
 */
import { parseArgs } from 'node:util'
import { type Children, createChildren } from './children.ts'
import { measureMemory, type MemoryPlan } from './memory.ts'
import { installPeers } from './names/install-peers.ts'
import { measureCredit } from './pay/credit.ts'
import { creditReport, judgeCredit } from './pay/credit-report.ts'
import { PAID, startOnoma } from './pay/contestants.ts'
import { measureFlood, type Plan, startLoad } from './pay/measure.ts'
import { measurePaid, type PaidPlan } from './pay/paid.ts'
import { floodReport, judgeFlood, soldReport } from './pay/report.ts'
import { memoryReport, verdictLines } from './report.ts'
import { memoryVerdict } from './verdicts.ts'
import { machine, profileFolder, runAsCommand, showProgress } from './run.ts'

const HELP = `npm run bench:pay -- [options]

Floods the service with unpaid requests and compares its 402 with a plain 200 of the same service, as for the middlewares of
x402 and mppx. Then requests paid with credit beside the same requests of a free endpoint, memory under a flood, and paid
requests per second.

  --quick              A short run: shows large regressions only
  --no-peers           Measure Onoma only
  --no-flood           Skip the flood of unpaid requests
  --no-credit          Skip requests paid with credit
  --no-memory          Skip memory
  --no-paid            Skip paid requests
  --profile FOLDER     Write CPU profiles of the service to FOLDER; slows it down
  --json               Print one JSON object instead of tables

The peers are installed into bench/peers on first use (npm ci).
Exit code: 0 all targets met, 1 a target missed, 2 the measurement failed.
`

/** Timeout of the whole run; processes that still run then are killed. */
const TIMEOUT_MS = 20 * 60_000

type Plans = { readonly flood: Plan; readonly memory: MemoryPlan; readonly paid: PaidPlan }
const FULL: Plans = {
  flood: { connections: 20, starts: 3, warmUpSeconds: 3, seconds: 1.5, turns: 4, maxWaitSeconds: 4 },
  memory: { connections: 20, requests: 300_000, addresses: 50_000, settled: 100_000, step: 50_000 },
  paid: { wallets: 8, payments: 400 },
}
const QUICK: Plans = {
  flood: { connections: 20, starts: 1, warmUpSeconds: 2, seconds: 1, turns: 3, maxWaitSeconds: 1 },
  memory: { connections: 20, requests: 60_000, addresses: 10_000, settled: 30_000, step: 15_000 },
  paid: { wallets: 8, payments: 80 },
}

type Options = {
  readonly peers: boolean
  readonly flood: boolean
  readonly credit: boolean
  readonly memory: boolean
  readonly paid: boolean
  readonly profile: string | undefined
}

async function measure(children: Children, plans: Plans, options: Options, showProgress: (what: string) => void) {
  const flood = options.flood ? await measureFlood(children, plans.flood, { ...options, showProgress }) : undefined
  const credit = options.credit ? await measureCredit(children, plans.flood, { ...options, showProgress }) : undefined
  const memory = options.memory ? await floodForLong(children, plans.memory, showProgress) : undefined
  const sold = options.paid ? await measurePaid(children, plans.paid, showProgress) : undefined
  return { flood, credit, memory, sold }
}

/** Every request has its own client address and target, so any state kept per request would add up. */
async function floodForLong(children: Children, plan: MemoryPlan, showProgress: (what: string) => void) {
  const onoma = await startOnoma(children, undefined)
  const target = PAID.replace(/\d+$/, '{n}')
  const load = startLoad(children, { target, status: 402, clients: plan.addresses })
  const memory = await measureMemory(load, onoma.paid, plan, showProgress)
  await Promise.all([onoma.child.stop(), load.stop()])
  return memory
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      quick: { type: 'boolean', default: false },
      peers: { type: 'boolean', default: true },
      flood: { type: 'boolean', default: true },
      credit: { type: 'boolean', default: true },
      memory: { type: 'boolean', default: true },
      paid: { type: 'boolean', default: true },
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
  if (values.peers && values.flood) await installPeers(showProgress)
  const plans = values.quick ? QUICK : FULL
  const children = createChildren()
  try {
    const { flood, credit, memory, sold } = await measure(children, plans, { ...values, profile }, showProgress)
    showProgress('')
    const verdicts = [
      ...(flood ? judgeFlood(flood) : []),
      ...(credit ? judgeCredit(credit) : []),
      ...(memory ? [memoryVerdict(memory)] : []),
    ]
    const report = values.json
      ? JSON.stringify({ machine: machine(), plans, flood, credit, memory, sold, verdicts }, null, 2)
      : [
          `${machine()}, ${plans.flood.connections} connections`,
          ...(flood ? [floodReport(flood)] : []),
          ...(credit ? [creditReport(credit)] : []),
          ...(memory ? [memoryReport(memory)] : []),
          ...(sold ? [soldReport(sold, plans.paid.wallets)] : []),
          verdictLines(verdicts),
        ].join('\n\n')
    process.stdout.write(`${report}\n`)
    return verdicts.every(({ met }) => met) ? 0 : 1
  } finally {
    await children.stop()
  }
}

await runAsCommand(TIMEOUT_MS, main)
