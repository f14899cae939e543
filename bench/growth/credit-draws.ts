/** Draws on one credit in the ledger. */
import { openFilledLedger } from './fill-ledger.ts'
import type { Part } from './part.ts'

export const part: Part = {
  async build(size, folder) {
    const { ledger, tokenHash, diskBytes } = await openFilledLedger(folder, { payments: 0, draws: size })
    const { credits } = ledger
    const draw = async (at: number) => {
      const owner = `${String(Date.now()).padStart(13, '0')}-${at}`
      const wish = { tokenHash, fingerprint: '', owner, leaseMs: 60_000, endpoint: 'paidEcho', micros: 50_000n }
      const { drawn } = await credits.draw(wish)
      if (!drawn) throw new Error('Nothing could be drawn.')
      await credits.confirm(owner)
    }
    return {
      operations: { draw, 'sum of what is not spent': () => credits.outstanding() },
      rounds: 200,
      diskBytes,
      close: () => ledger.close(),
    }
  },
}
