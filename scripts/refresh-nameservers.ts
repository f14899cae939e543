/**
 * Makes data/nameservers.json from the root zone: for every TLD of our catalogue the addresses of its name servers.
 * Says in words what changed; writes only when told to, and nothing that cannot be right.
 */
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { canonicalAddress } from '../src/kernel/addresses.ts'
import { formatNameserverFile, NameserverFile } from '../src/protocols/dns/tld-servers.ts'
import { loadCatalogue } from '../src/tlds/catalogue.ts'

const USAGE = `usage: npm run refresh:nameservers -- [--write] [--from WHERE] [--data FILE]

  --write       replace the data file; without it only the changes are shown
  --from WHERE  https address or file that holds the root zone
                (default https://www.internic.net/domain/root.zone)
  --data FILE   the data file (default data/nameservers.json)
`

/** It has about 2.3 MB today. */
const MAX_DOWNLOAD_BYTES = 16 * 1024 * 1024
/** The root zone has more than 1,400; far fewer mean that it was cut. */
const MIN_TLDS = 1000
/** More TLDs of ours than this do not vanish between two editions. */
const MAX_LEAVING = 5

type Needs = { print?: (line: string) => void; timeoutMs?: number; tlds?: readonly string[]; fewestTlds?: number }

/** Runs the command and gives its exit code: 0 when all went well, 1 when nothing could be trusted or written. */
export async function refreshNameservers(args: string[], needs: Needs = {}): Promise<number> {
  const { print = console.log, timeoutMs = 60_000, tlds = loadCatalogue().all, fewestTlds = MIN_TLDS } = needs
  try {
    const { values } = parseArgs({
      args,
      options: {
        write: { type: 'boolean', default: false },
        from: { type: 'string', default: 'https://www.internic.net/domain/root.zone' },
        data: { type: 'string', default: fileURLToPath(new URL('../data/nameservers.json', import.meta.url)) },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      print(USAGE)
      return 0
    }
    const before = await readBefore(values.data)
    const after = pickServers(readRootZone(await load(values.from, timeoutMs)), tlds, fewestTlds)
    if (before && after.rootZone < before.rootZone) {
      throw new Error(`the root zone is of ${after.rootZone}, older than ours of ${before.rootZone}`)
    }
    const changes = before ? changesBetween(before, after) : [`all ${Object.keys(after.servers).length} TLDs are new`]
    for (const line of changes) print(line)
    if (changes.length === 0) print('Nothing changed.')
    else if (values.write) {
      await replace(values.data, formatNameserverFile(after))
      print(`Wrote ${values.data}.`)
    } else print('Nothing was written; --write writes.')
    return 0
  } catch (error) {
    print(`refresh:nameservers failed, the data file is as it was: ${(error as Error).message}`)
    return 1
  }
}

type RootZone = {
  readonly serial: string
  /** TLD → hosts of its servers. */
  readonly servers: ReadonlyMap<string, readonly string[]>
  readonly addresses: ReadonlyMap<string, readonly string[]>
  readonly signed: ReadonlySet<string>
}

/** Reads the zone as it is published: one record to a line, every name in full. */
export function readRootZone(text: string): RootZone {
  const servers = new Map<string, string[]>()
  const addresses = new Map<string, string[]>()
  const signed = new Set<string>()
  let serial: string | undefined
  const add = (map: Map<string, string[]>, key: string, value: string) => {
    const list = map.get(key)
    if (list) list.push(value)
    else map.set(key, [value])
  }
  for (const line of text.split('\n')) {
    const [owner = '', , , type = '', ...data] = line.split(/\s+/)
    const name = owner.toLowerCase().replace(/\.$/, '')
    const [first = '', , third = ''] = data
    if (type === 'SOA' && owner === '.') serial ??= third
    if (type === 'NS' && name !== '') add(servers, name, first.toLowerCase().replace(/\.$/, ''))
    if (type === 'DS') signed.add(name)
    if (type === 'A' || type === 'AAAA') {
      const address = canonicalAddress(first)
      if (address === undefined)
        throw new Error(`the root zone has an odd address: ${JSON.stringify(line.slice(0, 100))}`)
      add(addresses, name, address)
    }
  }
  if (serial === undefined || !/^\d{10}$/.test(serial))
    throw new Error('it is not the root zone: there is no SOA record')
  return { serial, servers, addresses, signed }
}

/** The data file for our TLDs. Throws where too much is missing to be believed. */
function pickServers(root: RootZone, tlds: readonly string[], fewestTlds: number): NameserverFile {
  if (root.servers.size < fewestTlds) throw new Error(`the root zone has only ${root.servers.size} TLDs`)
  const picked = tlds.map((tld) => {
    const all = (root.servers.get(tld) ?? []).flatMap((host) => root.addresses.get(host) ?? [])
    const unique = [...new Set(all)].toSorted()
    // IPv4 first: every TLD has it, and everybody can reach it.
    const isIPv6 = (address: string) => address.includes(':')
    return [tld, [...unique.filter((address) => !isIPv6(address)), ...unique.filter(isIPv6)]] as const
  })
  const missing = picked.filter(([, addresses]) => addresses.length === 0).map(([tld]) => tld)
  if (missing.length > MAX_LEAVING) {
    throw new Error(`${missing.length} of our TLDs have no servers (${missing.slice(0, 5).join(', ')}, ...)`)
  }
  const servers = Object.fromEntries(picked.filter(([, addresses]) => addresses.length > 0))
  const unsigned = Object.keys(servers).filter((tld) => !root.signed.has(tld))
  return NameserverFile.parse({ rootZone: root.serial, unsigned, servers })
}

function changesBetween(before: NameserverFile, after: NameserverFile): string[] {
  const changes: string[] = []
  for (const tld of new Set([...Object.keys(before.servers), ...Object.keys(after.servers)])) {
    const [was, is] = [new Set(before.servers[tld]), new Set(after.servers[tld])]
    if (is.size === 0) changes.push(`${tld}: has no servers any more`)
    else if (was.size === 0) changes.push(`${tld}: is new, with ${is.size} addresses`)
    else {
      const [gone, come] = [was.difference(is).size, is.difference(was).size]
      if (gone > 0 || come > 0) changes.push(`${tld}: ${come} addresses came, ${gone} went`)
      if (before.unsigned.includes(tld) !== after.unsigned.includes(tld)) {
        changes.push(`${tld}: is ${after.unsigned.includes(tld) ? 'not signed any more' : 'signed now'}`)
      }
    }
  }
  if (before.rootZone !== after.rootZone) changes.push(`root zone: ${before.rootZone} -> ${after.rootZone}`)
  return changes
}

async function readBefore(path: string): Promise<NameserverFile | undefined> {
  try {
    return NameserverFile.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function load(from: string, timeoutMs: number): Promise<string> {
  const url = URL.parse(from)
  if (url === null) return readFile(from, 'utf8')
  const isLoopback = /^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback)) {
    throw new Error(`--from must be a file or an https address, not ${from}`)
  }
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok || response.body === null) throw new Error(`${from} answered ${response.status}`)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.length
    if (size > MAX_DOWNLOAD_BYTES) throw new Error(`${from} is larger than ${MAX_DOWNLOAD_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** A reader of the file sees the old one or the new one, never a part. */
async function replace(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    await writeFile(temporary, text, { flush: true })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

if (import.meta.main) process.exitCode = await refreshNameservers(process.argv.slice(2))
