import { hasLoosely, placeOf, type SoughtName, wordsOf } from './name.ts'
import { handleIn, hostOf, isCompanyPlace, isDomainShop, isProductPlace, isReference } from './places.ts'
import { personIn } from './people.ts'
import type { Found } from './search-engine.ts'

export type Kind = 'domain' | 'company' | 'product' | 'brand'

/** What one result says of a name. */
export type Match = {
  readonly title: string
  readonly url: string
  readonly host: string
  readonly kind: Kind
  /** About exactly this name, only mentions something of it, or neither. */
  readonly closeness: 'exact' | 'loose' | 'none'
  /** Whether the site itself is called so. */
  readonly ownsDomain: boolean
  /** `github.com/example`, where it is the handle of exactly this name. */
  readonly handle: string | null
  /** The person of this name whom it is about. */
  readonly person: string | null
  /** Whether it says no more than that the word exists. */
  readonly isReference: boolean
}

/** Longer texts say no more. */
const LONGEST = 600

/** Null for a result that is no page of the web. */
export function readMatch(name: SoughtName, { title: rawTitle, url, snippet: rawSnippet }: Found): Match | null {
  const place = hostOf(url)
  if (!place) return null
  const { host, label, path } = place
  const [title, snippet] = [rawTitle.slice(0, LONGEST), rawSnippet.slice(0, LONGEST)]
  const [inTitle, inSnippet] = [wordsOf(title), wordsOf(snippet)]
  const ownsDomain = wordsOf(label).join('') === name.joined
  const found = handleIn(host, path)
  const isHandle = found !== null && wordsOf(found.handle).join('') === name.joined
  const isInTitle = placeOf(name, inTitle) >= 0
  const closeness =
    ownsDomain || isHandle || isInTitle
      ? 'exact'
      : placeOf(name, inSnippet) >= 0 || hasLoosely(name, inTitle) || hasLoosely(name, [...inSnippet, ...wordsOf(path)])
        ? 'loose'
        : 'none'
  return {
    title,
    url,
    host,
    kind: kindOf({ host, path, ownsDomain, text: `${title} ${snippet}` }),
    closeness,
    ownsDomain,
    handle: isHandle ? `${found.network}/${found.handle}` : null,
    person: isInTitle ? personIn(name, title, snippet) : null,
    isReference: isReference(host) || isDomainShop(host),
  }
}

const COMPANY_WORDS =
  /\b(?:inc|llc|ltd|limited|gmbh|corp|corporation|plc|s\.a\.|co\.|company|headquarters|founded|employees|startup|agency|firm|careers|unternehmen|société|empresa|azienda|holding|group)\b/giu
const PRODUCT_WORDS =
  /\b(?:app|download|buy|price|shop|store|software|platform|reviews?|features|pricing|plugin|library|package|model|edition|kaufen|acheter|comprar|free trial|in stock|ingredients|album|book)\b/giu

function kindOf({
  host,
  path,
  ownsDomain,
  text,
}: {
  host: string
  path: string
  ownsDomain: boolean
  text: string
}): Kind {
  if (ownsDomain) return 'domain'
  if (isCompanyPlace(host, path)) return 'company'
  if (isProductPlace(host, path)) return 'product'
  const companies = text.match(COMPANY_WORDS)?.length ?? 0
  const products = text.match(PRODUCT_WORDS)?.length ?? 0
  if (companies === 0 && products === 0) return 'brand'
  return companies >= products ? 'company' : 'product'
}
