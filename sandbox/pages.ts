import { type ScriptedAnswer, serveHttp } from './http-server.ts'
import { outcomeOf } from './outcome.ts'
import { answerFor } from './pages/answers.ts'
import { kindOf } from './pages/kinds.ts'
import type { Simulator, SimulatorContext } from './simulator.ts'

/**
 * The web: one server with a page for every host name. A word in the name selects the page (`taken-parked-shop.com`, see
 * `pages/kinds.ts`); other names get a random page, fixed per seed and name. A word of `outcome.ts` scripts a failure
 * (`taken-slow-shop.com`); without a state word such as `taken` before it, the registry fails too.
 */
export const pages: Simulator = {
  name: 'pages',
  about: 'the web: a page for every domain that is visited',
  async start({ chance, wait }) {
    const server = await serveHttp(({ url, headers }) => respond(headers.host ?? '', url.pathname, chance), { wait })
    return {
      settings: {
        ONOMA_SANDBOX_PAGES: new URL(server.url).port,
        // Chromium has no sandbox for root, and the only pages here are our own.
        ...(process.getuid?.() === 0 && { ONOMA_BROWSER_SANDBOX: 'off' }),
      },
      addresses: { web: server.url },
      tryThese: ({ url }) => [
        {
          url: `${url}/v1/intel?domain=free-shop.com`,
          status: 402,
          shows: 'a page inspection without payment: the price and how to pay',
        },
        {
          command: `npm run pay -- '${url}/v1/intel?domain=taken-forsale-shop.com'`,
          shows: 'a domain for sale, with a screenshot of its page; needs Chromium',
        },
      ],
      stop: server.stop,
    }
  },
}

function respond(authority: string, path: string, chance: SimulatorContext['chance']): ScriptedAnswer {
  // Browsers send only these characters, and none of them needs escaping in HTML.
  const [host = 'nowhere.example'] = /^[a-z0-9.-]+(?=:\d+$|$)/.exec(authority.toLowerCase()) ?? []
  const name = host.replace(/^www\./, '')
  const label = name.split('.').at(-2) ?? name
  // A leading state word is for the registry; the words after it are for this simulator.
  const script = label.replace(/^(?:taken|held|reserved|signed|lame|bogus|free|premium)-/, '')
  return { outcome: outcomeOf(script), answer: answerFor(kindOf(script, chance(name)), { host, name, path, chance }) }
}
