/** `/.well-known/api-catalog` (RFC 9727): a linkset (RFC 9264) with the two ways in, and where each is described. */
export const apiCatalog = (baseUrl: string): string =>
  JSON.stringify({
    linkset: [
      {
        anchor: `${baseUrl}/.well-known/api-catalog`,
        item: [{ href: `${baseUrl}/` }, { href: `${baseUrl}/mcp` }],
      },
      {
        anchor: `${baseUrl}/`,
        'service-desc': [{ href: `${baseUrl}/openapi.json`, type: 'application/json' }],
        'service-doc': [
          { href: `${baseUrl}/docs`, type: 'text/html' },
          { href: `${baseUrl}/llms.txt`, type: 'text/plain' },
        ],
        status: [{ href: `${baseUrl}/health`, type: 'application/json' }],
      },
      {
        anchor: `${baseUrl}/mcp`,
        'service-doc': [{ href: `${baseUrl}/skill.md`, type: 'text/markdown' }],
      },
    ],
  })

export const API_CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

/** What crawlers may read. Everything else asks registries, which would be a request of a crawler to all of them. */
const FOR_CRAWLERS = [
  '/docs',
  '/assets/',
  '/favicon.svg',
  '/llms.txt',
  '/llms-full.txt',
  '/skill.md',
  '/openapi.json',
  '/.well-known/api-catalog',
  '/sitemap.xml',
]

export const robotsText = (baseUrl: string): string => `User-agent: *
Allow: /$
${FOR_CRAWLERS.map((path) => `Allow: ${path}`).join('\n')}
Disallow: /

Sitemap: ${baseUrl}/sitemap.xml
`

export const sitemap = (baseUrl: string, paths: readonly string[]): string => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${paths.map((path) => `<url><loc>${escapeXml(baseUrl + path)}</loc></url>`).join('\n')}
</urlset>
`

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll("'", '&apos;')
