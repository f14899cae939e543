import { parseServer } from '../../server.ts'
import { FAMILIES } from './known-hosts.ts'
import { whole } from './patterns.ts'

const BY_HOST: ReadonlyMap<string, RegExp> = new Map(
  FAMILIES.flatMap(({ patterns, nic = '', hosts = '' }) => {
    const wording = whole(patterns.join('\n'))
    const all = [...split(nic).map((tld) => `whois.nic.${tld}`), ...split(hosts)]
    return all.map((host): [string, RegExp] => [host, wording])
  }),
)

/** The wordings a WHOIS host is known to use for a name it does not have; undefined for a host we know nothing of. */
export function knownWording(server: string | undefined): RegExp | undefined {
  const host = server === undefined ? undefined : parseServer(server, 43)?.host
  return host === undefined ? undefined : BY_HOST.get(host)
}

function split(list: string): string[] {
  return list.split(/\s+/).filter((word) => word !== '')
}
