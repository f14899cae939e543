/** Entries of x402 payments in the ledger: a new payment from claim to delivery, and the recurring maintenance. */
import { openFilledLedger } from './fill-ledger.ts'
import type { Part } from './part.ts'

const BALANCE = 10n ** 12n

export const part: Part = {
  async build(size, folder) {
    const { ledger, diskBytes } = await openFilledLedger(folder, { payments: size, draws: 0 })
    const pay = async (at: number) => {
      const [key, owner] = [`x402:new:${at}`, `owner ${at}`]
      const details = { scheme: 'x402', payer: `payer${at % 1000}`, endpoint: 'paidEcho', micros: 50_000n }
      const wish = { key, fingerprint: 'f', owner, leaseMs: 60_000, details, payment: 'p', balance: BALANCE }
      const { won } = await ledger.claim(wish)
      if (!won) throw new Error('A payment could not be claimed.')
      await ledger.compute(key, owner, { status: 200, body: '{}' })
      await ledger.settle(key, owner, { transaction: `0x${at}`, headers: [] })
      await ledger.delivered(key)
    }
    return {
      operations: {
        pay,
        'look up a payment': (at) => ledger.find(`x402:absent:${at}`),
        maintain: async () => {
          await ledger.unsettled(100)
          await ledger.dueRechecks(100)
          await ledger.prune(Date.now())
        },
      },
      rounds: 100,
      diskBytes,
      close: () => ledger.close(),
    }
  },
}
