/**
 * Builds data/nameservers.json from the root zone: the addresses of the name servers of every TLD in our catalogue. Prints
 * the changes; writes only with `--write`, and rejects implausible data.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { nextTurn } from '../src/kernel/event-loop.ts'
import { writeFileAtomically } from '../src/kernel/files.ts'
import { parseRootZone, pickServers } from '../src/protocols/dns/root-zone.ts'
import { formatNameserverFile, NameserverFile } from '../src/protocols/dns/tld-servers.ts'
import { loadCatalogue } from '../src/tlds/catalogue.ts'

const USAGE = `usage: npm run refresh:nameservers -- [--write] [--from WHERE] [--data FILE]

  --write       replace the data file; without it only the changes are shown
  --from WHERE  https URL or path of the root zone file
                (default https://www.internic.net/domain/root.zone)
  --data FILE   the data file (default data/nameservers.json)
`

/** The root zone has about 2.3 MB today. */
const MAX_DOWNLOAD_BYTES = 16 * 1024 * 1024

type Needs = { print?: (line: string) => void; timeoutMs?: number; tlds?: readonly string[]; minTlds?: number }

/** Runs the command and returns its exit code: 0 on success, 1 if the data is rejected or cannot be written. */
export async function refreshNameservers(args: string[], needs: Needs = {}): Promise<number> {
  const { print = console.log, timeoutMs = 60_000, tlds = loadCatalogue().zones, minTlds } = needs
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
    const before = await loadDataFile(values.data)
    const after = pickServers(await parseRootZone(await loadRootZone(values.from, timeoutMs), nextTurn), tlds, minTlds)
    if (before && after.rootZone < before.rootZone) {
      throw new Error(`the root zone has version ${after.rootZone}, which is older than ours, ${before.rootZone}`)
    }
    const changes = before ? changesBetween(before, after) : [`all ${Object.keys(after.servers).length} TLDs are new`]
    for (const line of changes) print(line)
    if (changes.length === 0) print('Nothing changed.')
    else if (values.write) {
      await writeFileAtomically(values.data, formatNameserverFile(after), { temporarySuffix: `${process.pid}.tmp` })
      print(`Wrote ${values.data}.`)
    } else print('The data file was not changed; use --write to update it.')
    return 0
  } catch (error) {
    print(`refresh:nameservers failed, the data file is unchanged: ${(error as Error).message}`)
    return 1
  }
}

function changesBetween(before: NameserverFile, after: NameserverFile): string[] {
  const changes: string[] = []
  for (const tld of new Set([...Object.keys(before.servers), ...Object.keys(after.servers)])) {
    const [was, is] = [new Set(before.servers[tld]), new Set(after.servers[tld])]
    if (is.size === 0) changes.push(`${tld}: no longer has name servers`)
    else if (was.size === 0) changes.push(`${tld}: new, with ${is.size} addresses`)
    else {
      const [removed, added] = [was.difference(is).size, is.difference(was).size]
      if (removed > 0 || added > 0) changes.push(`${tld}: ${added} addresses added, ${removed} removed`)
      if (before.unsigned.includes(tld) !== after.unsigned.includes(tld)) {
        changes.push(`${tld}: ${after.unsigned.includes(tld) ? 'no longer signed' : 'now signed'}`)
      }
    }
  }
  if (before.rootZone !== after.rootZone) changes.push(`root zone: ${before.rootZone} -> ${after.rootZone}`)
  return changes
}

async function loadDataFile(path: string): Promise<NameserverFile | undefined> {
  try {
    return NameserverFile.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function loadRootZone(from: string, timeoutMs: number): Promise<string> {
  const url = URL.parse(from)
  if (url === null) return readFile(from, 'utf8')
  const isLoopback = /^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback)) {
    throw new Error(`--from must be a file or an https URL, not ${from}`)
  }
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok || response.body === null) throw new Error(`${from} answered with status ${response.status}`)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.length
    if (size > MAX_DOWNLOAD_BYTES) throw new Error(`${from} is larger than ${MAX_DOWNLOAD_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

if (import.meta.main) process.exitCode = await refreshNameservers(process.argv.slice(2))
