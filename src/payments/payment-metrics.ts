import { LRUCache } from 'lru-cache'
import type { Clock } from '../kernel/clock.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { Paywall } from '../kernel/paywall.ts'
import type { Usd } from '../kernel/money.ts'
import type { CreditStore } from './credit.ts'
import type { Ledger, PaymentDetails } from './ledger.ts'
import type { PaymentProblem, RequestHeaders } from './scheme.ts'

/** What an operator sees of payments. No label names a payer. */
export type PaymentMetrics = {
  /** Counts what the ledger records as settled, by a request or by recovery. */
  meterLedger<L extends Ledger & { readonly credits: CreditStore }>(ledger: L): L
  /** Counts requests with a payment while they are served. */
  meterPaywall(paywall: Paywall): Paywall
  refused(problem: PaymentProblem): void
  /** One answer that was paid with credit. */
  drawn(endpoint: string, price: Usd): void
  /** Gas of one mined transaction of the settlement key, successful or not. */
  gasSpent(wei: bigint): void
  settlementKeyBalance(wei: bigint): void
}

type Needs = {
  readonly metrics: Pick<Metrics, 'counter' | 'gauge' | 'gaugeBy'>
  readonly clock: Clock
  /** 1 for each part of payments that can be used, 0 for each that cannot. */
  readonly readiness: () => Readonly<Record<string, number>>
  /** Whether this instance pays for gas itself. */
  readonly hasSettlementKey: boolean
}

const MICROS_PER_USD = 1_000_000
const WEI_PER_ETHER = 1e18
const MAX_CLAIMED = 1_000
/** More are counted as this many. */
const MAX_UNSETTLED = 1_000

export function createPaymentMetrics({ metrics, clock, readiness, hasSettlementKey }: Needs): PaymentMetrics {
  const labels = ['endpoint', 'rail'] as const
  const sold = metrics.counter('onoma_payments_sold_total', 'Payments settled, by endpoint and rail', labels)
  const revenue = metrics.counter('onoma_payments_revenue_usd_total', 'US dollars of settled payments', labels)
  const refused = metrics.counter('onoma_payments_refused_total', 'Payments refused with 402, by reason', ['reason'])
  let inFlight = 0
  metrics.gauge('onoma_payments_in_flight', 'Requests with a payment that are being served', () => inFlight)
  metrics.gaugeBy('onoma_payments_ready', '1 if this part of payments can be used, else 0', 'part', readiness)

  const drawn = metrics.counter('onoma_payments_drawn_total', 'Answers paid with credit, by endpoint', ['endpoint'])
  const drawnUsd = metrics.counter('onoma_payments_drawn_usd_total', 'US dollars drawn from credit', ['endpoint'])
  let ledger: (Ledger & { readonly credits: CreditStore }) | undefined
  metrics.gauge('onoma_payments_credit_outstanding_usd', 'US dollars of credit bought and not spent', async () => {
    const micros = await ledger?.credits.outstanding().catch(() => undefined)
    return micros === undefined ? NaN : Number(micros) / MICROS_PER_USD
  })
  const unsettled = async () => {
    try {
      return await ledger?.unsettled(MAX_UNSETTLED)
    } catch {
      // The ledger cannot be read: unknown, and no reason to lose the other metrics.
      return undefined
    }
  }
  metrics.gauge(
    'onoma_payments_unsettled',
    'Payments with a saved answer whose outcome is open',
    async () => (await unsettled())?.length ?? NaN,
  )
  metrics.gauge(
    'onoma_payments_oldest_unsettled_seconds',
    'Age of the oldest payment with an open outcome',
    async () => {
      const entries = await unsettled()
      if (!entries) return NaN
      return Math.max(0, ...entries.map(({ createdAt }) => (clock.now() - createdAt) / 1000))
    },
  )

  let balanceWei: bigint | undefined
  let addGas = (_ether: number) => {}
  if (hasSettlementKey) {
    const gas = metrics.counter('onoma_payments_gas_ether_total', 'Ether spent on gas by the settlement key', [])
    addGas = (ether) => gas({}, ether)
    metrics.gauge('onoma_payments_settlement_key_ether', 'Ether of the settlement key on Base', () =>
      balanceWei === undefined ? NaN : Number(balanceWei) / WEI_PER_ETHER,
    )
  }

  return {
    meterLedger(inner) {
      ledger = inner
      /** Of payments that were claimed here and are being worked on: what they cost need not be read again. */
      const claimed = new LRUCache<string, PaymentDetails>({ max: MAX_CLAIMED })
      const claim: Ledger['claim'] = async (wish) => {
        const result = await inner.claim(wish)
        // An earlier owner may have saved other details with the answer.
        if (result.won && !result.answer) claimed.set(wish.key, wish.details)
        return result
      }
      const settle: Ledger['settle'] = async (key, ...rest) => {
        const isSettled = await inner.settle(key, ...rest)
        const known = claimed.get(key)
        claimed.delete(key)
        const details = isSettled ? (known ?? (await inner.find(key).catch(() => undefined))?.details) : undefined
        if (details) {
          const values = { endpoint: details.endpoint, rail: details.scheme }
          sold(values)
          revenue(values, Number(details.micros) / MICROS_PER_USD)
        }
        return isSettled
      }
      return { ...inner, claim, settle }
    },
    meterPaywall: (paywall) => ({
      ...paywall,
      // Not async: a 402 is free for everybody and must cost little.
      serve(request, prepare) {
        const answer = paywall.serve(request, prepare)
        if (!hasValue(request.headers)) return answer
        inFlight++
        return answer.finally(() => inFlight--)
      },
    }),
    refused: (reason) => refused({ reason }),
    drawn(endpoint, price) {
      drawn({ endpoint })
      drawnUsd({ endpoint }, Number(price) / MICROS_PER_USD)
    },
    gasSpent: (wei) => addGas(Number(wei) / WEI_PER_ETHER),
    settlementKeyBalance(wei) {
      balanceWei = wei
    },
  }
}

function hasValue(headers: RequestHeaders): boolean {
  for (const name in headers) if (headers[name] !== undefined) return true
  return false
}
