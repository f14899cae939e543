import type { Random } from '../src/kernel/random.ts'
import { type ScriptedAnswer, serveHttp } from './http-server.ts'
import { OK, outcomeOf } from './outcome.ts'
import { type HttpAnswer, jsonAnswer } from './play-http.ts'
import type { Simulator } from './simulator.ts'

const PARTNER = 'sandbox-partner'
const KEY = 'sandbox-key'

type Letter = 'a' | 'b' | 'c' | 'd'

/**
 * Four marketplaces that answer as Sedo, Dynadot, Fastly and Porkbun do. Which names are for sale is random but fixed
 * per seed and name. A name that starts with a word of `outcome.ts` (`slow-shop.com`) scripts all of them; with the
 * prefix `a-` to `d-` (`a-throttled-shop.com`) only that one.
 */
export const aftermarket: Simulator = {
  name: 'aftermarket',
  about: 'four marketplaces for domains, as Sedo, Dynadot, Fastly and Porkbun answer',
  async start({ chance, wait }) {
    // One port each: the service backs off per host and port, so a throttled marketplace does not silence the others.
    const [a, b, c, d] = await Promise.all([
      serveHttp(
        ({ url: { searchParams } }) => {
          const domain = searchParams.get('domainlist[0]') ?? ''
          const isPartner = searchParams.get('partnerid') === PARTNER && searchParams.get('signkey') === KEY
          return respond('a', domain, isPartner ? sedoStatus(domain, chance(`a ${domain}`)) : sedoFault())
        },
        { wait },
      ),
      serveHttp(
        ({ url: { searchParams } }) => {
          const domain = searchParams.get('domain') ?? ''
          if (searchParams.get('key') !== KEY) return { outcome: OK, answer: dynadotError('Invalid API key') }
          if (searchParams.get('command') !== 'get_listing_item')
            return { outcome: OK, answer: dynadotError('Unknown command') }
          return respond('b', domain, dynadotListing(domain, chance(`b ${domain}`)))
        },
        { wait },
      ),
      serveHttp(
        ({ url: { searchParams }, headers }) => {
          const domain = searchParams.get('domain') ?? ''
          if (headers['fastly-key'] !== KEY) return { outcome: OK, answer: jsonAnswer({ msg: 'Unauthorized' }, 401) }
          return respond('c', domain, fastlyStatus(domain, chance(`c ${domain}`)))
        },
        { wait },
      ),
      serveHttp(
        ({ url: { searchParams }, headers }) => {
          const domain = `${searchParams.get('query')}.${searchParams.get('tlds[]')}`
          if (headers['x-api-key'] !== KEY || headers['x-secret-api-key'] !== KEY)
            return { outcome: OK, answer: jsonAnswer({ status: 'ERROR', message: 'Invalid API key.' }, 400) }
          return respond('d', domain, porkbunList(domain, chance(`d ${domain}`)))
        },
        { wait },
      ),
    ])
    return {
      settings: {
        ONOMA_AFTERMARKET_SOURCE_A_URL: `${a.url}/api/v1/DomainStatus`,
        ONOMA_AFTERMARKET_SOURCE_A_PARTNER_ID: PARTNER,
        ONOMA_AFTERMARKET_SOURCE_A_SIGN_KEY: KEY,
        ONOMA_AFTERMARKET_SOURCE_B_URL: `${b.url}/api3.xml`,
        ONOMA_AFTERMARKET_SOURCE_B_KEY: KEY,
        ONOMA_AFTERMARKET_SOURCE_C_URL: `${c.url}/domain-management/v1/tools/status`,
        ONOMA_AFTERMARKET_SOURCE_C_KEY: KEY,
        ONOMA_AFTERMARKET_SOURCE_D_URL: `${d.url}/api/json/v3/marketplace/getAll`,
        ONOMA_AFTERMARKET_SOURCE_D_KEY: KEY,
        ONOMA_AFTERMARKET_SOURCE_D_SECRET_KEY: KEY,
      },
      addresses: {
        'first marketplace': a.url,
        'second marketplace': b.url,
        'third marketplace': c.url,
        'fourth marketplace': d.url,
      },
      tryThese: ({ url }) => [
        {
          url: `${url}/v1/aftermarket/example.com`,
          status: 200,
          shows: 'where a domain is for sale, and for how much',
        },
        {
          url: `${url}/v1/aftermarket/a-throttled-shop.com`,
          status: 200,
          shows: 'one marketplace fails, the others answer',
        },
        {
          url: `${url}/v1/aftermarket/taken-forsale-shop.com?sources=dns_for_sale`,
          status: 200,
          shows: 'the offer of its holder, published in the DNS',
        },
        {
          url: `${url}/v1/aftermarket/taken-sedo-shop.com?sources=name_servers`,
          status: 200,
          shows: 'a domain with the name servers of a marketplace',
        },
      ],
      async stop() {
        await Promise.all([a, b, c, d].map((server) => server.stop()))
      },
    }
  },
}

