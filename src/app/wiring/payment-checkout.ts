import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Paywall } from '../../kernel/paywall.ts'
import type { Random } from '../../kernel/random.ts'
import { sleep } from '../../kernel/sleep.ts'
import { unlessAborted } from '../../kernel/timeout.ts'
import { freePaywall } from '../../payments/free.ts'
import { createGate, type Gate } from '../../payments/gate.ts'
import type { Ledger } from '../../payments/ledger.ts'
import type { PaymentMetrics } from '../../payments/payment-metrics.ts'
import { priceOf } from '../../payments/prices.ts'
import { notReady, type WhyNotReady } from '../../payments/scheme-readiness.ts'
import type { Scheme } from '../../payments/scheme.ts'
import type { Checkout } from '../../surfaces/http/paid.ts'
import type { LedgerSlot } from './payment-ledger.ts'
import type { SimulatedMoney } from './play-money.ts'

const MAINTENANCE_INTERVAL_MS = 60_000

type Needs = {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly wait?: typeof sleep
  readonly observe: PaymentMetrics
  readonly schemesFor: (ledger: Ledger) => readonly Scheme[]
  readonly ledger: LedgerSlot
  /** Credit tokens are derived from them, the current one first. */
  readonly creditSecrets: readonly string[]
  readonly whyNoLedger: WhyNotReady
  /** Resolves soon after the start: what payments need has been checked, or that takes too long. */
  readonly checked: Promise<void>
  readonly publicUrl: string
  /** Further work on the ledger, once a minute. */
  readonly maintain?: ((ledger: Ledger, signal: AbortSignal) => Promise<void>) | undefined
  readonly simulated: SimulatedMoney | null
  readonly ending: AbortSignal
}

/** Charges nothing. The door answers only this machine and private networks. */
export const freeCheckout = (publicUrl: string): Checkout => ({
  paywall: freePaywall,
  priceOf,
  publicUrl,
  headers: ['X-Payments-Mode', 'free'],
  isFree: true,
})

/**
 * Sells as soon as the ledger is open, and keeps the ledger tidy. Until then paid endpoints answer 503; only the first
 * requests after the start wait for the checks, so that a healthy service sells from its first request on.
 */
export function openCheckout(needs: Needs): Checkout {
  const { schemesFor, whyNoLedger, publicUrl, simulated, ending, clock, random, log, wait = sleep, observe } = needs
  let gate: Gate | undefined
  let isChecked = false
  const checked = needs.checked.then(() => void (isChecked = true))
  const sell = async (): Promise<void> => {
    const ledger = observe.meterLedger(await needs.ledger.opened)
    const credit = { credits: ledger.credits, secrets: needs.creditSecrets }
    const counted = { onRefused: observe.refused, onDrawn: observe.drawn }
    gate = createGate({ schemes: schemesFor(ledger), ledger, credit, clock, random, log, wait, ...counted })
    while (!ending.aborted) {
      try {
        const settled = await gate.recover(ending)
        if (settled > 0) log.info({ settled }, 'Recovered payments that a crash had left open: they are settled.')
        const lost = await gate.recheck(ending)
        if (lost > 0) log.error({ lost }, 'The chain has dropped settled payments; see the payments report.')
        await needs.maintain?.(ledger, ending)
        await ledger.prune(clock.now())
      } catch (error) {
        if (!ending.aborted) log.warn({ error }, 'Maintenance of the payment ledger failed; it is retried in a minute.')
      }
      await wait(MAINTENANCE_INTERVAL_MS, ending)
    }
  }
  sell().catch(() => {})
  const paywall: Paywall = {
    async serve(request, prepare) {
      if (!isChecked) await unlessAborted(checked, request.signal)
      if (gate) return gate.serve(request, prepare)
      throw notReady([whyNoLedger() ?? { reason: 'Payments are being opened.', retryAfterSeconds: 1 }])
    },
    async isSigned(request) {
      if (!isChecked) await unlessAborted(checked, request.signal)
      return gate !== undefined && (await gate.isSigned(request))
    },
  }
  // A client that pays with play money needs the address of the simulated chain: no public node serves it.
  const headers = simulated ? ['X-Payments-Mode', 'simulated', 'X-Payments-Rpc', simulated.tempoUrl] : []
  return { paywall: observe.meterPaywall(paywall), priceOf, publicUrl, headers, isLocalOnly: simulated !== null }
}
