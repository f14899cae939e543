import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { createUpstream } from '../../kernel/upstream/client.ts'
import { addressPolicy } from './address-policy.ts'
import type { Config } from '../settings/config.ts'
import { createEnrich, type Enrich } from '../../trademark/enrich.ts'
import { tsdrRecords } from '../../trademark/sources/tsdr.ts'

export type EnrichmentSettings = {
  /** Has `{serial}` where the number goes. */
  readonly url: string
  readonly key: string | null
}

type Needs = {
  readonly config: { readonly trademarkEnrichment: EnrichmentSettings | null } & Pick<Config, 'sandbox' | 'namedHosts'>
  readonly version: string
  readonly clock: Clock
  readonly log: Log
}

/** The record system that is asked about found trademarks; null where none is set up. */
export function openTrademarkRecords({ config, version, clock, log }: Needs): {
  readonly enrich: Enrich | null
  close(): Promise<void>
} {
  const { trademarkEnrichment: settings } = config
  if (!settings) return { enrich: null, close: async () => {} }
  const upstream = createUpstream({
    name: 'trademark records',
    userAgent: `onoma/${version}`,
    clock,
    ...addressPolicy({ config, log, settings: ['ONOMA_TRADEMARK_ENRICHMENT_URL'] }),
    deadlineMs: 10_000,
    maxBytes: 4 * 1024 * 1024,
    connections: 4,
    maxQueue: 256,
  })
  const system = tsdrRecords({ upstream, ...settings })
  return { enrich: createEnrich({ system, clock, log }), close: () => upstream.close() }
}
