import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import { composeRoutes } from '../../src/app/compose.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { ERRORS } from '../../src/kernel/errors.ts'
import { startReferenceService } from '../support/reference-service.ts'

const { routes, close } = composeRoutes(loadConfig({}))

suite('files for programs', () => {
  let service: Awaited<ReturnType<typeof startReferenceService>>
  before(async () => {
    service = await startReferenceService()
  })
  after(async () => {
    await service.stop()
    await close()
  })
  const textOf = async (path: string, type: string) => {
    const { status, headers, text } = await service.get(path)
    assert.deepEqual([status, headers['content-type']], [200, type], path)
    return text
  }
  const TEXT = 'text/plain; charset=utf-8'
  const MARKDOWN = 'text/markdown; charset=utf-8'
  const XML = 'application/xml; charset=utf-8'
  const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

  test('the texts for agents name every endpoint', async () => {
    for (const [path, type] of [
      ['/llms.txt', TEXT],
      ['/llms-full.txt', TEXT],
      ['/skill.md', MARKDOWN],
    ] as const) {
      const text = await textOf(path, type)
      for (const { endpoint } of routes) {
        // An agent has no reason to use the old ones.
        if (path === '/skill.md' && endpoint.deprecated) continue
        assert.ok(text.includes(`${endpoint.method} ${endpoint.path}`), `${path} lacks ${endpoint.name}`)
        assert.ok(text.includes(endpoint.summary), `${path} lacks the summary of ${endpoint.name}`)
      }
    }
    const full = await textOf('/llms-full.txt', TEXT)
    for (const code of Object.keys(ERRORS)) assert.ok(full.includes(`\`${code}\``), code)
    assert.match(await textOf('/skill.md', MARKDOWN), /^---\nname: onoma\ndescription: .{40,}\n---\n/)
  })

  test('llms.txt names every guide, and each has its page and its place in the site map', async () => {
    const names = globSync('**/*.md', { cwd: new URL('../../docs/', import.meta.url) })
      .map((file) => file.replaceAll('\\', '/').replace(/\.md$/, ''))
      .filter((name) => name !== 'README')
    assert.ok(names.length > 20)
    const [list, siteMap] = [await textOf('/llms.txt', TEXT), await textOf('/sitemap.xml', XML)]
    for (const name of names) {
      const page = `/docs/guides/${name}`
      assert.ok(list.includes(`](${service.url}${page})`), `/llms.txt lacks ${name}`)
      assert.ok(siteMap.includes(`<loc>${service.url}${page}</loc>`), `/sitemap.xml lacks ${name}`)
      assert.equal((await service.get(page)).status, 200, page)
    }
  })

  test('the site map has every page of the reference', async () => {
    const text = await textOf('/sitemap.xml', XML)
    for (const path of ['/', '/docs', '/docs/guides', '/docs/guides/payments', '/docs/errors/not_found'])
      assert.ok(text.includes(`<loc>${service.url}${path}</loc>`), path)
    for (const { endpoint } of routes) assert.ok(text.includes(`<loc>${service.url}/docs/${endpoint.name}</loc>`))
  })

  test('the API catalog is a linkset with the description of each way in (RFC 9727)', async () => {
    const { linkset } = JSON.parse(await textOf('/.well-known/api-catalog', LINKSET)) as {
      linkset: Record<string, { href: string }[]>[]
    }
    assert.deepEqual(linkset[0]!['item'], [{ href: `${service.url}/` }, { href: `${service.url}/mcp` }])
    assert.equal(linkset[1]!['service-desc']![0]!.href, `${service.url}/openapi.json`)
    const head = await fetch(`${service.url}/.well-known/api-catalog`, { method: 'HEAD' })
    assert.equal(head.status, 200)
  })

  test('crawlers may read the pages, and nothing that asks a registry', async () => {
    const text = await textOf('/robots.txt', TEXT)
    assert.match(text, /^Disallow: \/$/m)
    assert.match(text, new RegExp(`^Sitemap: ${service.url}/sitemap.xml$`, 'm'))
    for (const { endpoint } of routes)
      assert.ok(
        ![...text.matchAll(/^Allow: (\S+)$/gm)].some(([, path]) => endpoint.path.startsWith(path!)),
        endpoint.name,
      )
  })

  test('every address that a file names answers', async () => {
    const { href: mcp } = new URL('/mcp', service.url)
    const asked = new Map<string, number>()
    for (const [path, type] of [
      ['/llms.txt', TEXT],
      ['/llms-full.txt', TEXT],
      ['/skill.md', MARKDOWN],
      ['/sitemap.xml', XML],
      ['/.well-known/api-catalog', LINKSET],
      ['/robots.txt', TEXT],
    ] as const) {
      const text = await textOf(path, type)
      const named = [...text.matchAll(/https?:\/\/127\.0\.0\.1:\d+[^\s"'<>)`|]*/g)].map(([url]) =>
        url.replace(/[.,:]$/, ''),
      )
      const allowed = [...text.matchAll(/^Allow: (\/[^\s$]*)/gm)].map(([, allow]) => new URL(allow!, service.url).href)
      for (const url of [...named, ...allowed]) {
        // Templates, addresses of the guides' own examples, and a folder.
        if (url.includes('{') || !url.startsWith(service.url) || url.endsWith('/assets/')) continue
        const status = asked.get(url) ?? (await fetch(url)).status
        asked.set(url, status)
        // A GET of these is not allowed; they exist.
        const isPost =
          url === mcp || routes.some(({ endpoint }) => endpoint.method === 'POST' && url.endsWith(endpoint.path))
        assert.notEqual(status, 404, `${path} names ${url}`)
        if (!isPost && !url.includes('/v1/')) assert.equal(status, 200, `${path} names ${url}`)
      }
    }
    assert.ok(asked.size > routes.length * 2)
  })
})
