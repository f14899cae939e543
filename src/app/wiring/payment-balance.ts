import { sleep } from '../../kernel/sleep.ts'
import type { PaymentMetrics } from '../../payments/payment-metrics.ts'

const BALANCE_INTERVAL_MS = 60_000

type WatchNeeds = { readonly wait?: typeof sleep; readonly observe: PaymentMetrics; readonly ending: AbortSignal }

/** For the metrics only. A failed request keeps the last value. */
export async function watchBalance(
  fetch: () => Promise<bigint>,
  { observe, ending, wait = sleep }: WatchNeeds,
): Promise<void> {
  while (!ending.aborted) {
    const wei = await fetch().catch(() => undefined)
    if (wei !== undefined) observe.settlementKeyBalance(wei)
    await wait(BALANCE_INTERVAL_MS, ending)
  }
}
