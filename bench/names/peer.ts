/**
 * One of the npm peers in a process of its own, used as its readers would: so many lookups at once, each with the
 * library's defaults. rdapper is given for free what it would otherwise ask of IANA for every name; whoiser knows the
 * WHOIS servers of some TLDs and asks IANA for the others, once each, as it does for everybody.
 * Started with the peer's name, the bootstrap file and `{"tld": "whois host"}` as JSON.
 */
import { readFileSync } from 'node:fs'

export type Verdict = 'available' | 'taken' | 'unknown'
export type PeerName = 'rdapper' | 'whoiser'
export type PeerQuestion = { readonly ask: 'check'; readonly domains: readonly string[]; readonly workers: number }
export type PeerAnswer = {
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
// Not part of our dependencies: the compiler need not find them.
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

/** TLDs whose WHOIS server whoiser 1.18.0 has written down. */
const KNOWN_TO_WHOISER = new Set(
  (
    'agency ai app au biz bz ca co com country dev do eu gi gl health house in info io it lc link live me net nyc one ' +
    'online org ro rs shop site so tr us vc ws xyz'
  ).split(' '),
)

/** It gives no verdict; this reads its record more kindly than its own example does. */
async function openWhoiser(): Promise<Lookup> {
  const { default: whoiser } = (await load('whoiser/index.js')) as { default: Whoiser }
  return async (domain) => {
    const tld = domain.slice(domain.lastIndexOf('.') + 1)
    if (whoisHosts[tld] === undefined) return 'unknown'
    // The servers it knows have other names here, several of them one machine each.
    const host = KNOWN_TO_WHOISER.has(tld) ? whoisHosts[tld] : undefined
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

process.on('message', (question: Partial<PeerQuestion>) => {
  if (question.ask === 'check') void check(question as PeerQuestion).then((answer) => process.send!(answer))
})
process.channel!.ref()
console.log(JSON.stringify({ ready: name }))

async function check({ domains, workers }: PeerQuestion): Promise<PeerAnswer> {
  const verdicts: Record<string, Verdict> = {}
  const waiting = domains.values()
  const began = performance.now()
  let firstMs = Number.NaN
  const worker = async () => {
    for (const domain of waiting) {
      verdicts[domain] = await lookup(domain).catch(() => 'unknown' as const)
      if (Number.isNaN(firstMs)) firstMs = performance.now() - began
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
  return { verdicts, wallMs: performance.now() - began, firstMs }
}
