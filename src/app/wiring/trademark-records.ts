import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Outbound } from './outbound.ts'
import { createEnrich, type Enrich } from '../../trademark/enrich.ts'
import { tsdrRecords } from '../../trademark/sources/tsdr.ts'

export type EnrichmentSettings = {
  /** Contains `{serial}`, which is replaced by the serial number. */
  readonly url: string
  readonly key: string | null
}

type Needs = {
  readonly config: { readonly trademarkEnrichment: EnrichmentSettings | null }
  readonly outbound: Outbound
  readonly clock: Clock
  readonly log: Log
}

/** The record system that enriches search results; null if not configured. */
export function openTrademarkRecords({ config, outbound, clock, log }: Needs): {
  readonly enrich: Enrich | null
  close(): Promise<void>
} {
  const { trademarkEnrichment: settings } = config
  if (!settings) return { enrich: null, close: async () => {} }
  const upstream = outbound.open('trademark records')
  const system = tsdrRecords({ upstream, ...settings })
  return { enrich: createEnrich({ system, clock, log }), close: () => upstream.close() }
}
