import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { createUpstream } from '../../kernel/upstream/client.ts'
import type { EngineId } from '../../presence/contract.ts'
import type { SearchEngine } from '../../presence/search-engine.ts'
import { keySearch } from '../../presence/sources/key-search.ts'
import { metasearch } from '../../presence/sources/metasearch.ts'
import { tokenSearch } from '../../presence/sources/token-search.ts'
import { addressPolicy } from './address-policy.ts'
import type { Config } from '../settings/config.ts'
import type { EngineSettings } from '../settings/providers.ts'

type Needs = {
  readonly config: Pick<Config, 'engines' | 'sandbox' | 'namedHosts'>
  readonly version: string
  readonly clock: Clock
  readonly log: Log
}

const MAX_MS = 15_000

/** The search engines that are set up. */
export function openEngines({ config, version, clock, log }: Needs): {
  readonly engines: readonly SearchEngine[]
  close(): Promise<void>
} {
  const upstream = createUpstream({
    name: 'engines',
    userAgent: `onoma/${version}`,
    clock,
    ...addressPolicy({ config, log, settings: ['ONOMA_ENGINE_A_URL', 'ONOMA_ENGINE_B_URL'] }),
    deadlineMs: MAX_MS,
    maxBytes: 4 * 1024 * 1024,
    connections: 8,
    maxQueue: 256,
  })
  const engineOf = (id: EngineId, settings: EngineSettings | null): readonly SearchEngine[] => {
    switch (settings?.kind) {
      case undefined:
        return []
      case 'searxng':
        return [metasearch({ id, upstream, url: settings.url })]
      case 'brave':
        return [tokenSearch({ id, upstream, url: settings.url, token: settings.key })]
      case 'google':
        return [keySearch({ id, upstream, url: settings.url, key: settings.key, engine: settings.cx })]
    }
  }
  return {
    engines: [...engineOf('engine_a', config.engines.a), ...engineOf('engine_b', config.engines.b)],
    close: () => upstream.close(),
  }
}
