import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Clock, systemClock } from '../../kernel/clock.ts'
import { secureRandom } from '../../kernel/random.ts'
import { sqliteLedger } from '../../payments/sources/sqlite-ledger.ts'
import type { Output } from '../../surfaces/cli/output.ts'
import type { Config } from '../settings/config.ts'
import { createOutbound, type Outbound } from '../wiring/outbound.ts'
import { checkLivePayments, type PaymentCheck } from '../wiring/payments.ts'

export const PAYMENTS_CHECK_HELP = `Usage: onoma payments check

Checks whether real payments can be taken with the current settings: recipient, nodes, settlement key and its gas, or the
facilitator, and the ledger. The same is checked when the service starts. Prints what is wrong and what to do about it.
Takes no payment and sends no transaction.

The exit code is 0 if everything is ready and 1 if something is not.
`

type Needs = {
  readonly config: Config
  readonly output: Output
  readonly clock?: Clock
  /** How nodes are reached; a test replaces it. */
  readonly outbound?: Outbound | undefined
}

const log = { debug() {}, info() {}, warn() {}, error() {} }

/** Returns whether real payments can be taken. */
export async function checkPayments({ config, output, clock = systemClock, outbound }: Needs): Promise<boolean> {
  const say = (line: string) => void output.write(`${line}\n`)
  const { mode } = config.payments
  if (mode !== 'live') {
    say(`Payments are ${mode}: ${mode === 'free' ? 'ONOMA_PAYMENTS says so' : 'no payment setting is set'}.`)
    say('Set ONOMA_PAY_TO, and ONOMA_X402_RPC_URLS or ONOMA_MPP_RPC_URLS or both.')
    return false
  }
  const checks = await findPaymentProblems({ config, clock, outbound })
  for (const { part, problems } of checks) {
    say(`${part}: ${problems.length === 0 ? 'ready' : 'not ready'}`)
    for (const problem of problems) say(`  ${problem}`)
  }
  for (const note of notesOn(config)) say(`note: ${note}`)
  return checks.every(({ problems }) => problems.length === 0)
}

/** What keeps real payments from working, by part. */
export async function findPaymentProblems({
  config,
  clock = systemClock,
  outbound,
}: Omit<Needs, 'output'>): Promise<readonly PaymentCheck[]> {
  // The key file is not created here: it might belong to another user than that of the service.
  const withKeys = config.keys ? config : { ...config, keys: ['0'.repeat(64)] }
  const needs = { config: withKeys, clock, random: secureRandom, log }
  const found = await checkLivePayments({ ...needs, outbound: outbound ?? createOutbound({ config, clock, log }) })
  return [{ part: 'ledger', problems: checkLedger(config.dataDir, clock) }, ...found]
}

/** A missing ledger is not created: the service does that, as its own user. */
function checkLedger(folder: string, clock: Clock): string[] {
  try {
    if (existsSync(join(folder, 'payments.sqlite'))) sqliteLedger({ folder, clock }).close()
    else accessSync(closestFolder(resolve(folder)), constants.W_OK)
    return []
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return ['code' in (error as object) ? `The folder ${folder} cannot be written; see ONOMA_DATA_DIR.` : message]
  }
}

/** The folder itself, or the first one above it that exists. */
const closestFolder = (path: string): string => (existsSync(path) ? path : closestFolder(dirname(path)))

function notesOn({ publicUrl, keys, payments }: Config): string[] {
  const { protocol, hostname } = new URL(publicUrl)
  const isPrivate = protocol !== 'https:' || hostname === 'localhost' || hostname.startsWith('127.')
  return [
    ...(isPrivate ? [`ONOMA_PUBLIC_URL is not an https URL; clients would be told ${publicUrl}.`] : []),
    ...(keys === null && payments.mpp.rpcUrls !== null
      ? ['ONOMA_KEYS is not set; the key in ONOMA_DATA_DIR signs challenges, and several instances need the same one.']
      : []),
  ]
}
