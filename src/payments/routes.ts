import { type Clock, timestamp } from '../kernel/clock.ts'
import { route, type Route } from '../kernel/endpoint.ts'
import { formatMoney, type Usd } from '../kernel/money.ts'
import { paidEcho, sandboxLedger } from './contract.ts'
import type { LedgerEntry, Ledger } from './ledger.ts'

type Needs = { readonly ledger: Pick<Ledger, 'list'>; readonly clock: Clock }

const MAX_LISTED_PAYMENTS = 100

/** Served in the sandbox only. */
export const sandboxRoutes = ({ ledger, clock }: Needs): Route[] => [
  route(paidEcho, ({ say }) => ({ said: say, at: timestamp(clock) })),
  route(sandboxLedger, async () => ({ payments: (await ledger.list(MAX_LISTED_PAYMENTS)).map(formatEntry) })),
]

const formatEntry = ({ details, state, receipt, createdAt }: LedgerEntry) => ({
  scheme: details.scheme,
  payer: details.payer,
  endpoint: details.endpoint,
  usd: formatMoney(details.micros as Usd),
  state,
  ...(receipt && { transaction: receipt.transaction }),
  at: new Date(createdAt).toISOString(),
})
