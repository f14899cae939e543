/**
 * Updates data/tlds.json from IANA's public files and its WHOIS server, and prints the changes. The list of TLDs, the
 * categories, the suffixes and the two tables maintained by hand are not changed.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { writeFileAtomically } from '../src/kernel/files.ts'
import { parseCatalogue } from '../src/tlds/catalogue.ts'
import { refreshWhoisHosts } from './refresh-whois-hosts.ts'
import { formatTldFile, isRdapBase, parseTldFile, type TldEntry, type TldFile } from '../src/tlds/data-file.ts'

const USAGE = `usage: npm run refresh:tlds -- [--write] [--from WHERE] [--whois SERVER] [--data FILE]

  --write       replace the data file; without it only the changes are shown
  --from WHERE  https URL or folder with rdap/dns.json and TLD/tlds-alpha-by-domain.txt
                (default https://data.iana.org)
  --whois SERVER
                host[:port] that is asked for the WHOIS host of each TLD, or off
                (default whois.iana.org, or off with --from); takes some minutes
  --data FILE   the data file (default data/tlds.json)
`

/** Both files together are about 100 KB today. */
const MAX_DOWNLOAD_BYTES = 2 * 1024 * 1024
/** If more of our TLDs left the root zone or lost their RDAP server at once, the download is rejected as incomplete. */
const MAX_TLDS_LEAVING_ROOT = 5
const MAX_TLDS_LOSING_RDAP = 25

type Needs = { print?: (line: string) => void; timeoutMs?: number; gapMs?: number }

/** Runs the command and returns its exit code: 0 on success, 1 if the data is rejected or cannot be written. */
export async function refreshTlds(args: string[], needs: Needs = {}): Promise<number> {
  const { print = console.log, timeoutMs = 30_000, gapMs } = needs
  const gap = gapMs === undefined ? {} : { gapMs }
  try {
    const { values } = parseArgs({
      args,
      options: {
        write: { type: 'boolean', default: false },
        from: { type: 'string' },
        whois: { type: 'string' },
        data: { type: 'string', default: fileURLToPath(new URL('../data/tlds.json', import.meta.url)) },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      print(USAGE)
      return 0
    }
    const { from = 'https://data.iana.org', whois = values.from === undefined ? 'whois.iana.org' : 'off' } = values
    const before = parseTldFile(await readFile(values.data, 'utf8'))
    const [bootstrapText, rootText] = await Promise.all([
      loadFile(from, 'rdap/dns.json', timeoutMs),
      loadFile(from, 'TLD/tlds-alpha-by-domain.txt', timeoutMs),
    ])
    const root = parseRootList(rootText)
    const files = refresh(before, parseBootstrap(bootstrapText), root)
    const hosts =
      whois === 'off'
        ? { entries: files.after.tlds, changes: [], notes: [] }
        : await refreshWhoisHosts(files.after.tlds, { server: whois, timeoutMs, ...gap })
    const after = { ...files.after, tlds: hosts.entries }
    const changes = [...files.changes, ...hosts.changes]
    for (const line of [...changes, ...hosts.notes]) print(line)
    const ours = new Set(before.tlds.map(({ tld }) => tld))
    print(`${root.tlds.size - root.tlds.intersection(ours).size} TLDs of IANA are not in our list.`)

    if (changes.length === 0) print('Nothing changed.')
    else if (values.write) {
      await replaceDataFile(values.data, after)
      print(`Wrote ${values.data}.`)
    } else print('The data file was not changed; use --write to update it.')
    return 0
  } catch (error) {
    print(`refresh:tlds failed, the data file is unchanged: ${formatError(error)}`)
    return 1
  }
}

const formatError = (error: unknown): string =>
  error instanceof Error
    ? [error.message, error.cause && formatError(error.cause)].filter(Boolean).join(': ')
    : String(error)

// --- Parsing IANA's files ------------------------------------------------------------------------------------------

type Bootstrap = { readonly publication: string; readonly servers: ReadonlyMap<string, readonly string[]> }
type RootList = { readonly version: string; readonly tlds: ReadonlySet<string> }

const BootstrapFile = z.object({
  publication: z.iso.datetime(),
  services: z.array(z.tuple([z.array(z.string()).min(1), z.array(z.string()).min(1)])),
})

function parseBootstrap(text: string): Bootstrap {
  const file = BootstrapFile.safeParse(parseJson(text))
  if (!file.success) {
    const { path, message } = file.error.issues[0]!
    throw new Error(`rdap/dns.json is not an RDAP bootstrap file (${path.join('.') || 'top'}: ${message})`)
  }
  const servers = new Map<string, readonly string[]>()
  for (const [tlds, urls] of file.data.services) {
    for (const tld of tlds) {
      if (servers.has(tld)) throw new Error(`rdap/dns.json lists .${tld} twice`)
      servers.set(tld, urls)
    }
  }
  return { publication: file.data.publication, servers }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`rdap/dns.json is not JSON${looksLikeHtml(text) ? ' but a web page' : ''}`, { cause })
  }
}

