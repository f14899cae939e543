/** Hosts that say by themselves what a page on them is about. Facts about public sites, gathered by us. */

/** The label before the public suffix, and the whole host without `www.`. */
export function hostOf(url: string): { host: string; label: string; path: string } | null {
  const parsed = URL.parse(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return null
  const host = parsed.hostname.toLowerCase().replace(/^www\d?\./, '')
  const labels = host.split('.')
  // co.uk, com.au and their like: short words before a country.
  const hasTwo =
    labels.length > 2 && labels.at(-1)!.length === 2 && /^(?:com?|org|net|ac|gov|edu|ne|or)$/.test(labels.at(-2)!)
  return { host, label: labels.at(hasTwo ? -3 : -2) ?? host, path: decoded(parsed.pathname) }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const ends = (host: string, known: string): boolean => host === known || host.endsWith(`.${known}`)
const isOneOf = (host: string, path: string, places: readonly string[]): boolean =>
  places.some((place) => {
    const [known = '', ...rest] = place.split('/')
    return ends(host, known) && (rest.length === 0 || path.startsWith(`/${rest.join('/')}`))
  })

const COMPANIES = [
  'crunchbase.com',
  'opencorporates.com',
  'linkedin.com/company',
  'bloomberg.com/profile/company',
  'pitchbook.com',
  'zoominfo.com',
  'dnb.com',
  'owler.com',
  'glassdoor.com',
  'indeed.com/cmp',
  'tracxn.com',
  'northdata.com',
  'northdata.de',
  'find-and-update.company-information.service.gov.uk',
  'sec.gov',
  'yelp.com/biz',
  'trustpilot.com/review',
  'bbb.org',
  'cbinsights.com',
  'wellfound.com/company',
  'ycombinator.com/companies',
  'handelsregister.de',
  'societe.com',
  'kompass.com',
] as const
const PRODUCTS = [
  'apps.apple.com',
  'play.google.com/store',
  'npmjs.com/package',
  'pypi.org/project',
  'crates.io/crates',
  'amazon.com',
  'amazon.co.uk',
  'amazon.de',
  'g2.com/products',
  'capterra.com',
  'producthunt.com',
  'store.steampowered.com',
  'etsy.com',
  'chromewebstore.google.com',
  'addons.mozilla.org',
  'marketplace.visualstudio.com',
  'rubygems.org/gems',
  'ebay.com',
  'microsoft.com/store',
  'apps.microsoft.com',
  'walmart.com',
  'aliexpress.com',
  'alternativeto.net',
  'hub.docker.com',
  'packagist.org',
  'nuget.org/packages',
  'pkg.go.dev',
  'softonic.com',
  'discogs.com',
  'goodreads.com/book',
] as const

export const isCompanyPlace = (host: string, path: string): boolean => isOneOf(host, path, COMPANIES)
export const isProductPlace = (host: string, path: string): boolean => isOneOf(host, path, PRODUCTS)

/** Dictionaries and encyclopaedias have a page about every word: being there says little. */
const REFERENCES = [
  'wiktionary.org',
  'merriam-webster.com',
  'dictionary.com',
  'thesaurus.com',
  'dictionary.cambridge.org',
  'vocabulary.com',
  'collinsdictionary.com',
  'oxfordlearnersdictionaries.com',
  'thefreedictionary.com',
  'urbandictionary.com',
  'etymonline.com',
  'wordreference.com',
  'linguee.com',
  'duden.de',
  'larousse.fr',
  'rae.es',
  'translate.google.com',
  'deepl.com',
  'wordhippo.com',
  'definitions.net',
  'yourdictionary.com',
  'britannica.com',
  'dict.cc',
  'leo.org',
  'synonym.com',
] as const
export const isReference = (host: string): boolean => isOneOf(host, '/', REFERENCES)

/** Places where names of domains are sold or looked up: they have a page about everything that could be one. */
const DOMAIN_SHOPS = [
  'sedo.com',
  'afternic.com',
  'dan.com',
  'godaddy.com',
  'namecheap.com',
  'hugedomains.com',
  'who.is',
  'whois.com',
  'porkbun.com',
] as const
export const isDomainShop = (host: string): boolean => isOneOf(host, '/', DOMAIN_SHOPS)

/** Where a handle stands in the path; a name in none of the others' places. */
const NETWORKS: readonly (readonly [host: string, pattern: RegExp])[] = [
  ['twitter.com', /^\/([a-z0-9_]{1,15})\/?$/i],
  ['x.com', /^\/([a-z0-9_]{1,15})\/?$/i],
  ['instagram.com', /^\/([a-z0-9_.]{1,30})\/?$/i],
  ['facebook.com', /^\/(?:pg\/)?([a-z0-9.]{3,60})\/?$/i],
  ['linkedin.com', /^\/(?:in|company|school)\/([^/]{2,100})\/?/i],
  ['github.com', /^\/([a-z0-9-]{1,39})\/?$/i],
  ['gitlab.com', /^\/([a-z0-9_.-]{2,60})\/?$/i],
  ['youtube.com', /^\/(?:@|c\/|user\/)([^/]{2,60})\/?/i],
  ['tiktok.com', /^\/@([a-z0-9_.]{2,30})\/?$/i],
  ['pinterest.com', /^\/([a-z0-9_]{3,30})\/?$/i],
  ['reddit.com', /^\/(?:r|user|u)\/([a-z0-9_-]{3,30})\/?/i],
  ['t.me', /^\/([a-z0-9_]{4,40})\/?$/i],
  ['twitch.tv', /^\/([a-z0-9_]{3,30})\/?$/i],
  ['soundcloud.com', /^\/([a-z0-9_-]{3,30})\/?$/i],
  ['medium.com', /^\/@?([a-z0-9_.-]{3,40})\/?$/i],
  ['threads.net', /^\/@([a-z0-9_.]{1,30})\/?$/i],
  ['bsky.app', /^\/profile\/([a-z0-9.-]{3,80})\/?$/i],
  ['patreon.com', /^\/([a-z0-9_]{3,40})\/?$/i],
  ['vimeo.com', /^\/([a-z][a-z0-9]{2,40})\/?$/i],
  ['behance.net', /^\/([a-z0-9_-]{3,40})\/?$/i],
  ['dribbble.com', /^\/([a-z0-9_-]{2,40})\/?$/i],
  ['snapchat.com', /^\/add\/([a-z0-9._-]{3,15})\/?$/i],
]

/** Paths of a network itself, which nobody can have as a handle. */
const OWN = new Set([
  'about',
  'explore',
  'home',
  'login',
  'search',
  'settings',
  'help',
  'privacy',
  'terms',
  'share',
  'watch',
  'events',
  'groups',
  'pages',
  'hashtag',
  'intent',
  'features',
  'topics',
  'jobs',
])

/** The handle a page belongs to, or null. */
export function handleIn(host: string, path: string): { network: string; handle: string } | null {
  for (const [network, pattern] of NETWORKS) {
    if (!ends(host, network)) continue
    const handle = pattern.exec(path)?.[1]
    if (handle !== undefined && !OWN.has(handle.toLowerCase())) return { network, handle }
  }
  return null
}
