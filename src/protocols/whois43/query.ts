import { UpstreamError } from '../../kernel/errors.ts'
import type { DomainName } from '../../kernel/names.ts'

/** Query formats of servers that need more than the domain. */
const FORMS: ReadonlyMap<string, (domain: string) => string> = new Map([
  // Without the flags the answer is only "connect". `ace` accepts the ASCII form of internationalized names.
  ['whois.denic.de', (domain) => `-T dn,ace ${domain}`],
  // Without the keyword, hosts and registrars with the same prefix match too.
  ['whois.verisign-grs.com', (domain) => `domain ${domain}`],
  ['whois.crsnic.net', (domain) => `domain ${domain}`],
  // `/e` requests English.
  ['whois.jprs.jp', (domain) => `${domain}/e`],
])

/** The line to send, without the line ending. Only characters of a domain name can reach the wire. */
export function formatQuery(host: string, domain: DomainName): string {
  // Defense in depth: the type already guarantees this.
  if (!/^[a-z0-9.-]{1,253}$/.test(domain))
    throw new UpstreamError('unavailable', 'the domain has characters that WHOIS queries do not allow')
  return FORMS.get(host)?.(domain) ?? domain
}
