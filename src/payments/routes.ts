import { type Clock, timestamp } from '../kernel/clock.ts'
import { route, type Route } from '../kernel/endpoint.ts'
import { formatMoney, type Usd } from '../kernel/money.ts'
import { paidEcho, sandboxLedger } from './contract.ts'
import type { Entry, Ledger } from './ledger.ts'

type Needs = { readonly ledger: Pick<Ledger, 'list'>; readonly clock: Clock }

const MAX_SHOWN = 100

/** For the sandbox, and nowhere else. */
export const sandboxRoutes = ({ ledger, clock }: Needs): Route[] => [
  route(paidEcho, ({ say }) => ({ said: say, at: timestamp(clock) })),
  route(sandboxLedger, async () => ({ payments: (await ledger.list(MAX_SHOWN)).map(paymentOf) })),
]

const paymentOf = ({ about, state, receipt, createdAt }: Entry) => ({
  scheme: about.scheme,
  payer: about.payer,
  endpoint: about.endpoint,
  usd: formatMoney(about.micros as Usd),
  state,
  ...(receipt && { transaction: receipt.transaction }),
  at: new Date(createdAt).toISOString(),
})
