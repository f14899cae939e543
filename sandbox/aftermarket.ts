import type { Random } from '../src/kernel/random.ts'
import { type ScriptedAnswer, serveHttp } from './http-server.ts'
import { OK, outcomeOf } from './outcome.ts'
import { type HttpAnswer, jsonAnswer } from './play-http.ts'
import type { Simulator } from './simulator.ts'

const PARTNER = 'sandbox-partner'
const SIGN_KEY = 'sandbox-sign-key'
const TOKEN = 'sandbox-token'

/**
 * Two marketplaces, one with XML and one with JSON. Which names are for sale is random but fixed per seed and name. A
 * name that starts with a word of `outcome.ts` (`slow-shop.com`) scripts both; with the prefix `a-` or `b-`
 * (`a-throttled-shop.com`) only that one.
 */
export const aftermarket: Simulator = {
  name: 'aftermarket',
  about: 'two marketplaces for domains, one with XML and one with JSON',
  async start({ chance, wait }) {
    // Two ports: the service backs off per host and port, so a throttled marketplace does not silence the other.
    const [a, b] = await Promise.all([
      serveHttp(
        ({ url: { searchParams } }) => {
          const domain = searchParams.get('domainlist[]') ?? ''
          const isPartner = searchParams.get('partnerid') === PARTNER && searchParams.get('signkey') === SIGN_KEY
          return respond(
            'a',
            domain,
            isPartner ? statusList(domain, chance(domain)) : fault('invalid partner ID or sign key'),
          )
        },
        { wait },
      ),
      serveHttp(
        ({ url, headers }) => {
          const domain = decodeURIComponent(url.pathname.replace(/^\/names\//, ''))
          const isAuthorized = headers.authorization === `Bearer ${TOKEN}`
          if (!isAuthorized) return { outcome: OK, answer: jsonAnswer({ code: 'UNAUTHORIZED' }, 401) }
          return respond('b', domain, listing(domain, chance(domain)))
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
        {
          url: `${url}/v1/aftermarket/example.com`,
          status: 200,
          shows: 'where a domain is for sale, and for how much',
        },
        {
          url: `${url}/v1/aftermarket/a-throttled-shop.com`,
          status: 200,
          shows: 'one marketplace fails, the other answers',
        },
        {
          url: `${url}/v1/aftermarket/taken-forsale-shop.com?sources=dns_for_sale`,
          status: 200,
          shows: 'the offer of its holder, published in the DNS',
        },
      ],
      async stop() {
        await Promise.all([a.stop(), b.stop()])
      },
    }
  },
}

function respond(marketplace: 'a' | 'b', domain: string, answer: HttpAnswer): ScriptedAnswer {
  const [, target = marketplace, rest = ''] = /^(?:(a|b)-)?(.*)$/.exec(domain) ?? []
  return { outcome: target === marketplace ? outcomeOf(rest) : OK, answer }
}

const xml = (body: string): HttpAnswer => ({
  status: 200,
  type: 'application/xml',
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`,
})

const fault = (message: string) =>
  xml(`<SEDOFAULT ver="1.0"><faultcode>E0001</faultcode><faultstring>${message}</faultstring></SEDOFAULT>`)

function statusList(domain: string, chance: Random): HttpAnswer {
  const kind = chance.below(3)
  const price = kind === 0 ? '0.00' : `${100 * (1 + chance.below(90))}.00`
  const item = `<domain>${domain}</domain><forsale>${kind < 2}</forsale><price>${price}</price><currency>${chance.below(2) === 0 ? 'EUR' : 'USD'}</currency><domainstatus>1</domainstatus>`
  return xml(`<SEDOLIST xmlns="https://marketplace.example/"><item>${item}</item></SEDOLIST>`)
}

function listing(domain: string, chance: Random): HttpAnswer {
  // Skip the value that decided the other marketplace, so that the two are independent.
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
