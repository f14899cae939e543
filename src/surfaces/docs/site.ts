import type { Route } from '../../kernel/endpoint.ts'
import { ERRORS } from '../../kernel/errors.ts'
import { loadAssets } from '../page/assets.ts'
import type { Html } from '../page/html.ts'
import { endpointPage, type RunAnswer } from './endpoint-page.ts'
import { errorPage, errorsPage } from './error-page.ts'
import type { Frame } from './frame.ts'
import { guidePage } from './guide-page.ts'
import { loadGuides } from './guides.ts'
import { llmsFullText, llmsText, skillText } from './llms.ts'
import { missingPage, overviewPage, searchPage } from './overview-page.ts'
import { createReference, errorPage as pathOfError, isErrorCode, type ReferenceEntry } from './reference.ts'
import { createSearch } from './search.ts'
import { API_CATALOG_TYPE, apiCatalog, robotsText, sitemap } from './well-known.ts'

export type SiteNeeds = {
  readonly routes: readonly Route[]
  readonly version: string
  readonly publicUrl: string
  /** How many TLDs are supported. */
  readonly tlds: number
  /** Requests per minute and client; null for no limit. */
  readonly rateLimit: number | null
  /** Where the guides are; the folder of the repository by default. */
  readonly guidesFolder?: URL
}

/** A page or a file that does not change while the service runs. */
export type Content = { readonly type: string; readonly body: string | Buffer }

export type Site = {
  /** What is at a path; undefined if there is nothing. */
  find(path: string): Content | undefined
  search(query: string): string
  missing(path: string): string
  /** The endpoint whose example `path` can run. */
  findEndpoint(path: string): ReferenceEntry | undefined
  showAnswer(entry: ReferenceEntry, answer: RunAnswer): string
}

export const HTML_TYPE = 'text/html; charset=utf-8'
const TEXT_TYPE = 'text/plain; charset=utf-8'

/** The reference, the guides and the files for programs, all from the endpoint values. */
export function createSite({ routes, version, publicUrl, tlds, rateLimit, guidesFolder }: SiteNeeds): Site {
  const baseUrl = publicUrl.replace(/\/+$/, '')
  const reference = createReference(routes)
  const guides = loadGuides({
    resolveCode: (guide) => (code) =>
      reference.pageOf(code) ?? (guide === 'errors' && isErrorCode(code) ? pathOfError(code) : undefined),
    baseUrl,
    folder: guidesFolder,
  })
  const assets = loadAssets()
  const about = { version, styleUrl: assets.style.url, scriptUrl: assets.script.url, tlds }
  const frame: Frame = { about, scriptUrl: assets.docs.url, reference, guides }
  const options = { baseUrl, rateLimit }
  const texts = { reference, guides, baseUrl }
  const search = createSearch(reference, guides)

  const html = (create: () => Html) => () => ({ type: HTML_TYPE, body: create().text })
  const file = (type: string, create: () => string) => () => ({ type, body: create() })
  const pages = new Map<string, () => Content>([
    ['/docs', html(() => overviewPage(frame, baseUrl))],
    ...reference.entries.map((entry) => [entry.page, html(() => endpointPage(frame, entry, options))] as const),
    ['/docs/errors', html(() => errorsPage(frame))],
    ...Object.keys(ERRORS)
      .filter(isErrorCode)
      .map((code) => [pathOfError(code), html(() => errorPage(frame, code))] as const),
    ...[...(guides.index ? [guides.index] : []), ...guides.all].map(
      (guide) => [guide.page, html(() => guidePage(frame, guide))] as const,
    ),
  ])
  const files = new Map<string, () => Content>([
    ['/llms.txt', file(TEXT_TYPE, () => llmsText(texts))],
    ['/llms-full.txt', file(TEXT_TYPE, () => llmsFullText(texts))],
    ['/skill.md', file('text/markdown; charset=utf-8', () => skillText(texts))],
    ['/.well-known/api-catalog', file(API_CATALOG_TYPE, () => apiCatalog(baseUrl))],
    ['/robots.txt', file(TEXT_TYPE, () => robotsText(baseUrl))],
    ['/sitemap.xml', file('application/xml; charset=utf-8', () => sitemap(baseUrl, ['/', ...pages.keys()]))],
  ])

  const pictureAt = (path: string): Content | undefined => {
    const body = path.endsWith('.svg') ? guides.findPicture(path.slice('/docs/guides/'.length)) : undefined
    return body && { type: 'image/svg+xml', body }
  }
  const byPage = new Map(reference.entries.map((entry) => [entry.page, entry]))
  return {
    find: (path) => (pages.get(path) ?? files.get(path))?.() ?? pictureAt(path),
    search: (query) => searchPage(frame, query, search(query)).text,
    missing: (path) => missingPage(frame, path).text,
    findEndpoint: (path) => byPage.get(path),
    showAnswer: (entry, answer) => endpointPage(frame, entry, { ...options, answer }).text,
  }
}
