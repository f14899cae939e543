import type { Mount } from '../http/exchange.ts'
import type { SiteNeeds } from './site.ts'

const PAGES = [
  '/docs',
  '/docs/errors',
  '/docs/errors/{code}',
  '/docs/guides',
  '/docs/guides/{guide}',
  '/docs/guides/adr/{guide}',
  '/llms.txt',
  '/llms-full.txt',
  '/skill.md',
  '/.well-known/api-catalog',
  '/robots.txt',
  '/sitemap.xml',
] as const

/** Where an example can be run, too. */
const ENDPOINT_PAGE = '/docs/{page}'

/** The reference, the guides and the files for programs. Everything they are made with is loaded at the first request. */
export function docsMounts(needs: SiteNeeds): Mount[] {
  let handler: Promise<Mount['handle']> | undefined
  const load = async () => (await import('./handler.ts')).docsHandler(needs)
  const handle: Mount['handle'] = async (...request) => (await (handler ??= load()))(...request)
  const mount = (path: Mount['path'], methods: readonly string[]): Mount => ({
    name: 'docs',
    methods,
    path,
    rate: 'document',
    handle,
  })
  return [...PAGES.map((path) => mount(path, ['GET'])), mount(ENDPOINT_PAGE, ['GET', 'POST'])]
}
