/** Sends requests made from the OpenAPI document to a service with a simulated internet. `npm run test:fuzz`. */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { fuzz, type FuzzReport, neverSucceeded } from './run.ts'

const HELP = `npm run test:fuzz -- [options]

Starts the service with a simulated internet and sends it valid, nearly valid and hostile requests, made from the OpenAPI
document that it serves. Every answer is checked against the document: status, headers and body. Some clients leave early.
At the end logs and metrics are searched for secrets and for values of the requests.

  --requests N   Number of requests (default 200000)
  --seed N       The same seed sends the same requests (default: random, printed)
  --first N      Index of the first request: with --requests 1 it repeats one
  --clients N    Concurrent clients (default 24)
  --help         Print this help

Exit code: 0 no problem, 1 a problem was found, 2 the run failed.
`

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '200000' },
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
    first: { type: 'string', default: '0' },
    clients: { type: 'string', default: '24' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
const [seed, requests, first, clients] = [values.seed, values.requests, values.first, values.clients].map(Number)
if (values.help) process.stdout.write(HELP)
else if (![seed, requests, first, clients].every(Number.isSafeInteger)) {
  process.stderr.write(`--requests, --seed, --first and --clients are whole numbers.\n\n${HELP}`)
  process.exitCode = 2
} else {
  const onProgress = (sent: number) => process.stderr.isTTY && process.stderr.write(`\r${sent} of ${requests}`)
  process.stdout.write(`Seed ${seed}; repeat with: npm run test:fuzz -- --seed ${seed} --requests ${requests}\n`)
  try {
    const report = await fuzz({ seed: seed!, requests: requests!, first: first!, clients: clients!, onProgress })
    process.stdout.write(describe(report, seed!))
    process.exitCode = report.problems.length === 0 ? 0 : 1
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 2
  }
}

function describe(report: FuzzReport, seed: number): string {
  const { sent, left, seconds, statuses, slowest, problems } = report
  const rows = [...statuses].map(([operation, counts]) => {
    const parts = [...counts].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status} × ${count}`)
    return `  ${operation.padEnd(28)} ${parts.join(', ')}`
  })
  const idle = neverSucceeded(report)
  return [
    ...rows,
    `${sent} requests in ${seconds.toFixed(1)} s (${Math.round(sent / seconds)} requests/s); ${left} clients left early; slowest answer ${slowest.ms} ms (${slowest.operation})`,
    ...(idle.length === 0 ? [] : [`Never answered with success: ${idle.join(', ')}`]),
    ...problems.map((problem) => `PROBLEM ${problem}`),
    problems.length === 0
      ? 'No problem found.'
      : `${problems.length} problems; one request: npm run test:fuzz -- --seed ${seed} --first INDEX --requests 1`,
    '',
  ].join('\n')
}
