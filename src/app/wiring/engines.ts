import type { EngineId } from '../../presence/contract.ts'
import type { SearchEngine } from '../../presence/search-engine.ts'
import { keySearch } from '../../presence/sources/key-search.ts'
import { metasearch } from '../../presence/sources/metasearch.ts'
import { tokenSearch } from '../../presence/sources/token-search.ts'
import type { Config } from '../settings/config.ts'
import type { EngineSettings } from '../settings/providers.ts'
import type { Outbound } from './outbound.ts'

type Needs = { readonly config: Pick<Config, 'engines'>; readonly outbound: Outbound }

/** The search engines that are configured. */
export function openEngines({ config, outbound }: Needs): {
  readonly engines: readonly SearchEngine[]
  close(): Promise<void>
} {
  const upstream = outbound.open('engines')
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
