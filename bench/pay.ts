/**
 * The cost of a 402, which anybody can request for free, compared with the middlewares of the two payment protocols.
 * `npm run bench:pay`.
 */
import { parseArgs } from 'node:util'
import { type Children, createChildren } from './children.ts'
import type { MemoryPlan } from './memory.ts'
import { installPeers } from './names/install-peers.ts'
import { measureCredit } from './pay/credit.ts'
import { creditReport, judgeCredit } from './pay/credit-report.ts'
import { measureFlood, type Plan } from './pay/measure.ts'
import { floodFromManyClients } from './pay/many-clients.ts'
import { judgeOverhead, measureOverhead, overheadReport, type OverheadPlan } from './pay/overhead.ts'
import { measurePaid, type PaidPlan } from './pay/paid.ts'
import { payRatios } from './pay/ratios.ts'
import { floodReport, judgeFlood, soldReport } from './pay/report.ts'
import { memoryReport } from './report.ts'
import { memoryVerdict } from './verdicts.ts'
import { printReport, profileFolder, runAsCommand, showProgress } from './run.ts'

const HELP = `npm run bench:pay -- [options]

Floods the service with unpaid requests and compares its 402 with a plain 200 of the same service, as for the middlewares of
x402 and mppx. Then requests paid with credit beside the same requests of a free endpoint, memory under a flood, the CPU time
that a payment itself takes, and paid requests per second.

  --quick              A short run: shows large regressions only
  --no-peers           Measure Onoma only
  --no-flood           Skip the flood of unpaid requests
  --no-credit          Skip requests paid with credit
  --no-memory          Skip memory
  --no-overhead        Skip the CPU time of a payment
  --no-paid            Skip paid requests
  --only PART          Only flood, credit, memory, overhead or paid
  --profile FOLDER     Write CPU profiles of the service to FOLDER; slows it down
  --json               Print one JSON object instead of tables

The peers are installed into bench/peers on first use (npm ci).
Exit code: 0 all targets met, 1 a target missed, 2 the measurement failed.
`

/** Timeout of the whole run; processes that still run then are killed. */
const TIMEOUT_MS = 20 * 60_000

type Plans = {
  readonly flood: Plan
  readonly credit: Plan
  readonly memory: MemoryPlan
  readonly overhead: OverheadPlan
  readonly paid: PaidPlan
}
const FULL: Plans = {
  flood: { connections: 20, starts: 3, warmUpSeconds: 1.5, seconds: 0.8, turns: 3, maxWaitSeconds: 1 },
  credit: { connections: 20, starts: 1, warmUpSeconds: 1.5, seconds: 0.8, turns: 5, maxWaitSeconds: 1 },
  memory: { connections: 20, requests: 90_000, addresses: 20_000, settled: 45_000, step: 15_000 },
  overhead: { wallets: 8, rounds: 3, payments: 80, freeRequests: 400, warmUpPayments: 400 },
  paid: { wallets: 8, payments: 200 },
}
const QUICK: Plans = {
  flood: { connections: 20, starts: 1, warmUpSeconds: 1.5, seconds: 0.8, turns: 3, maxWaitSeconds: 1 },
  credit: { connections: 20, starts: 1, warmUpSeconds: 1.5, seconds: 0.8, turns: 3, maxWaitSeconds: 1 },
  memory: { connections: 20, requests: 60_000, addresses: 10_000, settled: 30_000, step: 15_000 },
  overhead: { wallets: 8, rounds: 3, payments: 40, freeRequests: 200, warmUpPayments: 120 },
  paid: { wallets: 8, payments: 80 },
}

type Options = Parts & { readonly peers: boolean; readonly profile: string | undefined }

async function measure(children: Children, plans: Plans, options: Options) {
  const how = { ...options, showProgress }
  const flood = options.flood ? await measureFlood(children, plans.flood, how) : undefined
  const credit = options.credit ? await measureCredit(children, plans.credit, how) : undefined
  const memory = options.memory ? await floodFromManyClients(children, plans.memory, showProgress) : undefined
  const overhead = options.overhead ? await measureOverhead(children, plans.overhead, how) : undefined
  const sold = options.paid ? await measurePaid(children, plans.paid, showProgress) : undefined
  return { flood, credit, memory, overhead, sold }
}

const PARTS = ['flood', 'credit', 'memory', 'overhead', 'paid'] as const
type Parts = Readonly<Record<(typeof PARTS)[number], boolean>>

function chooseParts({ only, ...values }: Parts & { readonly only?: string | undefined }): Parts {
  if (only === undefined) return values
  if (!PARTS.some((part) => part === only)) throw new Error(`--only takes one of ${PARTS.join(', ')}, not ${only}.`)
  return Object.fromEntries(PARTS.map((part) => [part, part === only])) as Parts
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
      overhead: { type: 'boolean', default: true },
      paid: { type: 'boolean', default: true },
      only: { type: 'string' },
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
  const parts = chooseParts(values)
  if (values.peers && parts.flood) await installPeers(showProgress)
  const plans = values.quick ? QUICK : FULL
  const children = createChildren()
  try {
    const outcome = await measure(children, plans, { peers: values.peers, ...parts, profile })
    const { flood, credit, memory, overhead, sold } = outcome
    return printReport({
      json: values.json,
      heading: `, ${plans.flood.connections} connections`,
      sections: [
        ...(flood ? [floodReport(flood)] : []),
        ...(credit ? [creditReport(credit)] : []),
        ...(memory ? [memoryReport(memory)] : []),
        ...(overhead ? [overheadReport(overhead)] : []),
        ...(sold ? [soldReport(sold, plans.paid.wallets)] : []),
      ],
      data: { plans, ...outcome, ratios: payRatios(outcome) },
      verdicts: [
        ...(flood ? judgeFlood(flood) : []),
        ...(credit ? judgeCredit(credit) : []),
        ...(memory ? [memoryVerdict(memory)] : []),
        ...(overhead ? judgeOverhead(overhead) : []),
      ],
    })
  } finally {
    await children.stop()
  }
}

await runAsCommand(TIMEOUT_MS, main)
