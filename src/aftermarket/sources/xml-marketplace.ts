import { SaxesParser } from 'saxes'
import { UpstreamError } from '../../kernel/errors.ts'
import type { DomainName } from '../../kernel/names.ts'
import type { Upstream } from '../../kernel/upstream/client.ts'
import type { Marketplace, Offer } from '../marketplace.ts'
import { fillTemplate, parseLink, parsePrice, invalidReply } from './values.ts'

export type XmlMarketplaceOptions = {
  readonly upstream: Upstream
  /** URL of its `DomainStatus` call. */
  readonly url: string
  readonly partnerId: string
  readonly signKey: string
  /** URL of the page about a domain, with `{domain}` as a placeholder; the other with the operator's affiliate id. */
  readonly page: string
  readonly affiliatePage: string | null
  readonly platform: string
}

/** Its numeric currency codes. */
const CURRENCIES: Readonly<Record<string, string>> = { '0': 'EUR', '1': 'USD', '2': 'GBP' }
const MAX_DEPTH = 8
const MAX_ITEMS = 100

type Item = Record<string, string>

/** The first marketplace: responds with XML, one item for each requested domain. */
export function xmlMarketplace(options: XmlMarketplaceOptions): Marketplace {
  const { upstream, url, partnerId, signKey, page, affiliatePage, platform } = options
  return {
    id: 'source_a',
    platform,
    pageOf: (domain) => ({
      url: fillTemplate(page, domain),
      affiliateUrl: fillTemplate(affiliatePage ?? page, domain),
    }),
    async find(domain, signal) {
      const query = new URL(url)
      query.searchParams.set('partnerid', partnerId)
      query.searchParams.set('signkey', signKey)
      query.searchParams.set('output_method', 'xml')
      query.searchParams.set('domainlist[]', domain)
      const reply = await upstream.request({
        url: query,
        headers: { accept: 'application/xml' },
        accept: [200],
        signal,
      })
      return parseReply(reply.text(), domain)
    },
  }
}

/** Parses the offer for a domain. Throws UpstreamError if the reply is a fault or about another domain. */
export function parseReply(xml: string, domain: DomainName): Offer | null {
  const { root, items, fields } = parseItems(xml)
  if (root === 'SEDOFAULT') throw faultOf(fields['faultcode'] ?? '', fields['faultstring'] ?? '')
  const item = items.find((one) => one['domain']?.toLowerCase() === domain)
  if (!item) throw invalidReply('the marketplace', 'replied about another domain')
  if (!/^(?:true|1)$/i.test(item['forsale'] ?? '')) return null
  const currency = item['currency'] ?? ''
  const price = parsePrice(item['price'] ?? '0', CURRENCIES[currency] ?? currency)
  if (price === undefined) throw invalidReply('the marketplace', 'sent an invalid price')
  return {
    sale: price === null ? 'makeOffer' : 'buyNow',
    price,
    makeOffer: price === null,
    auction: null,
    url: parseLink(item['url'] ?? ''),
  }
}

/** The fault codes are documented for partners only, so the text decides. */
function faultOf(code: string, words: string): UpstreamError {
  const failure = /accept|auth|login|partner|sign|denied|permission/i.test(words)
    ? 'auth_error'
    : /limit|often|quota/i.test(words)
      ? 'rate_limited'
      : 'unavailable'
  return new UpstreamError(failure, `the marketplace answered with the fault ${code.slice(0, 20)}`)
}

/** Parses the items, each with the texts of its elements. Documents with a document type are refused. */
function parseItems(xml: string): { root: string; items: Item[]; fields: Item } {
  const parser = new SaxesParser()
  const items: Item[] = []
  const fields: Item = {}
  const path: string[] = []
  let text = ''
  parser.on('doctype', () => parser.fail('it has a document type'))
  parser.on('error', (error) => {
    throw invalidReply('the marketplace', 'did not send XML', error)
  })
  parser.on('opentag', ({ name }) => {
    path.push(name.toLowerCase())
    text = ''
    if (path.length > MAX_DEPTH || items.length > MAX_ITEMS)
      parser.fail('it is nested too deeply or has too many items')
    if (name.toLowerCase() === 'item') items.push({})
  })
  parser.on('text', (part) => (text += part))
  parser.on('cdata', (part) => (text += part))
  parser.on('closetag', () => {
    const name = path.pop()!
    const into = path.includes('item') ? items.at(-1)! : fields
    if (name !== 'item' && path.length > 0) into[name] ??= text.trim().slice(0, 4096)
    text = ''
  })
  let root = ''
  parser.on('opentagstart', ({ name }) => (root ||= name))
  parser.write(xml).close()
  return { root, items, fields }
}
