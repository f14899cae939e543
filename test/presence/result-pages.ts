import type { Page } from '../../sandbox/engine-shapes.ts'
import type { Random } from '../../src/kernel/random.ts'
import {
  aboutPage,
  companyArticle,
  companyNews,
  directoryEntry,
  domainForSale,
  homePage,
  namesakeBusiness,
  productReview,
  socialAccount,
  storeListing,
} from './company-pages.ts'
import type { Labelled, Story } from './names.ts'
import { createPageWriter, type WritePage } from './page-writer.ts'
import {
  biography,
  interview,
  listOfNames,
  personalProfile,
  placeArticle,
  travelPage,
} from './person-and-place-pages.ts'
import { forumPages, sharedNamePages } from './shared-name-pages.ts'
import { dictionaryEntry, forumMention, ordinaryUse, snippetMention, unrelatedPage } from './word-pages.ts'

/** Pages of one kind, with the least and the largest number of them. */
type Part = readonly [write: WritePage, min: number, max: number]

const one = (write: WritePage): Part => [write, 1, 1]

/** The relevant pages of each story, in the order of the results. */
const PARTS: Readonly<Record<Story, readonly Part[]>> = {
  unknown: [],
  trace: [
    [unrelatedPage, 0, 1],
    [forumMention, 1, 2],
    [snippetMention, 0, 1],
  ],
  parked: [one(domainForSale), [forumMention, 0, 1]],
  small: [one(homePage), [directoryEntry, 1, 2], [forumMention, 0, 1]],
  product: [
    [storeListing, 2, 3],
    [productReview, 3, 5],
    [forumMention, 0, 2],
  ],
  established: [
    ...[homePage, companyArticle, directoryEntry, socialAccount, aboutPage].map(one),
    [companyNews, 2, 3],
    ...[socialAccount, directoryEntry].map(one),
    [companyNews, 0, 2],
  ],
  notable: [one(biography), [interview, 3, 5], one(socialAccount), [interview, 1, 3]],
  private: [
    [personalProfile, 1, 3],
    [listOfNames, 1, 2],
    [snippetMention, 0, 1],
  ],
  place: [one(placeArticle), [travelPage, 6, 9]],
  common: [
    [dictionaryEntry, 2, 4],
    [ordinaryUse, 3, 6],
  ],
  scattered: [
    [homePage, 0, 1],
    [namesakeBusiness, 2, 4],
    [dictionaryEntry, 1, 2],
    [ordinaryUse, 2, 4],
  ],
  dominant: [
    ...[homePage, aboutPage, companyArticle, directoryEntry, socialAccount].map(one),
    [companyNews, 1, 2],
    one(socialAccount),
    [companyNews, 1, 2],
    one(dictionaryEntry),
  ],
  // These two begin with the pages of shared-name-pages.ts.
  shared: [
    [ordinaryUse, 1, 3],
    [dictionaryEntry, 0, 1],
  ],
  chatter: [[ordinaryUse, 0, 2]],
}

/** The search results for a name of this story: relevant pages first, then unrelated ones. */
export function pagesFor(labelled: Labelled, random: Random): Page[] {
  const { name, story, tongue, isHeldOut = false } = labelled
  const writer = createPageWriter(labelled, random)
  const subject = { name, slug: writer.slug, tongue, isHeldOut }
  const first =
    story === 'shared' ? sharedNamePages(subject, random) : story === 'chatter' ? forumPages(subject, random) : []
  const relevant = PARTS[story].flatMap(([write, min, max]) => {
    // A fixed number draws nothing, so that the random choices after it stay the same.
    const count = min === max ? min : min + random.below(max - min + 1)
    return Array.from({ length: count }, () => write(writer))
  })
  const rest = Array.from({ length: 14 }, () => unrelatedPage(writer))
  return distinct([...distinct([...first, ...relevant]), ...distinct(rest)]).slice(0, 8 + random.below(5))
}

/** Each title and each URL once, as on a page of results. */
function distinct(pages: readonly Page[]): Page[] {
  const [titles, urls] = [new Set<string>(), new Set<string>()]
  return pages.filter(({ title, url }) => {
    const isNew = !titles.has(title) && !urls.has(url)
    titles.add(title)
    urls.add(url)
    return isNew
  })
}
