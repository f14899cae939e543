import { readFileSync } from 'node:fs'
import type { Random } from '../src/kernel/random.ts'
import { parseTldFile, type TldFile } from '../src/tlds/data-file.ts'
import { type ScriptedAnswer, serveHttp } from './http-server.ts'
import { serveWhois } from './names/whois-server.ts'
import { OK, outcomeOf } from './outcome.ts'
import { type HttpAnswer, jsonAnswer, textAnswer } from './play-http.ts'
import type { Simulator } from './simulator.ts'

/**
 * IANA's two public files, generated from `data/tlds.json`, so a refresh finds no change. A word before the path scripts
 * the outcome of both files (`/broken/rdap/dns.json`); with the suffix `-rdap` or `-root` only of that file
 * (`/half-root/TLD/tlds-alpha-by-domain.txt`). So one base URL scripts a whole refresh. A WHOIS server names the WHOIS
 * host of each TLD, as whois.iana.org does.
 */
export const iana: Simulator = {
  name: 'iana',
  about:
    "IANA's public files and WHOIS server: the list of TLDs, their RDAP servers and WHOIS hosts, as in our catalogue",
  async start({ chance, wait }) {
    const data = parseTldFile(readFileSync(new URL('../data/tlds.json', import.meta.url), 'utf8'))
    const files: Record<FileName, HttpAnswer> = {
      rdap: jsonAnswer(bootstrap(data, chance('order of services'))),
      root: textAnswer(rootList(data)),
    }
    const server = await serveHttp(({ url }) => respond(url.pathname, files), { wait })
    const whois = await serveWhois({ wait, respond: async (tld) => ({ outcome: OK, text: whoisText(tld, data) }) })
    return {
      // None: the service uses the bootstrap file of `names`, which lists the simulated registries.
      settings: {},
      addresses: { files: server.url, WHOIS: whois.address },
      tryThese: () => [
        { url: `${server.url}/rdap/dns.json`, status: 200, shows: 'the RDAP server of each TLD' },
        { command: `npm run refresh:tlds -- --from ${server.url}`, shows: 'a refresh that finds no change' },
        {
          command: `npm run refresh:tlds -- --from ${server.url}/half`,
          shows: 'a refresh that rejects an incomplete file',
        },
      ],
      async stop() {
        await Promise.all([server.stop(), whois.stop()])
      },
    }
  },
}

/** The lines of IANA's answer that are read; the real one has some forty more. */
function whoisText(query: string, { tlds }: TldFile): string {
  const entry = tlds.find(({ tld }) => tld === query.toLowerCase())
  if (!entry) return '% This query returned 0 objects.\r\n'
  const { tld, whoisServer } = entry
  return [
    '% IANA WHOIS server, simulated',
    '',
    ...(whoisServer === undefined ? [] : [`refer:        ${whoisServer}`, '']),
    `domain:       ${tld.toUpperCase()}`,
    ...(whoisServer === undefined ? [] : [`whois:        ${whoisServer}`]),
    'status:       ACTIVE',
    'source:       IANA',
    '',
  ].join('\r\n')
}

type FileName = 'rdap' | 'root'

function respond(path: string, files: Readonly<Record<FileName, HttpAnswer>>): ScriptedAnswer {
  const match = /^(?:\/([\w-]+))?\/(?:(rdap)\/dns\.json|TLD\/tlds-alpha-by-domain\.txt)$/.exec(path)
  if (!match) {
    const message = 'Not found. The files are /rdap/dns.json and /TLD/tlds-alpha-by-domain.txt.\n'
    return { outcome: OK, answer: textAnswer(message, 404) }
  }
  const script = match[1] ?? ''
  const file: FileName = match[2] ? 'rdap' : 'root'
  const target = /-(rdap|root)$/.exec(script)?.[1] ?? file
  return { outcome: target === file ? outcomeOf(script) : OK, answer: files[file] }
}

/** In random order, so that no reader comes to depend on the order of IANA's services. */
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
