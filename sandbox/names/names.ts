import type { Simulator, Suggestion } from '../simulator.ts'
import { startNames } from './start.ts'

/** Simulates domains: name servers, a recursive resolver and registries. */
export const names: Simulator = {
  name: 'names',
  about: 'every domain under our TLDs: name servers, a recursive resolver, and registries with RDAP and WHOIS',
  async start({ seed, clock, wait, folder }) {
    const { settings, nameServers, registries, stop } = await startNames({ seed, clock, wait, folder })
    const { com } = registries
    return {
      settings,
      addresses: {
        'name servers': `${nameServers.a} and ${nameServers.b} for all TLDs; recursive resolver ${nameServers.recursor}`,
        RDAP: `${com!.rdap} for .com; seven more for other TLDs`,
        WHOIS: `${com!.whois} for .com; more for other TLDs`,
      },
      tryThese: ({ url }) => suggestions(url),
      stop,
    }
  },
}

/** The throttled name comes last and has its own registry, because the service then stops querying that registry. */
const suggestions = (url: string): Suggestion[] => [
  { url: `${url}/v1/check?name=example`, status: 200, shows: 'a name under 20 TLDs' },
  { url: `${url}/v1/check?name=my-shop&tld=com,de,it,es`, status: 200, shows: 'four TLDs with four kinds of lookup' },
  {
    url: `${url}/v1/check?domain=heldback.com&evidence=true`,
    status: 200,
    shows: 'a registered domain that DNS does not know, with the evidence',
  },
  { url: `${url}/v1/check?domain=slow500-shop.com`, status: 200, shows: 'a registry that answers after half a second' },
  { url: `${url}/v1/whois?domain=taken-shop.com`, status: 200, shows: 'the registration data of a domain' },
  { url: `${url}/v1/whois?domain=free-shop.it`, status: 200, shows: 'a free domain, looked up by WHOIS' },
  { url: `${url}/v1/dns/taken-shop.com`, status: 200, shows: 'the DNS records of a domain' },
  {
    url: `${url}/v1/dns/_dmarc.taken-shop.com`,
    status: 200,
    shows: 'a name with an underscore: the mail policy of the domain',
  },
  {
    url: `${url}/v1/check?domain=throttled-shop.app`,
    status: 200,
    shows: 'a registry that rejects the query: unknown, never available',
  },
]
