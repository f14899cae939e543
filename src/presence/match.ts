import type { KINDS, RELEVANCES } from './contract.ts'
import { handleIn } from './handles.ts'
import { hasLoosely, placeOf, type SoughtName, wordsOf } from './name.ts'
import { organisationIn } from './organisations.ts'
import { personIn } from './people.ts'
import { hostOf, isCompanyPlace, isEncyclopaedia, isProductPlace, isReferencePlace } from './places.ts'
import { isPost } from './posts.ts'
import type { Found } from './search-engine.ts'
import { isForSale, isHeading, tradeIn } from './wording.ts'

/** One search result, interpreted for a name. */
export type Match = {
  readonly title: string
  readonly url: string
  readonly host: string
  readonly type: (typeof KINDS)[number]
  readonly relevance: (typeof RELEVANCES)[number]
  /** Whether the title or URL has exactly this name, or it is only mentioned, or neither. */
  readonly closeness: 'exact' | 'loose' | 'none'
  /** Whether the page is about the name, rather than a sentence with these words. */
  readonly isCentral: boolean
  /** Whether the domain of the site is the name. */
  readonly ownsDomain: boolean
  /** Whether it is the home page of a site with this title, on any domain. */
  readonly isHome: boolean
  /** Whether it is about a longer name that begins with this one: `Green Leaf Cafe` for `Green Leaf`. */
  readonly isKin: boolean
  /** A handle of exactly this name, such as `github.com/example`. */
  readonly handle: string | null
  /** The person with this name whom the page is about. */
  readonly person: string | null
  /** What the page says the name refers to. */
  readonly trade: 'company' | 'product' | null
  /** The kind of business with the name: `bank` for `Green Leaf Bank`. */
  readonly organisation: string | null
  /** Whether the host is the name with additions: `greenleafbank.com`. */
  readonly isOwnHost: boolean
  /** Whether it is a forum thread, a question or a post that mentions the name. */
  readonly isPost: boolean
  /** Whether it only shows that the word exists, or that a domain is for sale. */
  readonly isReference: boolean
}

/** Longer texts are truncated. */
const MAX_TITLE_LENGTH = 300
const MAX_SNIPPET_LENGTH = 600

/** Null for a result that is not a web page. */
export function parseMatch(name: SoughtName, found: Found): Match | null {
  const place = hostOf(found.url)
  if (!place) return null
  const { host, label, path } = place
  const [title, snippet] = [found.title.slice(0, MAX_TITLE_LENGTH), found.snippet.slice(0, MAX_SNIPPET_LENGTH)]
  const [inTitle, inSnippet] = [wordsOf(title), wordsOf(snippet)]
  const isCalledSo = (text: string) => name.spellings.includes(wordsOf(text).join(''))
  const ownsDomain = isCalledSo(label) || isCalledSo(host)
  const account = handleIn(host, path)
  const handle = account !== null && isCalledSo(account.handle) ? account : null
  const isInTitle = placeOf(name.joined, inTitle) >= 0
  const isExact = ownsDomain || handle !== null || isInTitle
  const isLoose =
    placeOf(name.joined, inSnippet) >= 0 ||
    hasLoosely(name, inTitle) ||
    hasLoosely(name, [...inSnippet, ...wordsOf(path)])
  const isSaidByOthers = !ownsDomain && isPost(name.joined, { host, path, title, snippet })
  const isCentral = ownsDomain || handle !== null || (!isSaidByOthers && isInTitle && isHeading(name.joined, title))
  const isCompany = isCompanyPlace(host, path)
  const person = isInTitle && !isSaidByOthers ? personIn(name, title, snippet) : null
  const isOwnHost = name.joined.length >= 5 && label.replaceAll('-', '').startsWith(name.joined)
  const organisation =
    isSaidByOthers || isReferencePlace(host) || isEncyclopaedia(host) ? null : organisationIn(name, title, label)
  const trade = isSaidByOthers
    ? null
    : isCompany
      ? 'company'
      : isProductPlace(host, path)
        ? 'product'
        : person === null
          ? (tradeIn([...inTitle, ...inSnippet], name.words) ?? (isCentral && organisation !== null ? 'company' : null))
          : null
  const isReference =
    isReferencePlace(host) ||
    isForSale(`${title} ${snippet}`) ||
    // An encyclopaedia has a page for every noun; only one about a company or a person counts.
    (isEncyclopaedia(host) && person === null && trade === null)
  return {
    title,
    url: found.url,
    host,
    type: ownsDomain ? 'domain' : (trade ?? (organisation === null ? 'brand' : 'company')),
    relevance: !isExact ? 'low' : isCentral && !isReference ? 'high' : 'medium',
    closeness: isExact ? 'exact' : isLoose ? 'loose' : 'none',
    isCentral,
    ownsDomain,
    isHome: isCentral && account === null && path === '/',
    isKin: isExact && !isSaidByOthers && (isCompany || isOwnHost || organisation !== null),
    handle: handle && `${handle.network}/${handle.before}${handle.handle}`,
    person,
    trade,
    organisation,
    isOwnHost,
    isPost: isSaidByOthers,
    isReference,
  }
}
