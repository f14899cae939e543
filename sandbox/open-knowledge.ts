import type { Random } from '../src/kernel/random.ts'
import type { ScriptedAnswer } from './http-server.ts'
import { OK, outcomeOf } from './outcome.ts'
import { jsonAnswer, textAnswer } from './play-http.ts'

/** How well a name is known: 0 for not at all, up to 3. */
export type Fame = 0 | 1 | 2 | 3

/**
 * The open services, each below its host as behind a gateway, in the shapes that `test/providers/presence` has. The
 * name scripts the outcome of all of them.
 */
export function answerOpenKnowledge(
  url: URL,
  fameOf: (name: string) => { fame: Fame; chance: Random },
): ScriptedAnswer {
  const [, host = '', ...path] = url.pathname.split('/')
  const service = SERVICES[`${host}/${path.join('/')}`]
  if (!service) return { outcome: OK, answer: textAnswer('No such service is simulated.\n', 404) }
  const name = url.searchParams.get(service.parameter) ?? ''
  const { fame, chance } = fameOf(name)
  return { outcome: outcomeOf(name.toLowerCase()), answer: jsonAnswer(service.body(name, fame, chance)) }
}

type Service = {
  /** The parameter of the query that has the name. */
  readonly parameter: string
  body(name: string, fame: Fame, chance: Random): unknown
}

const labelOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '') || 'name'

const SERVICES: Readonly<Record<string, Service>> = {
  'www.wikidata.org/w/api.php': {
    parameter: 'search',
    body(name, fame, chance) {
      const id = `Q${990_000_000 + chance.below(9_999_999)}`
      const text = { value: name, language: 'en' }
      const description = 'company of the simulated internet'
      const item = {
        id,
        title: id,
        pageid: 990_000_000 + chance.below(9_999_999),
        concepturi: `http://www.wikidata.org/entity/${id}`,
        repository: 'wikidata',
        url: `//www.wikidata.org/wiki/${id}`,
        display: { label: text, description: { value: description, language: 'en' } },
        label: name,
        description,
        match: { type: 'label', language: 'en', text: name },
      }
      return { searchinfo: { search: name }, search: fame === 3 ? [item] : [], success: 1 }
    },
  },
  'en.wikipedia.org/w/api.php': {
    parameter: 'srsearch',
    body(name, fame, chance) {
      const article = {
        ns: 0,
        title: name,
        pageid: 990_000_000 + chance.below(9_999_999),
        size: 4000,
        wordcount: 600,
        snippet: `<span class="searchmatch">${name}</span> is a company founded in ${1950 + chance.below(70)}`,
        timestamp: '2026-10-01T08:00:00Z',
      }
      const search = fame === 3 ? [article] : []
      return { batchcomplete: '', query: { searchinfo: { totalhits: search.length }, search } }
    },
  },
  'api.gleif.org/api/v1/lei-records': {
    parameter: 'filter[entity.legalName]',
    body(name, fame, chance) {
      const lei = `9845000000${String(chance.below(1_000_000_000)).padStart(10, '0')}`
      const entity = {
        legalName: { name: `${name.toUpperCase()} LTD`, language: 'en' },
        otherNames: [],
        legalAddress: { country: 'IE', city: 'Ellery' },
        jurisdiction: 'IE',
        status: 'ACTIVE',
      }
      const attributes = { lei, entity, registration: { status: 'ISSUED' } }
      const data = fame >= 2 ? [{ type: 'lei-records', id: lei, attributes, relationships: {}, links: {} }] : []
      const pagination = { currentPage: 1, perPage: 10, from: 1, to: data.length, total: data.length, lastPage: 1 }
      return { meta: { goldenCopy: { publishDate: '2026-11-15T00:00:00Z' }, pagination }, links: {}, data }
    },
  },
  'api.github.com/search/users': {
    parameter: 'q',
    body(name, fame, chance) {
      const login = labelOf(name)
      const id = 990_000_000 + chance.below(9_999_999)
      const url = `https://api.github.com/users/${login}`
      const account = { login, id, url, html_url: `https://github.com/${login}`, type: 'User', score: 1 }
      return listOf(fame >= 1 ? [account] : [])
    },
  },
  'api.github.com/search/repositories': {
    parameter: 'q',
    body(name, fame, chance) {
      const label = labelOf(name)
      const repository = {
        id: 990_000_000 + chance.below(9_999_999),
        name: label,
        full_name: `${label}/${label}`,
        html_url: `https://github.com/${label}/${label}`,
        description: 'Software of the simulated internet',
        stargazers_count: fame === 3 ? 400 : 0,
        score: 1,
      }
      return listOf(fame >= 2 ? [repository] : [])
    },
  },
  'itunes.apple.com/search': {
    parameter: 'term',
    body(name, fame, chance) {
      const trackId = 990_000_000 + chance.below(9_999_999)
      const app = {
        kind: 'software',
        trackId,
        trackName: name,
        trackViewUrl: `https://apps.apple.com/us/app/${labelOf(name)}/id${trackId}?uo=4`,
        sellerName: `${name} Ltd`,
        bundleId: `example.${labelOf(name)}`,
        price: 0,
        currency: 'USD',
        description: 'An app of the simulated internet.',
      }
      const results = fame === 3 ? [app] : []
      return { resultCount: results.length, results }
    },
  },
}

const listOf = (items: readonly unknown[]) => ({ total_count: items.length, incomplete_results: false, items })
