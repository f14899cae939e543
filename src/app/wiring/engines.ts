import type { Dns } from '../../dns/service.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { EngineId } from '../../presence/contract.ts'
import type { SearchEngine } from '../../presence/search-engine.ts'
import { apiSearch } from '../../presence/sources/api-search.ts'
import { keySearch } from '../../presence/sources/key-search.ts'
import { metasearch } from '../../presence/sources/metasearch.ts'
import { github } from '../../presence/sources/open/github.ts'
import { gleif } from '../../presence/sources/open/gleif.ts'
import { itunes } from '../../presence/sources/open/itunes.ts'
import { openKnowledge } from '../../presence/sources/open/open-knowledge.ts'
import { ownDns } from '../../presence/sources/open/own-dns.ts'
import { wikimedia } from '../../presence/sources/open/wikimedia.ts'
import { tokenSearch } from '../../presence/sources/token-search.ts'
import type { Config } from '../settings/config.ts'
import type { EngineSettings } from '../settings/engine-settings.ts'
import { isInUse } from './between-capabilities.ts'
import { type Outbound, USER_AGENT } from './outbound.ts'

type Needs = {
  readonly config: Pick<Config, 'engines' | 'contact'>
  readonly outbound: Outbound
  readonly dns: Pick<Dns, 'lookUp'>
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
}

const GOOGLE_ENDS =
  'Google ends its Custom Search JSON API on 2027-01-01 and accepts no new customers: set ONOMA_ENGINE_A_KIND or ONOMA_ENGINE_B_KIND to another kind, such as brave or searxng.'

/** The search engines that are configured. */
export function openEngines({ config, outbound, dns, clock, log }: Needs): {
  readonly engines: readonly SearchEngine[]
  close(): Promise<void>
} {
  const upstream = outbound.open('engines')
  const userAgent = `${USER_AGENT} (${config.contact ?? 'self-hosted, no contact set'})`
  const engineOf = (id: EngineId, settings: EngineSettings | null): readonly SearchEngine[] => {
    if (settings === null) return []
    switch (settings.kind) {
      case 'open': {
        const services = { upstream, userAgent, gateway: settings.url }
        const sources = [
          ownDns(isInUse(dns)),
          ...wikimedia(services, clock),
          gleif(services, clock),
          github({ ...services, token: settings.key, clock }),
          itunes(services, clock),
        ]
        return [openKnowledge({ id, sources, clock })]
      }
      case 'searxng':
        return [metasearch({ id, upstream, url: settings.url })]
      case 'brave':
        return [tokenSearch({ id, upstream, url: settings.url, token: settings.key })]
      case 'google':
        log.warn({}, GOOGLE_ENDS)
        return [keySearch({ id, upstream, url: settings.url, key: settings.key, engine: settings.cx })]
      default:
        return [apiSearch({ id, upstream, kind: settings.kind, url: settings.url, key: settings.key })]
    }
  }
  return {
    engines: [...engineOf('engine_a', config.engines.a), ...engineOf('engine_b', config.engines.b)],
    close: () => upstream.close(),
  }
}
