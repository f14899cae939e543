/**
 * One of the npm peers, a child process. It runs concurrent lookups with the library's defaults. rdapper gets the IANA data
 * that it would otherwise fetch for every name; whoiser has the WHOIS servers of some TLDs built in and asks IANA for the
 * others, once each, as usual.
 * Arguments: the peer's name, the bootstrap file, and `{"tld": "whois host"}` as JSON.
 */
import { readFileSync } from 'node:fs'

export type Verdict = 'available' | 'taken' | 'unknown'
export type PeerName = 'rdapper' | 'whoiser'
export type PeerRequest = { readonly ask: 'check'; readonly domains: readonly string[]; readonly concurrency: number }
export type PeerReply = {
  readonly verdicts: Readonly<Record<string, Verdict>>
  readonly wallMs: number
  readonly firstMs: number
}

type Lookup = (domain: string) => Promise<Verdict>
type Rdapper = {
  lookup(domain: string, options: object): Promise<{ ok: boolean; record?: { isRegistered: boolean } }>
}
type WhoisRecord = Record<string, unknown> & { error?: string; __raw?: string }
type Whoiser = { domain(domain: string, options: object): Promise<Record<string, WhoisRecord>> }

const [name, bootstrapFile, hosts] = process.argv.slice(2) as [PeerName, string, string]
const whoisHosts = JSON.parse(hosts) as Record<string, string>
// Not dependencies of the project, so the compiler must not resolve them.
const load = async (path: string): Promise<unknown> =>
  import(new URL(`../peers/node_modules/${path}`, import.meta.url).href)
const lookups = { rdapper: openRdapper, whoiser: openWhoiser }
const lookup = await lookups[name]()

async function openRdapper(): Promise<Lookup> {
  const { lookup } = (await load('rdapper/dist/index.mjs')) as Rdapper
  const customBootstrapData: unknown = JSON.parse(readFileSync(bootstrapFile, 'utf8'))
  return async (domain) => {
    const { ok, record } = await lookup(domain, { customBootstrapData, whoisHints: whoisHosts })
    if (!ok || !record) return 'unknown'
    return record.isRegistered ? 'taken' : 'available'
  }
}

/** TLDs whose WHOIS server is built into whoiser 1.18.0. */
const WHOISER_TLDS = new Set(
  (
    'agency ai app au biz bz ca co com country dev do eu gi gl health house in info io it lc link live me net nyc one ' +
    'online org ro rs shop site so tr us vc ws xyz'
  ).split(' '),
)

/** whoiser returns no verdict; this interprets its record more leniently than its own example does. */
async function openWhoiser(): Promise<Lookup> {
  const { default: whoiser } = (await load('whoiser/index.js')) as { default: Whoiser }
  return async (domain) => {
    const tld = domain.slice(domain.lastIndexOf('.') + 1)
    if (whoisHosts[tld] === undefined) return 'unknown'
    // On the simulated internet, the servers of its built-in TLDs have other host names.
    const host = WHOISER_TLDS.has(tld) ? whoisHosts[tld] : undefined
    const [record] = Object.values(await whoiser.domain(domain, { host, follow: 1, raw: true }))
    const raw = record?.__raw ?? ''
    if (record === undefined || record.error !== undefined || raw === '') return 'unknown'
    if (/\breserved\b/i.test(raw)) return 'taken'
    if (/no match|not found|no entries|no object|no such domain|status:\s*(free|available)/i.test(raw)) {
      return 'available'
    }
    return /^\s*(domain|domain name):\s*\S/im.test(raw) ? 'taken' : 'unknown'
  }
}

process.on('message', (request: Partial<PeerRequest>) => {
  if (request.ask === 'check') void check(request as PeerRequest).then((answer) => process.send!(answer))
})
process.channel!.ref()
console.log(JSON.stringify({ ready: name }))

async function check({ domains, concurrency }: PeerRequest): Promise<PeerReply> {
  const verdicts: Record<string, Verdict> = {}
  const queue = domains.values()
  const began = performance.now()
  let firstMs = Number.NaN
  const worker = async () => {
    for (const domain of queue) {
      verdicts[domain] = await lookup(domain).catch(() => 'unknown' as const)
      if (Number.isNaN(firstMs)) firstMs = performance.now() - began
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return { verdicts, wallMs: performance.now() - began, firstMs }
}
