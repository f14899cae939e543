import { parseServer } from '../../server.ts'
import { whole } from './patterns.ts'

/** How a host says that it has no such domain, in the form of `Statement.words`. */
const VERISIGN = whole('no match for(?: domain)? @')

const BY_HOST: ReadonlyMap<string, RegExp> = new Map([
  ['whois.verisign-grs.com', VERISIGN],
  ['whois.crsnic.net', VERISIGN],
])

/** The wordings a WHOIS host is known to use for a name it does not have; undefined for a host we know nothing of. */
export function knownWording(server: string | undefined): RegExp | undefined {
  const host = server === undefined ? undefined : parseServer(server, 43)?.host
  return host === undefined ? undefined : BY_HOST.get(host)
}
