import type { KINDS, RELEVANCES } from './contract.ts'
import { handleIn } from './handles.ts'
import { hasLoosely, placeOf, type SoughtName, wordsOf } from './name.ts'
import { organisationIn } from './organisations.ts'
import { personIn } from './people.ts'
import { hostOf, isCompanyPlace, isEncyclopaedia, isProductPlace, isReferencePlace } from './places.ts'
import { isPost } from './posts.ts'
import type { Found } from './search-engine.ts'
import { isForSale, isHeading, tradeIn } from './wording.ts'

/** What one result says of a name. */
export type Match = {
  readonly title: string
  readonly url: string
  readonly host: string
  readonly type: (typeof KINDS)[number]
  readonly relevance: (typeof RELEVANCES)[number]
  /** Has exactly this name in its title or address, only mentions something of it, or neither. */
  readonly closeness: 'exact' | 'loose' | 'none'
  /** Whether the page is about what is called so, rather than a sentence with these words in it. */
  readonly isCentral: boolean
  /** Whether the site itself is called so. */
  readonly ownsDomain: boolean
  /** Whether it is the first page of a site that calls itself so, whatever its address. */
  readonly isHome: boolean
  /** Whether it is about somebody whose name only begins like this: `Green Leaf Cafe` of `Green Leaf`. */
  readonly isKin: boolean
  /** `github.com/example`, where it is the handle of exactly this name. */
  readonly handle: string | null
  /** The person of this name whom it is about. */
  readonly person: string | null
  /** What it says is called so. */
  readonly trade: 'company' | 'product' | null
  /** The kind of business that has the name in its own: `bank` of `Green Leaf Bank`. */
  readonly organisation: string | null
  /** Whether the host is called by the name and more: `greenleafbank.com`. */
  readonly isOwnHost: boolean
  /** Whether somebody only speaks of it: in a forum, a question, a post. */
  readonly isPost: boolean
  /** Whether it says no more than that the word exists, or that a domain could be bought. */
  readonly isReference: boolean
}

/** Longer texts say no more. */
const MAX_TITLE_LENGTH = 300
const MAX_SNIPPET_LENGTH = 600

/** Null for a result that is no page of the web. */
export function readMatch(name: SoughtName, found: Found): Match | null {
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
    // An encyclopaedia has a page about every leaf; one about a company or a person says more.
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
