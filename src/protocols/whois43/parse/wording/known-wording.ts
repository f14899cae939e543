import { parseServer } from '../../server.ts'
import { HOST_FAMILIES } from './host-wording.ts'
import { matchWhole } from './patterns.ts'

const BY_HOST: ReadonlyMap<string, RegExp> = new Map(
  HOST_FAMILIES.flatMap(({ patterns, nic = '', hosts = '' }) => {
    const wording = matchWhole(patterns.join('\n'))
    const all = [...split(nic).map((tld) => `whois.nic.${tld}`), ...split(hosts)]
    return all.map((host): [string, RegExp] => [host, wording])
  }),
)

/** The known "not found" wordings of a WHOIS host; undefined for an unknown host. */
export function knownWording(server: string | undefined): RegExp | undefined {
  const host = server === undefined ? undefined : parseServer(server, 43)?.host
  return host === undefined ? undefined : BY_HOST.get(host)
}

function split(list: string): string[] {
  return list.split(/\s+/).filter((word) => word !== '')
}
