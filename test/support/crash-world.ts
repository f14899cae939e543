import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { manualClock } from '../../src/kernel/clock.ts'
import { startPaidChains } from './paid-chains.ts'
import { type PaidProcess, startPaidProcess } from './paid-processes.ts'
import type { ServerPlan } from './paid-server.ts'
import type { PaymentHeaders } from './paid-wallets.ts'

export const NOW = Date.UTC(2026, 10, 15, 12)

export type CrashWorld = Awaited<ReturnType<typeof startCrashWorld>>

/** Both chains, and processes that share one ledger: for tests that kill one of them. */
export async function startCrashWorld() {
  const clock = manualClock(NOW)
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-crash-'))
  const chains = await startPaidChains(clock)
  const running = new Set<PaidProcess>()
  return {
    clock,
    folder,
    chains,
    async start(plan: Partial<ServerPlan> = {}): Promise<PaidProcess> {
      const shop = await startPaidProcess({ folder, urls: chains.urls, now: NOW, ledgerNow: NOW, waitMs: 2, ...plan })
      running.add(shop)
      return shop
    },
    /** Sends the requests, and kills the process when it holds all of them. */
    async killWhileHeld(
      shop: PaidProcess,
      requests: readonly { readonly path: string; readonly headers: PaymentHeaders }[],
    ): Promise<void> {
      const replies = Promise.allSettled(requests.map(({ path, headers }) => shop.get(path, headers)))
      await shop.held(requests.length)
      await shop.kill()
      await replies
    },
    async stop(): Promise<void> {
      await Promise.all([...running].map((shop) => shop.kill()))
      await chains.stop()
      rmSync(folder, { recursive: true })
    },
  }
}
