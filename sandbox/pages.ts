import { type Scene, serveHttp } from './http-server.ts'
import { outcomeOf } from './outcome.ts'
import { answerFor } from './pages/answers.ts'
import { kindOf } from './pages/kinds.ts'
import type { Simulator, Surroundings } from './simulator.ts'

/**
 * The web: one server that has a page for every host name. What it shows says a word in the name
 * (`taken-parked-shop.com`, see `pages/kinds.ts`) or chance, the same for the same name; one of `outcome.ts` says how it
 * goes (`taken-slow-shop.com`), and is the registry's business too unless a word such as `taken` stands before it.
 */
export const pages: Simulator = {
  name: 'pages',
  about: 'the web: a page for every name that somebody visits',
  async start({ chance, wait }) {
    const server = await serveHttp(({ url, headers }) => sceneFor(headers.host ?? '', url.pathname, chance), { wait })
    return {
      settings: { ONOMA_SANDBOX_PAGES: new URL(server.url).port },
      addresses: { web: server.url },
      tryThese: ({ url }) => [
        {
          url: `${url}/v1/intel?domain=free-shop.com`,
          status: 402,
          shows: 'what it costs to have a name looked at',
        },
        {
          command: `npm run pay -- '${url}/v1/intel?domain=taken-forsale-shop.com'`,
          shows: 'a name that is for sale, with a picture of its page; needs Chromium',
        },
      ],
      stop: server.stop,
    }
  },
}

function sceneFor(authority: string, path: string, chance: Surroundings['chance']): Scene {
  // A browser sends nothing else, and what is not in it needs no care where it is shown.
  const [host = 'nowhere.example'] = /^[a-z0-9.-]+(?=:\d+$|$)/.exec(authority.toLowerCase()) ?? []
  const name = host.replace(/^www\./, '')
  const label = name.split('.').at(-2) ?? name
  // A word about the state of a name is the registry's; what stands behind it is ours.
  const script = label.replace(/^(?:taken|held|reserved|signed|lame|bogus|free|premium)-/, '')
  return { outcome: outcomeOf(script), answer: answerFor(kindOf(script, chance(name)), { host, name, path, chance }) }
}