function parseRootList(text: string): RootList {
  const name = 'TLD/tlds-alpha-by-domain.txt'
  const [head = '', ...lines] = text.split('\n')
  const version = /^# Version (\d{10}),/.exec(head)?.[1]
  if (version === undefined) {
    throw new Error(`${name} is ${looksLikeHtml(text) ? 'a web page' : 'not a list of TLDs (no version line)'}`)
  }
  if (lines.pop() !== '') throw new Error(`${name} is incomplete: its last line has no line break`)
  const wrong = lines.find((line) => !/^(?:[A-Z]{2,63}|XN--[A-Z0-9-]{1,59})$/.test(line))
  if (wrong !== undefined)
    throw new Error(`${name} has a line that is not a TLD: ${JSON.stringify(wrong.slice(0, 80))}`)
  return { version, tlds: new Set(lines.map((line) => line.toLowerCase())) }
}

const looksLikeHtml = (text: string): boolean => /^\s*</.test(text)

// --- Computing the changes -----------------------------------------------------------------------------------------

/** The updated data file, and a sentence for each change. Throws if the new data is implausible. */
function refresh(before: TldFile, bootstrap: Bootstrap, root: RootList): { after: TldFile; changes: string[] } {
  const sources = { bootstrap: bootstrap.publication, root: root.version }
  if (Date.parse(sources.bootstrap) < Date.parse(before.sources.bootstrap)) {
    throw new Error(
      `rdap/dns.json was published on ${sources.bootstrap}, which is older than ours, ${before.sources.bootstrap}`,
    )
  }
  if (sources.root < before.sources.root) {
    throw new Error(`the list of TLDs has version ${sources.root}, which is older than ours, ${before.sources.root}`)
  }
  const tlds = before.tlds.map((entry) => updateEntry(entry, before, bootstrap, root))
  const pairs = before.tlds.map((was, at) => [was, tlds[at]!] as const)
  rejectMoreThan(
    MAX_TLDS_LEAVING_ROOT,
    'left the root zone',
    pairs.filter(([was, is]) => isEnabled(was) && !isEnabled(is)),
  )
  rejectMoreThan(
    MAX_TLDS_LOSING_RDAP,
    'lost their RDAP server',
    pairs.filter(([was, is]) => was.rdapServer && !is.rdapServer),
  )

  const changes = pairs.flatMap(([was, is]) => changesOf(was, is).map((change) => `${is.tld}: ${change}`))
  for (const name of ['bootstrap', 'root'] as const) {
    if (sources[name] !== before.sources[name])
      changes.push(`${name} file: ${before.sources[name]} -> ${sources[name]}`)
  }
  const suffixes = before.suffixes.map((group) => {
    const listed = group.rdapServer === undefined || group.ownRegistry ? undefined : bootstrap.servers.get(group.tld)
    const rdapServer = chooseServer(group.tld, listed, false)
    if (rdapServer === undefined || rdapServer === group.rdapServer) return group
    changes.push(`suffixes under ${group.tld}: RDAP server moved from ${group.rdapServer} to ${rdapServer}`)
    return { ...group, rdapServer }
  })
  return { after: { ...before, sources, suffixes, tlds }, changes }
}

function rejectMoreThan(max: number, what: string, pairs: readonly (readonly [TldEntry, TldEntry])[]): void {
  if (pairs.length <= max) return
  const some = pairs.slice(0, 5).map(([{ tld }]) => tld)
  throw new Error(
    `${pairs.length} of our TLDs seem to have ${what} (${some.join(', ')}, ...); at most ${max} are accepted`,
  )
}

