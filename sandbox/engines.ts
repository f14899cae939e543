import type { Random } from '../src/kernel/random.ts'
import { metasearchBody, type Page, tokenSearchBody } from './engine-shapes.ts'
import { type ScriptedAnswer, serveHttp } from './http-server.ts'
import { answerOpenKnowledge, type Fame } from './open-knowledge.ts'
import { OK, outcomeOf, scriptOf } from './outcome.ts'
import { type HttpAnswer, jsonAnswer } from './play-http.ts'
import type { Simulator } from './simulator.ts'

const TOKEN = 'sandbox-search-token'

/**
 * Two search engines: a metasearch without a key, and one that needs a token; and the open services that the default
 * engine asks, for ONOMA_ENGINE_A_KIND=open. The results are random but fixed per seed
 * and name, and both engines agree. A name whose first word is one of `outcome.ts` (`slow orchard`) scripts both; with
 * the prefix `a-` or `b-` (`a-throttled orchard`) only that one.
 */
export const engines: Simulator = {
  name: 'engines',
  about: 'two search engines, a metasearch and one that needs a token; and the open services',
  async start({ chance, wait }) {
    const pagesOf = (name: string) => pagesFor(name, chance(name.toLowerCase()))
    const knownFor = (name: string) => {
      const own = chance(name.toLowerCase())
      return { fame: own.below(4) as Fame, chance: own }
    }
    const nameIn = (url: URL) => url.searchParams.get('q') ?? ''
    const metasearch = await serveHttp(
      ({ url }) =>
        // A default SearXNG installation has JSON disabled and answers 403.
        url.pathname === '/search' && url.searchParams.get('format') === 'json'
          ? respond('a', nameIn(url), jsonAnswer(metasearchBody(nameIn(url), pagesOf(nameIn(url)))))
          : refusal(403, 'FORBIDDEN'),
      { wait },
    )
    // Another port: the service backs off per host and port, so a throttled engine does not silence the other.
    const byToken = await serveHttp(
      ({ url, headers }) =>
        headers['x-subscription-token'] === TOKEN
          ? respond('b', nameIn(url), jsonAnswer(tokenSearchBody(nameIn(url), seenByToken(pagesOf(nameIn(url))))))
          : refusal(422, 'SUBSCRIPTION_TOKEN_INVALID'),
      { wait },
    ).catch(async (error: unknown) => {
      await metasearch.stop()
      throw error
    })
    const open = await serveHttp(({ url }) => answerOpenKnowledge(url, knownFor), { wait }).catch(
      async (error: unknown) => {
        await Promise.all([metasearch.stop(), byToken.stop()])
        throw error
      },
    )
    return {
      settings: {
        ONOMA_ENGINE_A_KIND: 'searxng',
        ONOMA_ENGINE_A_URL: metasearch.url,
        ONOMA_ENGINE_B_KIND: 'brave',
        ONOMA_ENGINE_B_URL: `${byToken.url}/res/v1/web/search`,
        ONOMA_ENGINE_B_KEY: TOKEN,
      },
      addresses: { metasearch: metasearch.url, 'token search': byToken.url, 'open knowledge': open.url },
      tryThese: ({ url }) => [
        { url: `${url}/v1/name-search-presence?name=orchard`, status: 200, shows: 'how visible a name is' },
        {
          url: `${url}/v1/name-search-presence?name=a-denied-orchard`,
          status: 200,
          shows: 'one search engine fails, the other answers',
        },
      ],
      async stop() {
        await Promise.all([metasearch.stop(), byToken.stop(), open.stop()])
      },
    }
  },
}

const refusal = (status: number, code: string): ScriptedAnswer => ({
  outcome: OK,
  answer: jsonAnswer({ error: { code } }, status),
})

