import { type Clock, systemClock } from '../../kernel/clock.ts'
import { UsageError } from '../../surfaces/cli/arguments.ts'
import type { Output } from '../../surfaces/cli/output.ts'
import { composeRoutes } from '../compose.ts'
import { checkPart, type Part, type PartState } from '../readiness.ts'
import type { Config } from '../settings/config.ts'
import { LEDGER_ADVICE } from '../wiring/parts.ts'
import { findPaymentProblems } from './payments-check.ts'

export const DOCTOR_HELP = `Usage: onoma doctor [--json]

Checks every part of the service with the current settings: disk, keys, auctions, sales, trademark index, browser, what this network
lets through (resolvers, HTTPS and proxy, name servers), Ethereum nodes and, if real payments are configured, the ledger and the nodes
of payments. GET /ready of a running service reports the same parts. Says for each part that fails what to do. Deletes nothing.

  --json   Print one JSON object

The exit code is 0 if every part works or is off, and 1 if one fails.
`

type Options = { readonly json: boolean }

export function parseDoctorOptions(argv: readonly string[]): Options {
  const unknown = argv.find((argument) => argument !== '--json')
  if (unknown !== undefined) throw new UsageError(`doctor has no argument ${unknown}.\n\n${DOCTOR_HELP}`)
  return { json: argv.includes('--json') }
}

type Needs = { readonly config: Config; readonly output: Output; readonly clock?: Clock }

/** Generous: a person waits for it, and an answer after some seconds says more than none. */
const CHECK_TIMEOUT_MS = 6_000

type Finding = { readonly part: string } & PartState

/** Returns whether no part fails. */
export async function examine({ json }: Options, { config, output, clock = systemClock }: Needs): Promise<boolean> {
  const capabilities = composeRoutes(config, { clock })
  let findings: readonly Finding[]
  try {
    findings = (await Promise.all([examineParts(capabilities.parts), examinePayments(config, clock)])).flat()
  } finally {
    await capabilities.close()
  }
  const isHealthy = findings.every(({ status }) => status !== 'failed')
  if (json) output.write(`${JSON.stringify({ healthy: isHealthy, parts: findings })}\n`)
  else for (const finding of findings) output.write(format(finding))
  return isHealthy
}

const examineParts = (parts: readonly Part[]): Promise<Finding[]> =>
  Promise.all(parts.map(async (part) => ({ part: part.name, ...(await checkPart(part, CHECK_TIMEOUT_MS)) })))

async function examinePayments(config: Config, clock: Clock): Promise<Finding[]> {
  const { mode } = config.payments
  if (mode !== 'live') return [{ part: 'payments', status: 'off', reason: `Payments are ${mode}.` }]
  const checks = await findPaymentProblems({ config, clock })
  return checks.map(({ part, problems }) => {
    if (problems.length === 0) return { part, status: 'ok' }
    const advice = part === 'ledger' ? LEDGER_ADVICE : '`onoma payments check` has further notes.'
    return { part, status: 'failed', reason: problems.join(' '), advice }
  })
}

const NAME_WIDTH = 14

function format(finding: Finding): string {
  const line = `${finding.status.padEnd(8)}${finding.part.padEnd(NAME_WIDTH)}`
  switch (finding.status) {
    case 'ok':
      return `${(line + (finding.note ?? '')).trimEnd()}\n`
    case 'off':
      return `${line}${finding.reason}\n`
    case 'failed':
      return `${line}${finding.reason}\n${' '.repeat(8 + NAME_WIDTH)}${finding.advice}\n`
  }
}