function updateEntry(
  entry: TldEntry,
  { unlistedRdap, plainHttp }: TldFile,
  bootstrap: Bootstrap,
  root: RootList,
): TldEntry {
  const { tld, type, whoisServer } = entry
  const listed = chooseServer(tld, bootstrap.servers.get(tld), plainHttp.includes(tld))
  const rdapServer = listed ?? unlistedRdap[tld]
  return {
    tld,
    type,
    ...(rdapServer !== undefined && { rdapServer, rdapFrom: listed === undefined ? 'ours' : 'iana' }),
    ...(whoisServer !== undefined && { whoisServer }),
    ...(!root.tlds.has(tld) && { enabled: false }),
  }
}

/** Prefers https: answers over http can be forged. Plain http is accepted only for the TLDs in `plainHttp`. */
function chooseServer(tld: string, urls: readonly string[] = [], mayBePlain: boolean): string | undefined {
  if (urls.length === 0) return undefined
  const bases = urls.map((url) => (url.endsWith('/') ? url : `${url}/`))
  const invalid = bases.find((base) => !isRdapBase(base))
  if (invalid !== undefined)
    throw new Error(`rdap/dns.json has an invalid server for .${tld}: ${JSON.stringify(invalid.slice(0, 200))}`)
  const server = bases.find((base) => base.startsWith('https:')) ?? (mayBePlain ? bases[0] : undefined)
  if (server === undefined) {
    throw new Error(
      `rdap/dns.json has no https server for .${tld}; to accept http, add the TLD to plainHttp in the data file`,
    )
  }
  return server
}

const isEnabled = ({ enabled }: TldEntry): boolean => enabled !== false

function changesOf(was: TldEntry, is: TldEntry): string[] {
  const changes: string[] = []
  const source = { iana: "IANA's list", ours: 'our own table' }
  if (was.rdapServer === undefined && is.rdapServer !== undefined) {
    changes.push(`now has an RDAP server: ${is.rdapServer}`)
  } else if (was.rdapServer !== undefined && is.rdapServer === undefined) {
    changes.push(`no longer has an RDAP server (was ${was.rdapServer})`)
  } else if (was.rdapServer !== is.rdapServer) {
    changes.push(`RDAP server moved from ${was.rdapServer} to ${is.rdapServer}`)
  }
  if (was.rdapFrom !== undefined && is.rdapFrom !== undefined && was.rdapFrom !== is.rdapFrom) {
    changes.push(`RDAP server now comes from ${source[is.rdapFrom]} instead of ${source[was.rdapFrom]}`)
  }
  if (isEnabled(was) && !isEnabled(is)) changes.push('left the root zone and is disabled')
  if (!isEnabled(was) && isEnabled(is)) changes.push('is back in the root zone and is enabled')
  return changes
}

// --- Loading and writing -------------------------------------------------------------------------------------------

async function loadFile(from: string, path: string, timeoutMs: number): Promise<string> {
  const url = URL.parse(from.endsWith('/') ? from : `${from}/`)
  if (url === null) return decode(await readFile(join(from, path)), path)
  const isLoopback = /^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback)) {
    throw new Error(`--from must be a folder or an https URL, not ${from}`)
  }
  const address = new URL(path, url)
  try {
    return decode(await download(address, timeoutMs), path)
  } catch (cause) {
    throw new Error(`could not fetch ${address.href}`, { cause })
  }
}

async function download(address: URL, timeoutMs: number): Promise<Buffer> {
  const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok || response.body === null) {
    await response.body?.cancel()
    throw new Error(`the status is ${response.status}`)
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.length
    if (size > MAX_DOWNLOAD_BYTES) throw new Error(`it is larger than ${MAX_DOWNLOAD_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function decode(bytes: Buffer, path: string): string {
  if (bytes.length > MAX_DOWNLOAD_BYTES) throw new Error(`${path} is larger than ${MAX_DOWNLOAD_BYTES} bytes`)
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}

/** Checks that the service accepts the file before it replaces the old one. */
async function replaceDataFile(path: string, file: TldFile): Promise<void> {
  const text = formatTldFile(file)
  parseCatalogue(text)
  await writeFileAtomically(path, text, { temporarySuffix: `${process.pid}.tmp` })
}

if (import.meta.main) process.exitCode = await refreshTlds(process.argv.slice(2))
