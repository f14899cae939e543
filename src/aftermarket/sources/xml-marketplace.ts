import { SaxesParser } from 'saxes'
import { UpstreamError } from '../../kernel/errors.ts'
import type { DomainName } from '../../kernel/names.ts'
import type { Upstream } from '../../kernel/upstream/client.ts'
import type { Marketplace, Offer } from '../marketplace.ts'
import { fillIn, readLink, readPrice, unreadable } from './values.ts'

export type XmlMarketplaceOptions = {
  readonly upstream: Upstream
  /** Of its `DomainStatus` call. */
  readonly url: string
  readonly partnerId: string
  readonly signKey: string
  /** The page about a name, with `{domain}` in it; the other with the operator's affiliate id. */
  readonly page: string
  readonly affiliatePage: string | null
  readonly platform: string
}

/** Numbers that its answers use instead of codes. */
const CURRENCIES: Readonly<Record<string, string>> = { '0': 'EUR', '1': 'USD', '2': 'GBP' }
const MAX_DEPTH = 8
const MAX_ITEMS = 100

type Item = Record<string, string>

/** The first marketplace: answers in XML, one item for each name asked about. */
export function xmlMarketplace(options: XmlMarketplaceOptions): Marketplace {
  const { upstream, url, partnerId, signKey, page, affiliatePage, platform } = options
  return {
    id: 'source_a',
    platform,
    pageOf: (domain) => ({ url: fillIn(page, domain), affiliateUrl: fillIn(affiliatePage ?? page, domain) }),
    async find(domain, signal) {
      const question = new URL(url)
      question.searchParams.set('partnerid', partnerId)
      question.searchParams.set('signkey', signKey)
      question.searchParams.set('output_method', 'xml')
      question.searchParams.set('domainlist[]', domain)
      const reply = await upstream.request({
        url: question,
        headers: { accept: 'application/xml' },
        accept: [200],
        signal,
      })
      return readAnswer(reply.text(), domain)
    },
  }
}

/** What an answer says about a name. Throws UpstreamError where it says nothing about it, or is a fault. */
export function readAnswer(xml: string, domain: DomainName): Offer | null {
  const { root, items, fields } = readItems(xml)
  if (root === 'SEDOFAULT') throw faultOf(fields['faultcode'] ?? '', fields['faultstring'] ?? '')
  const item = items.find((one) => one['domain']?.toLowerCase() === domain)
  if (!item) throw unreadable('the marketplace', 'did not speak of the name it was asked about')
  if (!/^(?:true|1)$/i.test(item['forsale'] ?? '')) return null
  const currency = item['currency'] ?? ''
  const price = readPrice(item['price'] ?? '0', CURRENCIES[currency] ?? currency)
  if (price === undefined) throw unreadable('the marketplace', 'sent a price that is none')
  return {
    sale: price === null ? 'makeOffer' : 'buyNow',
    price,
    makeOffer: price === null,
    auction: null,
    url: readLink(item['url'] ?? ''),
  }
}

/** Which of its codes means what is told to partners only; the words have to do. */
function faultOf(code: string, words: string): UpstreamError {
  const failure = /accept|auth|login|partner|sign|denied|permission/i.test(words)
    ? 'auth_error'
    : /limit|often|quota/i.test(words)
      ? 'rate_limited'
      : 'unavailable'
  return new UpstreamError(failure, `the marketplace answered with the fault ${code.slice(0, 20)}`)
}

/** The items of a list, each with the texts of its elements. Documents with entities of their own are refused. */
function readItems(xml: string): { root: string; items: Item[]; fields: Item } {
  const parser = new SaxesParser()
  const items: Item[] = []
  const fields: Item = {}
  const path: string[] = []
  let text = ''
  parser.on('doctype', () => parser.fail('it brings a document type'))
  parser.on('error', (error) => {
    throw unreadable('the marketplace', 'did not send XML', error)
  })
  parser.on('opentag', ({ name }) => {
    path.push(name.toLowerCase())
    text = ''
    if (path.length > MAX_DEPTH || items.length > MAX_ITEMS) parser.fail('it is deeper or longer than any answer')
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
