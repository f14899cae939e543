import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { UpstreamError } from '../../kernel/errors.ts'
import type { DomainName } from '../../kernel/names.ts'
import type { Upstream } from '../../kernel/upstream/client.ts'
import { parsePriceUsd } from '../price-list.ts'
import type { Quote, RegistrarCheck } from '../registrar-check.ts'

export type NamecheapCheckOptions = {
  readonly upstream: Upstream
  readonly url: string
  readonly user: string
  readonly key: string
  /** The address of this machine that the operator has allowed at Namecheap. */
  readonly clientIp: string
}

/** Far below Namecheap's limits for a minute, an hour and a day. */
const INTERVAL_MS = 10_000
const MAX_DEPTH = 8

export const namecheapCheck = ({ upstream, url, user, key, clientIp }: NamecheapCheckOptions): RegistrarCheck => ({
  intervalMs: INTERVAL_MS,
  async check(domain, signal) {
    const query = new URL(url)
    const parameters = { ApiUser: user, ApiKey: key, UserName: user, ClientIp: clientIp }
    for (const [name, value] of Object.entries(parameters)) query.searchParams.set(name, value)
    query.searchParams.set('Command', 'namecheap.domains.check')
    query.searchParams.set('DomainList', domain)
    const reply = await upstream.request({ url: query, headers: { accept: 'text/xml' }, accept: [200], signal })
    return parseNamecheapCheck(reply.text(), domain)
  },
})

export function parseNamecheapCheck(xml: string, domain: DomainName): Quote {
  const tags = parseTags(xml)
  const status = tags.find(({ name }) => name === 'ApiResponse')?.attributes['Status']
  if (status !== 'OK') throw errorOf(tags.find(({ name }) => name === 'Error')?.attributes['Number'] ?? '')
  const results = tags.filter(({ name }) => name === 'DomainCheckResult').map(({ attributes }) => attributes)
  const result = results.find((one) => one['Domain']?.toLowerCase() === domain)
  if (!result) throw new UpstreamError('unavailable', 'Namecheap replied about another domain')
  const isPremium = result['Available'] === 'true' && result['IsPremiumName'] === 'true'
  if (!isPremium) return { premium: false, registration: null, renewal: null }
  const price = (name: string) => parsePriceUsd(dollars(result[name] ?? '')) ?? null
  return { premium: true, registration: price('PremiumRegistrationPrice'), renewal: price('PremiumRenewalPrice') }
}

/** Namecheap writes prices with four decimals. */
const dollars = (text: string): string => text.replace(/(\.\d\d)\d*$/, '$1')

/** Its numbers for a wrong key, a wrong user and an address that is not allowed start with 10101 or 10111. */
const errorOf = (number: string): UpstreamError =>
  new UpstreamError(
    /^101[01]1/.test(number) ? 'auth_error' : number === '500000' ? 'rate_limited' : 'unavailable',
    `Namecheap answered with the error ${number.slice(0, 20)}`,
  )

/** All elements with their attributes, outermost first. Documents with a document type are refused. */
function parseTags(xml: string): SaxesTagPlain[] {
  const parser = new SaxesParser()
  const tags: SaxesTagPlain[] = []
  let depth = 0
  parser.on('doctype', () => parser.fail('it has a document type'))
  parser.on('error', (cause) => {
    throw new UpstreamError('unavailable', 'Namecheap did not send XML', { cause })
  })
  parser.on('opentag', (tag) => {
    if (++depth > MAX_DEPTH) parser.fail('it is nested too deeply')
    tags.push(tag)
  })
  parser.on('closetag', () => depth--)
  parser.write(xml).close()
  return tags
}