function respond(marketplace: Letter, domain: string, answer: HttpAnswer): ScriptedAnswer {
  const [, target = marketplace, rest = ''] = /^(?:([a-d])-)?(.*)$/.exec(domain) ?? []
  return { outcome: target === marketplace ? outcomeOf(rest) : OK, answer }
}

const xml = (body: string): HttpAnswer => ({
  status: 200,
  type: 'application/xml',
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`,
})
const element = (name: string, text: string | number | boolean): string => `<${name}>${text}</${name}>`

const sedoFault = () =>
  xml(
    `<SEDOFAULT ver="1.0">${element('faultcode', 'E7')}${element('faultstring', 'Unknown partner ID or sign key.')}</SEDOFAULT>`,
  )

/** The domain, and another one that looks like it: both are in a real answer. */
function sedoStatus(domain: string, chance: Random): HttpAnswer {
  const kind = chance.below(3)
  const price = kind === 0 ? '0.00' : `${100 * (1 + chance.below(90))}.00`
  const currency = (['EUR', 'USD', '0', '1'] as const)[chance.below(4)]!
  const item = (name: string, isForSale: boolean) =>
    `<item type="tns:DomainStatusResponse[]">${[
      element('domain', name),
      element('type', 'D'),
      element('forsale', isForSale),
      element('price', price),
      element('currency', currency),
      element('visitors', 0),
      element('domainstatus', isForSale ? 1 : 0),
    ].join('')}</item>`
  return xml(`<SEDOLIST>${item(`my-${domain}`, true)}${item(domain, kind < 2)}</SEDOLIST>`)
}

const dynadotError = (words: string) =>
  xml(`<Response><ResponseHeader>${element('ResponseCode', -1)}${element('Error', words)}</ResponseHeader></Response>`)

function dynadotListing(domain: string, chance: Random): HttpAnswer {
  const kind = chance.below(3)
  if (kind === 2) return dynadotError(`${domain} is not listed for sale`)
  const header = element('SuccessCode', 0) + element('Status', 'success')
  const listing = [
    element('ListingId', 1_000_000 + chance.below(1_000_000)),
    element('Domain', domain),
    element('Price', kind === 0 ? '-0.01' : `${50 * (1 + chance.below(200))}.00`),
    element('InBoundLinks', chance.below(100)),
    element('Age', chance.below(25)),
  ].join('')
  return xml(
    `<GetListingItemResponse><GetListingItemHeader>${header}</GetListingItemHeader>` +
      `<GetListingItemContent><Listing>${listing}</Listing></GetListingItemContent></GetListingItemResponse>`,
  )
}

function fastlyStatus(domain: string, chance: Random): HttpAnswer {
  const isForSale = chance.below(2) === 0
  const zone = domain.slice(domain.indexOf('.') + 1)
  const price = `${10 * (1 + chance.below(500))}.00`
  const status = isForSale ? 'marketed priced active' : 'active'
  return jsonAnswer({
    domain,
    zone,
    status,
    tags: 'generic',
    scope: 'estimate',
    ...(isForSale && { offers: [{ vendor: 'am.godaddy.com', currency: 'USD', price }] }),
  })
}

/** A search: other names that contain the label are in the list too. */
function porkbunList(domain: string, chance: Random): HttpAnswer {
  const dot = domain.indexOf('.')
  const names = [`${domain.slice(0, dot)}s${domain.slice(dot)}`, ...(chance.below(2) === 0 ? [domain] : [])]
  const domains = names.map((name) => ({
    domain: name,
    tld: name.slice(name.indexOf('.') + 1),
    sld_length: name.indexOf('.'),
    price: 25 * (1 + chance.below(100)),
    create_date: '2026-10-01 12:00:00',
  }))
  return jsonAnswer({ status: 'SUCCESS', count: domains.length, domains })
}
