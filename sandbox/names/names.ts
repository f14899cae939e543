import type { Simulator, Suggestion } from '../simulator.ts'
import { startNames } from './start.ts'

/** The internet of names as a part of the sandbox. */
export const names: Simulator = {
  name: 'names',
  about: 'every domain under our TLDs: name servers, a recursive resolver, and registries with RDAP and WHOIS',
  async start({ seed, clock, wait, folder }) {
    const { settings, nameServers, registries, stop } = await startNames({ seed, clock, wait, folder })
    const { com } = registries
    return {
      settings,
      addresses: {
        'name servers': `${nameServers.a} and ${nameServers.b} for every TLD, recursive at ${nameServers.recursor}`,
        RDAP: `${com!.rdap} for .com (and seven more)`,
        WHOIS: `${com!.whois} for .com (and more, for every TLD that has it)`,
      },
      tryThese: ({ url }) => suggestions(url),
      stop,
    }
  },
}

const suggestions = (url: string): Suggestion[] => [
  { url: `${url}/v1/check?name=example`, status: 200, shows: 'a name under twenty TLDs' },
  {
    url: `${url}/v1/check?domain=heldback.com&evidence=true`,
    status: 200,
    shows: 'registered, though DNS has no such name',
  },
  { url: `${url}/v1/check?domain=slow500-shop.com`, status: 200, shows: 'a registry that takes half a second' },
  {
    url: `${url}/v1/check?domain=throttled-shop.com`,
    status: 200,
    shows: 'a registry that will not tell: unknown, not available',
  },
  { url: `${url}/v1/whois?domain=taken-shop.com`, status: 200, shows: 'who holds a name' },
  { url: `${url}/v1/dns/taken-shop.com`, status: 200, shows: 'what is in its zone' },
]
