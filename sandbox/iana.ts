import { readFileSync } from 'node:fs'
import type { Random } from '../src/kernel/random.ts'
import { parseTldFile, type TldFile } from '../src/tlds/data-file.ts'
import { type Scene, serveHttp } from './http-server.ts'
import { OK, outcomeOf } from './outcome.ts'
import { type Answer, jsonAnswer, textAnswer } from './play-http.ts'
import type { Simulator } from './simulator.ts'

/**
 * IANA's two public files, as they would be if nothing had changed since our own data was made.
 * A word before the path scripts what becomes of both files (`/broken/rdap/dns.json`), with `-rdap` or `-root` behind
 * it of that file alone (`/half-root/TLD/tlds-alpha-by-domain.txt`), so that one base URL names a whole bad day.
 */
export const iana: Simulator = {
  name: 'iana',
  about: "IANA's public files: the list of TLDs and their RDAP servers, as our catalogue knows them",
  async start({ chance, wait }) {
    const data = parseTldFile(readFileSync(new URL('../data/tlds.json', import.meta.url), 'utf8'))
    const files: Record<FileName, Answer> = {
      rdap: jsonAnswer(bootstrap(data, chance('order of services'))),
      root: textAnswer(rootList(data)),
    }
    const server = await serveHttp(({ url }) => sceneFor(url.pathname, files), { wait })
    return {
      // The service asks the registries of the sandbox, which are not in IANA's file.
      settings: {},
      addresses: { files: server.url },
      tryThese: () => [
        { url: `${server.url}/rdap/dns.json`, status: 200, shows: 'the RDAP server of each TLD' },
        { command: `npm run refresh:tlds -- --from ${server.url}`, shows: 'nothing changed since our data was made' },
        { command: `npm run refresh:tlds -- --from ${server.url}/half`, shows: 'half a file is refused' },
      ],
      stop: server.stop,
    }
  },
}

type FileName = 'rdap' | 'root'

function sceneFor(path: string, files: Readonly<Record<FileName, Answer>>): Scene {
  const match = /^(?:\/([\w-]+))?\/(?:(rdap)\/dns\.json|TLD\/tlds-alpha-by-domain\.txt)$/.exec(path)
  if (!match) {
    const there = 'There are /rdap/dns.json and /TLD/tlds-alpha-by-domain.txt.\n'
    return { outcome: OK, answer: textAnswer(there, 404) }
  }
  const script = match[1] ?? ''
  const file: FileName = match[2] ? 'rdap' : 'root'
  const aimedAt = /-(rdap|root)$/.exec(script)?.[1] ?? file
  return { outcome: aimedAt === file ? outcomeOf(script) : OK, answer: files[file] }
}

/** The order of the services means nothing, and readers must not think it does. */
function bootstrap({ sources, tlds }: TldFile, random: Random) {
  const servers = new Map<string, string[]>()
  for (const { tld, rdapServer, rdapFrom } of tlds) {
    if (rdapServer === undefined || rdapFrom !== 'iana') continue
    const sharing = servers.get(rdapServer)
    if (sharing) sharing.push(tld)
    else servers.set(rdapServer, [tld])
  }
  const services = [...servers].map(([server, tlds]) => ({ service: [tlds, [server]], place: random.fraction() }))
  return {
    version: '1.0',
    publication: sources.bootstrap,
    description: 'RDAP servers of TLDs, simulated',
    services: services.toSorted((a, b) => a.place - b.place).map(({ service }) => service),
  }
}

function rootList({ sources: { root: version }, tlds }: TldFile): string {
  const [weekday, day, month, year] = new Date(version.replace(/^(\d{4})(\d{2})(\d{2})\d\d$/, '$1-$2-$3'))
    .toUTCString()
    .split(/,? /)
  const inRoot = tlds.filter(({ enabled }) => enabled !== false).map(({ tld }) => tld.toUpperCase())
  return [`# Version ${version}, Last Updated ${weekday} ${month} ${day} 07:07:01 ${year} UTC`, ...inRoot, ''].join(
    '\n',
  )
}
