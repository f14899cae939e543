/** A search result, before it is put into the format of an engine. */
export type Page = { readonly title: string; readonly url: string; readonly snippet: string }

/** The body of a SearXNG-style metasearch, with fields that the service does not read. */
export const metasearchBody = (query: string, pages: readonly Page[]): unknown => ({
  query,
  results: pages.map(({ title, url, snippet }, at) => ({
    url,
    title,
    content: snippet,
    engine: 'first',
    engines: ['first', 'second'],
    positions: [at + 1],
    score: 1 / (at + 1),
    category: 'general',
  })),
  answers: [],
  infoboxes: [],
  suggestions: [],
  unresponsive_engines: [['third', 'timeout']],
})

/** The body of a Brave-style search: HTML-escaped, with the query in bold. */
export const tokenSearchBody = (query: string, pages: readonly Page[]): unknown => ({
  type: 'search',
  query: { original: query },
  ...(pages.length > 0 && {
    web: {
      type: 'search',
      results: pages.map(({ title, url, snippet }) => ({
        type: 'search_result',
        title: escaped(title),
        url,
        description: escaped(snippet).replaceAll(escaped(query), `<strong>${escaped(query)}</strong>`),
      })),
    },
  }),
})

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll("'", '&#x27;').replaceAll('"', '&quot;')
