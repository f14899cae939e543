/** What a request may have to ask outside of the service. */
export type Upstream = 'dns' | 'rdap' | 'whois' | 'ethereum'

const DOMAINS = ['dns', 'rdap', 'whois'] as const

/** One kind of request of the realistic mix. */
export type Part = {
  readonly name: string
  /** Requests of this kind among 100 of the mix. */
  readonly share: number
  /** The `at`-th request of this kind: the path, and a JSON body for POST. */
  request(at: number): { readonly path: string; readonly body?: string }
  /** Statuses that count as an answer; by default 200. */
  readonly statuses?: readonly number[]
  /** Without these it may fail. */
  readonly needs: readonly Upstream[]
}

const MARKS = [
  'apple',
  'blue river',
  'nova',
  'green leaf',
  'star bridge',
  'orbit',
  'sun valley',
  'delta',
  'lumen',
  'atlas',
]
const ENS_NAMES = ['taken.eth', 'example.eth', 'vault.eth', 'wrapped.eth', 'grace.eth']
const WORDS = ['shop', 'cloud', 'data', 'home', 'art', 'bank', 'play', 'food', 'green', 'studio']

const pick = (list: readonly string[], at: number): string => encodeURIComponent(list[at % list.length]!)

/**
 * The shares are an assumption about a public instance: mostly cached and fresh availability, some of everything else.
 * Every name of a fresh part is requested once, so that no cache answers it.
 */
export const PARTS: readonly Part[] = [
  {
    name: 'check, cached',
    needs: DOMAINS,
    share: 40,
    request: (at) => ({ path: `/v1/check?name=taken-${pick(WORDS, at)}&tld=com,net,org` }),
  },
  {
    name: 'check, fresh, taken',
    needs: DOMAINS,
    share: 15,
    request: (at) => ({ path: `/v1/check?name=taken-load-${at}&tld=com,net,org` }),
  },
  {
    name: 'check, fresh, free',
    needs: DOMAINS,
    share: 3,
    request: (at) => ({ path: `/v1/check?name=free-load-${at}&tld=app` }),
  },
  {
    name: 'bulk of 20, fresh, taken',
    needs: DOMAINS,
    share: 2,
    request: (at) => ({
      path: '/v1/check/bulk',
      body: JSON.stringify({ domains: Array.from({ length: 20 }, (_, of) => `taken-bulk-${at}-${of}.com`) }),
    }),
  },
  {
    name: 'whois',
    needs: DOMAINS,
    share: 5,
    request: (at) => ({ path: `/v1/whois?domain=taken-${pick(WORDS, at)}.com` }),
  },
  { name: 'dns', needs: DOMAINS, share: 8, request: (at) => ({ path: `/v1/dns/taken-dns-${at}.com?type=A` }) },
  { name: 'tlds', needs: [], share: 5, request: () => ({ path: '/v1/tlds?category=top20' }) },
  { name: 'register', needs: [], share: 4, request: (at) => ({ path: `/v1/register?domain=free-${at}.com` }) },
  { name: 'trademark', needs: [], share: 5, request: (at) => ({ path: `/v1/trademark/search?q=${pick(MARKS, at)}` }) },
  { name: 'auctions', needs: [], share: 5, request: (at) => ({ path: `/v1/auctions?q=${pick(WORDS, at)}` }) },
  {
    name: 'ens',
    needs: ['ethereum'],
    share: 3,
    request: (at) => ({ path: `/v1/ens/metadata?name=${pick(ENS_NAMES, at)}` }),
  },
  { name: '402', needs: [], share: 5, request: (at) => ({ path: `/v1/valuation/load-${at}.com` }), statuses: [402] },
]
