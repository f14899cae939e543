/** A page that a search engine shows, before it is put into the words of that engine. */
export type Page = { readonly title: string; readonly url: string; readonly snippet: string }

/** What the two kinds of engine would send: marked up by one, with much else around it by both. */
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
