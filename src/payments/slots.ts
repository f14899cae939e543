import { type Payment, PaymentRefused } from './scheme.ts'

/** Runs work while its payment holds its slot; other payments of the slot are refused meanwhile. */
export type Slots = {
  hold<T>(payment: Pick<Payment, 'slot' | 'key'>, work: () => Promise<T>): Promise<T>
}

/** Within one process. Copies of one payment share its slot. */
export function createSlots(): Slots {
  const holders = new Map<string, { readonly key: string; copies: number }>()
  return {
    async hold({ slot, key }, work) {
      if (slot === undefined) return work()
      const holder = holders.get(slot) ?? { key, copies: 0 }
      if (holder.key !== key) {
        const sentence = 'Another payment with the same nonce is being worked on; sign a new one when it is done.'
        throw new PaymentRefused('verification-failed', sentence)
      }
      holder.copies++
      holders.set(slot, holder)
      try {
        return await work()
      } finally {
        if (--holder.copies === 0) holders.delete(slot)
      }
    },
  }
}
