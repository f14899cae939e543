import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../kernel/clock.ts'
import { type Hex, PaymentRefused } from '../../scheme.ts'

const PAUSE_MS = 24 * 60 * 60 * 1000
const MAX_PAUSED = 10_000

/** Contract wallets whose payment failed after it had been accepted: each failure costs us gas or work. */
export function createContractPayers(clock: Pick<Clock, 'now'>) {
  const pausedUntil = new LRUCache<Hex, number>({ max: MAX_PAUSED })
  return {
    /** Call after a failed payment of a contract. */
    pause: (payer: Hex) => void pausedUntil.set(payer, clock.now() + PAUSE_MS),
    assertNotPaused(payer: Hex): void {
      if ((pausedUntil.get(payer) ?? 0) <= clock.now()) return
      const sentence = 'A payment of this contract wallet failed on the chain; it can pay again a day later.'
      throw new PaymentRefused('verification-failed', sentence)
    },
  }
}
