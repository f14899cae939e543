import { UpstreamError } from '../../kernel/errors.ts'
import type { DnsClient } from '../../protocols/dns/client.ts'
import { recordsFor } from '../../protocols/dns/outcome.ts'
import type { ServerAddress } from '../../protocols/dns/server-address.ts'
import type { Marketplace, Offer } from '../marketplace.ts'
import { fixedPage, parseLink, parsePrice } from './values.ts'

type Needs = { readonly client: DnsClient; readonly recursors: readonly ServerAddress[] }

const TIMEOUT_MS = 15_000
const MAX_NAME_LENGTH = 253
/** Further records are ignored. */
const MAX_RECORDS = 64

/** The owner's own `_for-sale` record in DNS (RFC 10023). Needs no account. */
export const dnsForSale = ({ client, recursors }: Needs): Marketplace => ({
  id: 'dns_for_sale',
  platform: 'DNS (_for-sale record)',
  // DNS has no page about a domain, so its own site is used.
  pageOf: fixedPage('https://{domain}/', null),
  async find(domain, signal) {
    // The RFC gives the record no meaning there.
    if (domain.endsWith('.arpa')) return null
    if (recursors.length === 0) throw new UpstreamError('not_configured', 'no resolver is configured')
    const name = `_for-sale.${domain}`
    if (name.length > MAX_NAME_LENGTH) return null
    const { outcome, answers } = await client.query({
      name,
      type: 'TXT',
      servers: recursors,
      recursion: true,
      inOrder: true,
      timeoutMs: TIMEOUT_MS,
      signal,
    })
    if (outcome === 'nxdomain' || outcome === 'nodata') return null
    if (outcome === 'timeout') throw new UpstreamError('timeout', 'the resolvers did not answer in time')
    if (outcome !== 'answer') throw new UpstreamError('unavailable', `the resolvers failed: ${outcome}`)
    return parseForSale(recordsFor(answers, name, 'TXT').map(({ chunks }) => Buffer.concat(chunks).toString('utf8')))
  },
})

const VERSION = 'v=FORSALE1;'

/**
 * A record has at most one tag, whose value extends to the end; a record without a tag only says that the domain is for
 * sale. Unknown tags and invalid values are skipped. Of several records with one tag the first wins.
 */
export function parseForSale(texts: readonly string[]): Offer | null {
  const contents = texts
    .slice(0, MAX_RECORDS)
    .filter((text) => text.startsWith(VERSION))
    .map((text) => text.slice(VERSION.length))
  if (contents.length === 0) return null
  const valuesOf = (tag: string) =>
    contents.filter((text) => text.startsWith(`${tag}=`)).map((text) => text.slice(tag.length + 1))
  // DNS returns records in random order; sorting makes the first one stable.
  const price =
    valuesOf('fval')
      .toSorted()
      .map(parseValue)
      .find((value) => value !== undefined) ?? null
  return {
    sale: price === null ? 'makeOffer' : 'buyNow',
    price,
    makeOffer: price === null,
    auction: null,
    url:
      valuesOf('furi')
        .toSorted()
        .map(parseContact)
        .find((link) => link !== null) ?? null,
  }
}

/** `USD750`, `EUR1200.50`. */
function parseValue(text: string) {
  const [, currency, amount] = /^([A-Z]{3,10})(\d{1,15}(?:\.\d{1,6})?)$/.exec(text) ?? []
  return (currency !== undefined && amount !== undefined && parsePrice(amount, currency)) || undefined
}

/** A web page, an email address or a phone number. */
const parseContact = (text: string): string | null =>
  /^(?:mailto:[\w.+-]{1,64}@[\w.-]{1,253}|tel:\+?[\d().-]{3,30})$/.test(text) ? text : parseLink(text)
