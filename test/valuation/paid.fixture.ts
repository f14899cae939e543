import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { loadCatalogue } from '../../src/tlds/catalogue.ts'
import { createDescriber } from '../../src/valuation/describe.ts'
import { valuationRoutes } from '../../src/valuation/routes.ts'
import { createValuations } from '../../src/valuation/service.ts'
import { bundledAppraiser, bundledWords } from '../../src/valuation/sources/bundled.ts'
import { openSalesBook } from '../../src/valuation/sources/sales-book.ts'
import { starterSales } from '../../src/valuation/sources/starter.ts'
import type { Reply } from '../support/door.ts'
import { startPaidRoutes } from '../support/paid-routes.ts'
import { fromBase64, fundedWallet, PAYERS } from '../support/paid-wallets.ts'

export type ValuationReply = {
  domain: string
  tier: string
  estimate: { low: number; mid: number; high: number; currency: string }
  confidence: number
  factors: string[]
  timestamp: string
  explanation?: string
  comparables?: { domain: string; sale_price: number; sale_date: string; source: string }[]
  key_factors?: Record<string, unknown>
}

export const refusal = ({ status, body }: Reply) => [status, (body as { error: string }).error]

/** The prices in the challenges of both protocols, in millionths of a dollar. */
export function pricesOf({ headers }: Reply): string[] {
  const { accepts } = fromBase64(headers.get('payment-required')!) as { accepts: { amount: string }[] }
  const [, request] = /request="([^"]+)"/.exec(headers.get('www-authenticate')!)!
  return [accepts[0]!.amount, (fromBase64(request!) as { amount: string }).amount]
}

export const payer = PAYERS[0]![1]

/** The valuation endpoints over HTTP with payments, the bundled model and a folder for imported sales; for all tests of a file. */
export async function startValuationDoor() {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-valuation-'))
  const { suffixes } = loadCatalogue()
  const sales = openSalesBook({
    folder,
    starter: starterSales(createDescriber(bundledWords())),
    onTrouble: (error) => assert.fail(error),
  })
  const model = { isReadable: true }
  const appraiser = bundledAppraiser()
  const door = await startPaidRoutes((clock) =>
    valuationRoutes(
      createValuations({
        appraiser() {
          if (!model.isReadable) throw new Error('no such file: /secret/model.json')
          return appraiser
        },
        sales: () => sales,
        suffixes,
        clock,
      }),
    ),
  )
  after(async () => {
    await door.stop()
    sales.close()
    rmSync(folder, { recursive: true })
  })
  return {
    ...door,
    folder,
    model,
    async buy(path: string, by = payer) {
      const headers = await by(await door.get(path), fundedWallet(door.chains), door.clock)
      return door.get(path, headers)
    },
  }
}
