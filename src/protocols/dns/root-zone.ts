import { canonicalAddress } from '../../kernel/addresses.ts'
import type { NextTurn } from '../../kernel/event-loop.ts'
import { NameserverFile } from './tld-servers.ts'

/** The root zone: the name servers of every TLD, with their addresses. */
export type RootZone = {
  readonly serial: string
  /** Host names of the name servers, by TLD. */
  readonly servers: ReadonlyMap<string, readonly string[]>
  readonly addresses: ReadonlyMap<string, readonly string[]>
  readonly signed: ReadonlySet<string>
}

/** Lines parsed in one step of the event loop; the file has about 25,000. */
const LINES_PER_STEP = 1_000

/** Parses the zone as published: one record per line, with fully qualified names. */
export async function parseRootZone(text: string, nextTurn: NextTurn): Promise<RootZone> {
  const servers = new Map<string, string[]>()
  const addresses = new Map<string, string[]>()
  const signed = new Set<string>()
  let serial: string | undefined
  const add = (map: Map<string, string[]>, key: string, value: string) => {
    const list = map.get(key)
    if (list) list.push(value)
    else map.set(key, [value])
  }
  for (const [at, line] of text.split('\n').entries()) {
    if (at > 0 && at % LINES_PER_STEP === 0) await nextTurn()
    const [owner = '', , , type = '', ...data] = line.split(/\s+/)
    const name = owner.toLowerCase().replace(/\.$/, '')
    const [first = '', , third = ''] = data
    if (type === 'SOA' && owner === '.') serial ??= third
    if (type === 'NS' && name !== '') add(servers, name, first.toLowerCase().replace(/\.$/, ''))
    if (type === 'DS') signed.add(name)
    if (type === 'A' || type === 'AAAA') {
      const address = canonicalAddress(first)
      if (address === undefined)
        throw new Error(`the root zone has an invalid address: ${JSON.stringify(line.slice(0, 100))}`)
      add(addresses, name, address)
    }
  }
  if (serial === undefined || !/^\d{10}$/.test(serial))
    throw new Error('the file is not the root zone: it has no SOA record')
  return { serial, servers, addresses, signed }
}

/** The root zone has more than 1,400 TLDs; far fewer mean an incomplete file. */
const MIN_TLDS = 1000
/** If more of the wanted TLDs are missing, the file is rejected. */
const MAX_MISSING_TLDS = 5

/** The servers of the wanted TLDs. Throws if too many TLDs are missing. */
export function pickServers(root: RootZone, tlds: readonly string[], minTlds: number = MIN_TLDS): NameserverFile {
  if (root.servers.size < minTlds) throw new Error(`the root zone has only ${root.servers.size} TLDs`)
  const picked = tlds.map((tld) => {
    const all = (root.servers.get(tld) ?? []).flatMap((host) => root.addresses.get(host) ?? [])
    const unique = [...new Set(all)].toSorted()
    // IPv4 first: every TLD has it, and it is reachable everywhere.
    const isIPv6 = (address: string) => address.includes(':')
    return [tld, [...unique.filter((address) => !isIPv6(address)), ...unique.filter(isIPv6)]] as const
  })
  const missing = picked.filter(([, addresses]) => addresses.length === 0).map(([tld]) => tld)
  if (missing.length > MAX_MISSING_TLDS) {
    throw new Error(`${missing.length} of our TLDs have no servers (${missing.slice(0, 5).join(', ')}, ...)`)
  }
  const servers = Object.fromEntries(picked.filter(([, addresses]) => addresses.length > 0))
  const unsigned = Object.keys(servers).filter((tld) => !root.signed.has(tld))
  return NameserverFile.parse({ rootZone: root.serial, unsigned, servers })
}
