import { UpstreamError } from '../../kernel/errors.ts'
import type { DomainName } from '../../kernel/names.ts'

/** How a server wants to be asked, where the name alone is not enough. */
const FORMS: ReadonlyMap<string, (domain: string) => string> = new Map([
  // Without it the answer is only "connect"; names in other scripts are asked for in their ASCII form.
  ['whois.denic.de', (domain) => `-T dn,ace ${domain}`],
  // Without it hosts and registrars whose names begin alike are found too.
  ['whois.verisign-grs.com', (domain) => `domain ${domain}`],
  ['whois.crsnic.net', (domain) => `domain ${domain}`],
  // In English.
  ['whois.jprs.jp', (domain) => `${domain}/e`],
])

/** The line to send, without its end. Nothing but a domain's characters can get into it. */
export function queryFor(host: string, domain: DomainName): string {
  // The type says so already; what goes over the wire is checked once more where it leaves.
  if (!/^[a-z0-9.-]{1,253}$/.test(domain)) throw new UpstreamError('unavailable', 'not a domain that can be asked for')
  return FORMS.get(host)?.(domain) ?? domain
}
