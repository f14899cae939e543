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

/** The throttled one comes last, and to a registry of its own: who was told to stay away stays away for all its names. */
const suggestions = (url: string): Suggestion[] => [
  { url: `${url}/v1/check?name=example`, status: 200, shows: 'a name under twenty TLDs' },
  { url: `${url}/v1/check?name=my-shop&tld=com,de,it,es`, status: 200, shows: 'four registries, asked in four ways' },
  {
    url: `${url}/v1/check?domain=heldback.com&evidence=true`,
    status: 200,
    shows: 'registered, though DNS has no such name',
  },
  { url: `${url}/v1/check?domain=slow500-shop.com`, status: 200, shows: 'a registry that takes half a second' },
  { url: `${url}/v1/whois?domain=taken-shop.com`, status: 200, shows: 'who holds a name' },
  { url: `${url}/v1/whois?domain=free-shop.it`, status: 200, shows: 'nobody does, by the word of WHOIS' },
  { url: `${url}/v1/dns/taken-shop.com`, status: 200, shows: 'what is in its zone' },
  { url: `${url}/v1/dns/_dmarc.taken-shop.com`, status: 200, shows: 'a name with an underscore: its mail policy' },
  {
    url: `${url}/v1/check?domain=throttled-shop.app`,
    status: 200,
    shows: 'a registry that will not tell: unknown, never available',
  },
]
