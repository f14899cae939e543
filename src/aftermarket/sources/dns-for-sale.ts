import { UpstreamError } from '../../kernel/errors.ts'
import type { DnsClient } from '../../protocols/dns/client.ts'
import { recordsFor } from '../../protocols/dns/outcome.ts'
import type { ServerAddress } from '../../protocols/dns/server-address.ts'
import type { Marketplace, Offer } from '../marketplace.ts'
import { readLink, readPrice } from './values.ts'

type Needs = { readonly client: DnsClient; readonly recursors: readonly ServerAddress[] }

const TIMEOUT_MS = 15_000
const MAX_NAME_LENGTH = 253
/** Beyond so many records of one name nobody has anything to sell. */
const MAX_RECORDS = 64

/** What holders say themselves, in the `_for-sale` record of RFC 10023. Needs no account anywhere. */
export const dnsForSale = ({ client, recursors }: Needs): Marketplace => ({
  id: 'dns_for_sale',
  platform: 'DNS (_for-sale record)',
  // There is no page about a name that is not for sale: its own is the nearest.
  pageOf: (domain) => ({ url: `https://${domain}/`, affiliateUrl: `https://${domain}/` }),
  async find(domain, signal) {
    if (recursors.length === 0) throw new UpstreamError('not_configured', 'there is no resolver to ask')
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
    if (outcome !== 'answer') throw new UpstreamError('unavailable', `the resolvers could not tell: ${outcome}`)
    return readForSale(recordsFor(answers, name, 'TXT').map(({ chunks }) => Buffer.concat(chunks).toString('utf8')))
  },
})

const VERSION = 'v=FORSALE1;'

/**
 * One record has at most one tag, whose value goes to the record's end; a record without any says no more than that the
 * name is for sale. Tags nobody knows, and values that are none, are passed over. Of several of a kind the first holds.
 */
export function readForSale(texts: readonly string[]): Offer | null {
  const contents = texts
    .slice(0, MAX_RECORDS)
    .filter((text) => text.startsWith(VERSION))
    .map((text) => text.slice(VERSION.length))
  if (contents.length === 0) return null
  const valuesOf = (tag: string) =>
    contents.filter((text) => text.startsWith(`${tag}=`)).map((text) => text.slice(tag.length + 1))
  // The order of records in an answer is chance: the same record must always be the first.
  const price =
    valuesOf('fval')
      .toSorted()
      .map(readValue)
      .find((value) => value !== undefined) ?? null
  return {
    sale: price === null ? 'makeOffer' : 'buyNow',
    price,
    makeOffer: price === null,
    auction: null,
    url:
      valuesOf('furi')
        .toSorted()
        .map(readContact)
        .find((link) => link !== null) ?? null,
  }
}

/** `USD750`, `EUR1200.50`. */
function readValue(text: string) {
  const [, currency, amount] = /^([A-Z]{3,10})(\d{1,15}(?:\.\d{1,6})?)$/.exec(text) ?? []
  return (currency !== undefined && amount !== undefined && readPrice(amount, currency)) || undefined
}

/** A page, or how to reach the holder. */
const readContact = (text: string): string | null =>
  /^(?:mailto:[\w.+-]{1,64}@[\w.-]{1,253}|tel:\+?[\d().-]{3,30})$/.test(text) ? text : readLink(text)
