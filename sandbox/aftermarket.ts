import type { Random } from '../src/kernel/random.ts'
import { type Scene, serveHttp } from './http-server.ts'
import { OK, outcomeOf } from './outcome.ts'
import { type Answer, jsonAnswer } from './play-http.ts'
import type { Simulator } from './simulator.ts'

const PARTNER = 'sandbox-partner'
const SIGN_KEY = 'sandbox-sign-key'
const TOKEN = 'sandbox-token'

/**
 * Two marketplaces, one that speaks XML and one that speaks JSON. What is for sale where is chance, the same for the
 * same name; a name that starts with a word of `outcome.ts` (`slow-shop.com`) makes both behave so, with `a-` or `b-`
 * before it (`a-throttled-shop.com`) only that one.
 */
export const aftermarket: Simulator = {
  name: 'aftermarket',
  about: 'two marketplaces for names, one that answers in XML and one in JSON',
  async start({ chance, wait }) {
    // Each has its own port: who is told by one to stay away need not stay away from the other.
    const [a, b] = await Promise.all([
      serveHttp(
        ({ url: { searchParams } }) => {
          const domain = searchParams.get('domainlist[]') ?? ''
          const isPartner = searchParams.get('partnerid') === PARTNER && searchParams.get('signkey') === SIGN_KEY
          return sceneFor('a', domain, isPartner ? statusList(domain, chance(domain)) : fault('not accepted'))
        },
        { wait },
      ),
      serveHttp(
        ({ url, headers }) => {
          const domain = decodeURIComponent(url.pathname.replace(/^\/names\//, ''))
          const isKnown = headers.authorization === `Bearer ${TOKEN}`
          if (!isKnown) return { outcome: OK, answer: jsonAnswer({ code: 'UNAUTHORIZED' }, 401) }
          return sceneFor('b', domain, listing(domain, chance(domain)))
        },
        { wait },
      ),
    ])
    return {
      settings: {
        ONOMA_AFTERMARKET_SOURCE_A_URL: `${a.url}/DomainStatus`,
        ONOMA_AFTERMARKET_SOURCE_A_PARTNER_ID: PARTNER,
        ONOMA_AFTERMARKET_SOURCE_A_SIGN_KEY: SIGN_KEY,
        ONOMA_AFTERMARKET_SOURCE_B_URL: `${b.url}/names/{domain}`,
        ONOMA_AFTERMARKET_SOURCE_B_HEADER: `Authorization: Bearer ${TOKEN}`,
      },
      addresses: { 'first marketplace': a.url, 'second marketplace': b.url },
      tryThese: ({ url }) => [
        { url: `${url}/v1/aftermarket/example.com`, status: 200, shows: 'where a name is for sale' },
        {
          url: `${url}/v1/aftermarket/a-throttled-shop.com`,
          status: 200,
          shows: 'one marketplace fails, the other answers',
        },
        {
          url: `${url}/v1/aftermarket/taken-forsale-shop.com?sources=dns_for_sale`,
          status: 200,
          shows: 'what its holder says in the DNS',
        },
      ],
      async stop() {
        await Promise.all([a.stop(), b.stop()])
      },
    }
  },
}

function sceneFor(shop: 'a' | 'b', domain: string, answer: Answer): Scene {
  const [, aimedAt = shop, rest = ''] = /^(?:(a|b)-)?(.*)$/.exec(domain) ?? []
  return { outcome: aimedAt === shop ? outcomeOf(rest) : OK, answer }
}

const xml = (body: string): Answer => ({
  status: 200,
  type: 'application/xml',
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`,
})

const fault = (words: string) =>
  xml(`<SEDOFAULT ver="1.0"><faultcode>E0001</faultcode><faultstring>${words}</faultstring></SEDOFAULT>`)

function statusList(domain: string, chance: Random): Answer {
  const kind = chance.below(3)
  const price = kind === 0 ? '0.00' : `${100 * (1 + chance.below(90))}.00`
  const item = `<domain>${domain}</domain><forsale>${kind < 2}</forsale><price>${price}</price><currency>${chance.below(2) === 0 ? 'EUR' : 'USD'}</currency><domainstatus>1</domainstatus>`
  return xml(`<SEDOLIST xmlns="https://marketplace.example/"><item>${item}</item></SEDOLIST>`)
}

function listing(domain: string, chance: Random): Answer {
  // What the first one drew is not drawn again.
  chance.fraction()
  const kind = (['BuyNow', 'Bid', 'MakeOffer', 'Backorder', 'None'] as const)[chance.below(5)]
  if (kind === 'None') return jsonAnswer({ code: 'NOT_FOUND' }, 404)
  return jsonAnswer({
    domainName: domain.toUpperCase(),
    auctionType: kind,
    ...(kind !== 'MakeOffer' && { price: `$${1 + chance.below(20)},${String(chance.below(10))}00` }),
    ...(kind === 'Bid' && { auctionEndTime: '2027-01-15T16:00:00Z', numberOfBids: chance.below(30), reserveMet: true }),
  })
}
