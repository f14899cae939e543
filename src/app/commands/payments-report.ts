import { join } from 'node:path'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { formatMoney, type Usd } from '../../kernel/money.ts'
import { CREDIT_ENDPOINT } from '../../payments/credit.ts'
import {
  readOutstandingCredit,
  readPayments,
  type ReportedPayment,
  type ReportRange,
} from '../../payments/sources/sqlite/report.ts'
import { UsageError } from '../../surfaces/cli/arguments.ts'
import { formatResult, type Output } from '../../surfaces/cli/output.ts'
import type { Config } from '../settings/config.ts'

export const PAYMENTS_REPORT_HELP = `Usage: onoma payments report [--from DAY] [--to DAY] [--csv]

Shows the payments in the ledger: totals by rail, endpoint and state, or with --csv one line for each payment. A transaction
of the settlement key that cost gas and settled no payment (it failed, or replaced a stuck one) has a line of its own.

  --from DAY   First day, YYYY-MM-DD in UTC; without it from the beginning
  --to DAY     Last day, included
  --csv        time, endpoint, rail, amount_usd, transaction, gas_wei, state

A payment counts on the day it was settled. States: settled; claimed or computed (not, or not known to be, paid); owed (paid
by the client itself, and not answered yet); lost (the chain dropped it); gas (a transaction that settled no payment).
Requests paid with credit have the rail credit and the state drawn, or reserved while they are answered: their money arrived
with the purchase of the credit (endpoint buyCredit).
gas_wei is empty where the ledger does not have it: for MPP, where the payer pays it, and with a facilitator. All gas_wei add
up to what the settlement key has spent. The payer is not shown. The service may run meanwhile.

The ledger is payments.sqlite in ONOMA_DATA_DIR.
`

export type ReportOptions = ReportRange & { readonly csv: boolean }

const DAY_MS = 24 * 60 * 60 * 1000
/** Lines per write. */
const BATCH_SIZE = 1_000

export function parseReportOptions(argv: readonly string[]): ReportOptions {
  try {
    const options = {
      from: { type: 'string' },
      to: { type: 'string' },
      csv: { type: 'boolean', default: false },
    } as const
    const { values } = parseArgs({ args: [...argv], options })
    const from = values.from === undefined ? 0 : parseDay('--from', values.from)
    const to = values.to === undefined ? Number.MAX_SAFE_INTEGER : parseDay('--to', values.to) + DAY_MS
    if (from >= to) throw new Error('--from is later than --to.')
    return { from, to, csv: values.csv }
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${PAYMENTS_REPORT_HELP}`)
  }
}

function parseDay(option: string, text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN
  // Date.parse accepts 2026-02-30 as the second of March.
  if (!Number.isFinite(time) || new Date(time).toISOString().slice(0, 10) !== text)
    throw new Error(`${option} must be a day like 2026-11-15.`)
  return time
}

type Needs = { readonly config: Pick<Config, 'dataDir'>; readonly stdout: Output; readonly stderr: Output }

export async function reportPayments({ csv, ...range }: ReportOptions, needs: Needs): Promise<boolean> {
  const { config, stdout, stderr } = needs
  const totals = new Map<string, Total>()
  const lines: string[] = csv ? [COLUMNS.join(',')] : []
  const flush = () => {
    if (lines.length > 0) stdout.write(`${lines.join('\r\n')}\r\n`)
    lines.length = 0
  }
  const path = join(config.dataDir, 'payments.sqlite')
  let outstanding = 0n
  try {
    for (const payment of readPayments(path, range)) {
      add(totals, payment)
      if (csv && lines.push(formatLine(payment)) >= BATCH_SIZE) flush()
    }
    outstanding = readOutstandingCredit(path)
  } catch (error) {
    stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return false
  }
  flush()
  if (!csv) stdout.write(formatTotals(totals, needs))
  const all = [...totals.values()]
  const settled = all.filter(({ state }) => state === 'settled')
  stderr.write(`${formatSum(all)}\n`)
  const bought = settled.filter(({ endpoint }) => endpoint === CREDIT_ENDPOINT)
  const drawn = all.filter(({ state }) => state === 'drawn')
  if (bought.length + drawn.length > 0 || outstanding > 0n) {
    const [sold, out, left] = [sumOf(bought), sumOf(drawn), outstanding].map((micros) => formatMoney(micros as Usd))
    stderr.write(`Credit: $${sold} of this bought it, $${out} was drawn. $${left} is not spent now.\n`)
  }
  return true
}

const sumOf = (totals: readonly Total[]): bigint => totals.reduce((sum, { micros }) => sum + micros, 0n)

const COLUMNS = ['time', 'endpoint', 'rail', 'amount_usd', 'transaction', 'gas_wei', 'state'] as const

/** No value needs quotes: they are names, numbers and hashes of our own. */
const formatLine = ({ time, endpoint, rail, micros, transaction, gasWei, state }: ReportedPayment): string =>
  [
    new Date(time).toISOString(),
    endpoint,
    rail,
    formatMoney(micros as Usd),
    transaction ?? '',
    gasWei ?? '',
    state,
  ].join()

type Total = {
  readonly rail: string
  readonly endpoint: string
  readonly state: string
  payments: number
  micros: bigint
  gasWei: bigint
  /** Settled with our key, as far as the ledger knows, and without a known cost. */
  withoutGas: number
}

function add(totals: Map<string, Total>, { rail, endpoint, state, micros, gasWei }: ReportedPayment): void {
  const key = [rail, endpoint, state].join()
  const total = totals.get(key) ?? { rail, endpoint, state, payments: 0, micros: 0n, gasWei: 0n, withoutGas: 0 }
  total.payments++
  total.micros += micros
  total.gasWei += BigInt(gasWei ?? 0)
  if (gasWei === null && rail === 'x402' && state === 'settled') total.withoutGas++
  totals.set(key, total)
}

const SCHEMA = z.object({ totals: z.array(z.looseObject({})) })

function formatTotals(totals: ReadonlyMap<string, Total>, { stdout, stderr }: Needs): string {
  const rows = [...totals.values()].map(({ rail, endpoint, state, payments, micros, gasWei }) => ({
    rail,
    endpoint,
    state,
    payments,
    usd: formatMoney(micros as Usd),
    gas_wei: String(gasWei),
  }))
  const io = { stdout, stderr, env: {}, signal: new AbortController().signal }
  return rows.length === 0 ? '' : formatResult({ totals: rows }, SCHEMA, { format: 'human', color: false }, io)
}

function formatSum(totals: readonly Total[]): string {
  const sum = (read: (total: Total) => bigint, among = totals) => among.reduce((all, one) => all + read(one), 0n)
  const of = (wanted: string) => totals.filter(({ state }) => state === wanted)
  const count = sum(({ payments }) => BigInt(payments), of('settled'))
  const usd = formatMoney(sum(({ micros }) => micros, of('settled')) as Usd)
  const [gas, wasted] = [sum(({ gasWei }) => gasWei), sum(({ gasWei }) => gasWei, of('gas'))]
  const unknown = sum(({ withoutGas }) => BigInt(withoutGas))
  return [
    `${count} ${count === 1n ? 'payment' : 'payments'} settled, $${usd}.`,
    gas > 0n && `Gas: ${gas} wei${wasted > 0n ? `, ${wasted} of them for transactions that settled nothing` : ''}.`,
    unknown > 0n && `The gas of ${unknown} x402 ${unknown === 1n ? 'payment' : 'payments'} is not in the ledger.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(' ')
}