function respond(engine: 'a' | 'b', name: string, answer: HttpAnswer): ScriptedAnswer {
  const [, aimedAt = engine, rest = ''] = /^(?:(a|b)-)?(.*)$/s.exec(name.toLowerCase()) ?? []
  return { outcome: aimedAt === engine ? outcomeOf(rest) : OK, answer }
}

/** This engine returns at most 9 of the pages. */
const seenByToken = (pages: readonly Page[]): readonly Page[] => pages.slice(0, 9)

/** Results by the first word of the name: several businesses that share the name, or forum posts only. */
const STORIES: Readonly<Record<'shared' | 'forum', (name: string, label: string) => readonly Page[]>> = {
  shared: (name, label) => [
    { title: `${name} Resort & Spa`, url: `https://www.${label}resort.example/`, snippet: 'Rooms and a pool.' },
    { title: `${name} Bank | Personal banking`, url: `https://${label}bank.example/`, snippet: 'Open an account.' },
    { title: `${name} Restaurant, Ellery`, url: 'https://townguide.example/r/1', snippet: 'See the menu.' },
  ],
  forum: (name) => [
    { title: `${name} - Page 2`, url: 'https://forum.example/viewtopic.php?t=1', snippet: 'A company I knew.' },
    { title: `${name} : r/fishing`, url: 'https://www.reddit.com/r/fishing/comments/1/x/', snippet: '3 comments' },
    { title: `Re: ${name}`, url: 'https://oldboards.example/threads/12', snippet: '14 replies' },
  ],
}
const STORY_WORDS = Object.keys(STORIES) as readonly (keyof typeof STORIES)[]

/** From an unknown name to a famous one, in four steps. */
function pagesFor(name: string, chance: Random): readonly Page[] {
  const label = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '') || 'name'
  const story = scriptOf(name, STORY_WORDS)
  if (story) return STORIES[story.word](name, label)
  const fame = chance.below(4)
  const pick = <T>(all: readonly T[]): T => all[chance.below(all.length)]!
  const mention = (at: number): Page => ({
    title: pick([`Who has seen ${name}?`, `A list with ${name} in it`, `Greetings from ${name}`]),
    url: `https://${pick(['talkshed', 'oldboards', 'fleaforum'])}.example/t/${at}`,
    snippet: `Posted by somebody who likes ${name}.`,
  })
  const own: Page = {
    title: `${name} | Official site`,
    url: `https://www.${label}.${pick(['com', 'net', 'io'])}/`,
    snippet: `${name} is a company founded in ${1950 + chance.below(70)}.`,
  }
  const known: Page[] = [
    {
      title: `${name} - Wikipedia`,
      url: `https://en.wikipedia.org/wiki/${label}`,
      snippet: 'An international company.',
    },
    {
      title: `${name} | LinkedIn`,
      url: `https://www.linkedin.com/company/${label}`,
      snippet: 'Employees, jobs, news.',
    },
    {
      title: `${name} on the App Store`,
      url: `https://apps.apple.com/app/${label}/id${1 + chance.below(999)}`,
      snippet: 'Download.',
    },
    {
      title: `${name} (@${label})`,
      url: `https://www.instagram.com/${label}/`,
      snippet: 'Posts, followers, following.',
    },
    { title: `${name} opens a plant`, url: 'https://ellery-post.example/4', snippet: `Our correspondent on ${name}.` },
  ]
  const noise = NOISE.map((title, at) => ({
    title,
    url: `https://valleyblog.example/p/${at}`,
    snippet: 'A page of ours.',
  }))
  const telling = [[], [mention(1)], [own, mention(1), mention(2)], [own, ...known, mention(1)]][fame]!
  return [...telling, ...noise].slice(0, 10)
}

const NOISE = [
  'How to sharpen a kitchen knife',
  'Ten walks near the coast',
  'Timetable of the harbour ferry',
  'A short history of lighthouses',
  'Council minutes, March session',
  'Weather for the weekend',
  'Results of the county fair',
  'Second-hand bicycles: what to check',
]
