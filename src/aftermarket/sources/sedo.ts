import { UpstreamError } from '../../kernel/errors.ts'
import type { DomainName } from '../../kernel/names.ts'
import type { Upstream } from '../../kernel/upstream/client.ts'
import type { Marketplace, Offer } from '../marketplace.ts'
import { fixedPage, invalidReply, parsePrice } from './values.ts'
import { parseXmlReply } from './xml-records.ts'

export type SedoOptions = {
  readonly upstream: Upstream
  /** URL of its `DomainStatus` call. */
  readonly url: string
  readonly partnerId: string
  readonly signKey: string
  /** Some partners must also send the login of their account; null for the others. */
  readonly login: { readonly username: string; readonly password: string } | null
  readonly affiliatePage: string | null
}

export const SEDO_PAGE = 'https://sedo.com/search/details/?domain={domain}'

/** Its currencies are ISO codes or these numbers. */
const CURRENCIES: Readonly<Record<string, string>> = { '0': 'EUR', '1': 'USD', '2': 'GBP' }

/** Sedo: one item for each domain asked about, and for others that look like it. */
export function sedo({ upstream, url, partnerId, signKey, login, affiliatePage }: SedoOptions): Marketplace {
  return {
    id: 'source_a',
    platform: 'Sedo',
    pageOf: fixedPage(SEDO_PAGE, affiliatePage),
    async find(domain, signal) {
      const query = new URL(url)
      query.searchParams.set('partnerid', partnerId)
      query.searchParams.set('signkey', signKey)
      if (login) {
        query.searchParams.set('username', login.username)
        query.searchParams.set('password', login.password)
      }
      query.searchParams.set('output_method', 'xml')
      query.searchParams.set('domainlist[0]', domain)
      const headers = { accept: 'application/xml' }
      const reply = await upstream.request({ url: query, headers, accept: [200], signal })
      return parseSedo(reply.text(), domain)
    },
  }
}

/** Throws UpstreamError if the reply is a fault or not about the domain. */
export function parseSedo(xml: string, domain: DomainName): Offer | null {
  const { root, records, fields } = parseXmlReply(xml, 'item')
  if (root === 'sedofault') throw faultOf(fields['faultcode'] ?? '', fields['faultstring'] ?? '')
  const item = records.find((one) => one['domain']?.toLowerCase() === domain)
  if (!item) throw invalidReply('Sedo', 'replied about another domain')
  if (!/^(?:true|1)$/i.test(item['forsale'] ?? '')) return null
  const currency = item['currency'] ?? ''
  const price = parsePrice(item['price'] ?? '0', CURRENCIES[currency] ?? currency)
  if (price === undefined) throw invalidReply('Sedo', 'sent an invalid price')
  return { sale: price === null ? 'makeOffer' : 'buyNow', price, makeOffer: price === null, auction: null, url: null }
}

/** An unknown partner, a wrong sign key, a missing or wrong login. All codes are documented for partners only. */
const AUTH_FAULTS = new Set(['E5', 'E6', 'E7', 'E12'])

/** A fault arrives with HTTP 200. Its code decides if it is known, else its text. */
function faultOf(code: string, words: string): UpstreamError {
  const failure =
    AUTH_FAULTS.has(code) || /accept|auth|login|partner|sign|denied|permission/i.test(words)
      ? 'auth_error'
      : /limit|often|quota/i.test(words)
        ? 'rate_limited'
        : 'unavailable'
  return new UpstreamError(failure, `Sedo answered with the fault ${code.slice(0, 20)}`)
}
