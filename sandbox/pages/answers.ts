import type { Random } from '../../src/kernel/random.ts'
import { type HttpAnswer, textAnswer } from '../play-http.ts'
import type { Kind } from './kinds.ts'
import { COMMON_OFFERS, OFFERS } from './offers.ts'
import { document, links, paragraphs } from './writing.ts'

type Visit = {
  readonly host: string
  /** The host without `www`. */
  readonly name: string
  readonly path: string
  readonly chance: (thing: string) => Random
}
type Page = { readonly name: string; readonly title: string; readonly chance: Random }

export function answerFor(kind: Kind, { host, name, path, chance }: Visit): HttpAnswer {
  if (/\.(?:ico|png|js|css|map)$/.test(path)) return textAnswer('Not found.\n', 404)
  if (kind === 'moved' && !host.startsWith('www.')) {
    return { ...html(''), status: 301, headers: { location: `http://www.${name}${path}` } }
  }
  const page = { name, title: titleOf(name), chance: chance(`page of ${name}`) }
  if (kind === 'lander' && path === '/') return html('<!doctype html><script>window.location.href = "/lander"</script>')
  return html(WRITERS[kind](page))
}

const html = (body: string): HttpAnswer => ({ status: 200, type: 'text/html; charset=utf-8', body })

/** `Harbour Bakery` for `taken-shop-harbour-bakery.com`. */
function titleOf(name: string): string {
  const words = (name.split('.').at(-2) ?? name).split('-').filter((word) => /^[a-z]/.test(word))
  return (words.length > 1 ? words.slice(-2) : words).map((word) => word[0]!.toUpperCase() + word.slice(1)).join(' ')
}

const TOPICS = ['Insurance', 'Flights', 'Credit Cards', 'Web Hosting', 'Online Courses', 'Used Cars', 'Loans', 'Hotels']

const forSale = ({ name, chance }: Page): string => {
  const byChance = COMMON_OFFERS[chance.below(COMMON_OFFERS.length)]!
  const parts = new Set(name.split(/[.-]/).slice(0, -1))
  const [lang, claim, text] = OFFERS.find(([language]) => parts.has(language)) ?? byChance
  const price = `${10 ** (2 + chance.below(3)) * (1 + chance.below(9))} USD`
  const form = '<form><input name="offer" placeholder="USD"><button>OK</button></form>'
  return document(`${name} ${claim}`, `<h1>${name} ${claim}</h1><p>${text}</p><p>${price}</p>${form}`, lang)
}

const WRITERS: Readonly<Record<Kind, (page: Page) => string>> = {
  forsale: forSale,
  lander: forSale,
  parked({ name, chance }) {
    const first = chance.below(TOPICS.length)
    const ads = Array.from({ length: 6 }, (_, at) => TOPICS[(first + at) % TOPICS.length]!)
    const list = ads.map((topic) => `<li><a href="/search?q=${encodeURIComponent(topic)}">${topic}</a></li>`).join('')
    const notice = 'The sponsored listings on this page come from a third party. This domain is parked.'
    return document(name, `<h1>${name}</h1><h2>Related searches</h2><ul>${list}</ul><p>${notice}</p>`)
  },
  registered: ({ name }) =>
    document(
      name,
      `<h1>${name}</h1><p>This domain has been registered by a customer of Ninefold Names. It is parked free of charge until its owner puts up a site.</p><a href="http://ninefold-names.example/">Is this your domain? Log in.</a>`,
    ),
  placeholder: ({ name }) =>
    document(
      name,
      `<h1>${name}</h1><p>This is a placeholder page. Are you the owner of this website? Upload your files.</p><a href="http://ninefold-names.example/hosting">Hosting by Ninefold Names</a>`,
    ),
  frameset: ({ name }) =>
    `<!doctype html><html><head><title>${name}</title></head><frameset rows="100%,*"><frame src="http://names-forsale.example/for-sale?domain=${name}"></frameset></html>\n`,
  expired: ({ name }) =>
    document(
      `${name} has expired`,
      `<h1>This domain has expired</h1><p>Are you the owner of ${name}? Renew it in your account.</p>`,
    ),
  shop({ title, chance }) {
    const goods = ['Kettle', 'Lamp', 'Basket', 'Blanket', 'Chair', 'Mirror', 'Clock', 'Vase']
    const list = goods.map(
      (one) => `<li><a href="/goods/${one.toLowerCase()}">${one}</a> ${5 + chance.below(90)}.00 EUR</li>`,
    )
    return document(title, `<h1>${title}</h1>${links()}<ul>${list.join('')}</ul>${paragraphs(6, chance)}`)
  },
  blog: ({ title, chance }) => document(title, `<h1>${title}</h1>${links()}${paragraphs(12, chance)}`),
  moved: ({ title, chance }) => document(title, `<h1>${title}</h1>${links()}${paragraphs(8, chance)}`),
  app({ title, chance }) {
    const inside = `<h1>${title}</h1>${links()}${paragraphs(5, chance)}`
    const script = `document.getElementById('app').innerHTML = ${JSON.stringify(inside).replaceAll('<', '\\u003c')}`
    return document(title, `<div id="app"></div><script>${script}</script>`)
  },
  soon: ({ title }) =>
    document(
      title,
      `<h1>${title}</h1><p>We are building something new and open in spring. Leave your address, and we will write once.</p><form><input type="email"><button>Tell me</button></form><p>Two friends, a workshop and 40 chairs to mend.</p>`,
    ),
  bare: () =>
    document(
      'Welcome to the web server',
      '<h1>It works!</h1><p>The web server is installed, but nothing was put into it yet. Its configuration is described in the manual.</p>',
    ),
  news({ title, chance }) {
    const story = `The old mill by the river is for sale for the third time in a decade, and the town may buy it.`
    return document(
      `${title}: mill for sale again`,
      `<h1>Mill for sale again</h1>${links()}<p>${story}</p>${paragraphs(10, chance)}`,
    )
  },
  article({ title, chance }) {
    const text =
      '“This domain is for sale” is what most sellers write, and then nothing happens. Put a price on it, and answer within a day.'
    return document(
      `How to sell a domain name | ${title}`,
      `<article><h1>How to sell a domain name</h1><p>${text}</p>${paragraphs(4, chance)}</article><a href="/">Home</a>`,
    )
  },
  hobby: ({ title, chance }) =>
    document(
      title,
      `<h1>${title}</h1>${paragraphs(2, chance)}<a href="/photos">Photos</a><footer>This domain may be for sale, mail me.</footer>`,
    ),
}
