import { domainToUnicode } from 'node:url'

/** Hosts that determine what a page on them is about. Facts about public sites, collected by us. */

/** The host without `www.` in Unicode, its registered label, and the path; null if it is not a URL. */
export function hostOf(url: string): { host: string; label: string; path: string } | null {
  const parsed = URL.parse(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return null
  const host = (domainToUnicode(parsed.hostname) || parsed.hostname).toLowerCase().replace(/^www\d?\./, '')
  const labels = host.split('.')
  // Suffixes such as co.uk and com.au, and hosts that give out subdomains.
  const hasTwo =
    labels.length > 2 &&
    (/^(?:com?|org|net|ac|gov|edu|ne|or)\.\p{L}{2}$/u.test(labels.slice(-2).join('.')) ||
      HOSTED.has(labels.slice(-2).join('.')))
  return { host, label: labels.at(hasTwo ? -3 : -2) ?? host, path: decoded(parsed.pathname) }
}

const HOSTED: ReadonlySet<string> = new Set([
  'github.io',
  'gitlab.io',
  'wordpress.com',
  'blogspot.com',
  'myshopify.com',
  'tumblr.com',
  'itch.io',
  'substack.com',
  'bandcamp.com',
  'netlify.app',
  'vercel.app',
  'pages.dev',
  'wixsite.com',
  'weebly.com',
  'carrd.co',
])

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Matches hosts and their subdomains, some with a path prefix: `linkedin.com/company`. */
function placesOf(...places: readonly string[]): (host: string, path?: string) => boolean {
  const paths = new Map<string, string[]>()
  for (const place of places) {
    const [known = '', ...rest] = place.split('/')
    paths.set(known, [...(paths.get(known) ?? []), `/${rest.join('/')}`])
  }
  return (host, path = '/') => {
    for (let rest = host; rest !== ''; rest = rest.slice(rest.indexOf('.') + 1)) {
      if (paths.get(rest)?.some((start) => path.startsWith(start))) return true
      if (!rest.includes('.')) return false
    }
    return false
  }
}

export const isCompanyPlace = placesOf(
  'crunchbase.com',
  'opencorporates.com',
  'search.gleif.org',
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
)
export const isProductPlace = placesOf(
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
)

/** Dictionaries have a page for every word, so an entry says little. */
const isDictionary = placesOf(
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
  'dict.cc',
  'leo.org',
  'synonym.com',
)

export const isEncyclopaedia = placesOf(
  'wikipedia.org',
  'britannica.com',
  'wikidata.org',
  'baike.baidu.com',
  'namu.wiki',
)

/** Sites that sell or look up domains have a page for every possible name. */
const isDomainShop = placesOf(
  'sedo.com',
  'afternic.com',
  'dan.com',
  'godaddy.com',
  'namecheap.com',
  'hugedomains.com',
  'who.is',
  'whois.com',
  'porkbun.com',
)
/** Sites where an entry only shows that the word exists. */
export const isReferencePlace = (host: string): boolean => isDictionary(host) || isDomainShop(host)
