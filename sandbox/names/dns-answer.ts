import type { DraftMessage } from '../../src/protocols/dns/encode.ts'
import { type DnsMessage, type DnsRecord, type DnsQuestion, RCODES, TYPES } from '../../src/protocols/dns/message.ts'
import { isWithin } from '../../src/protocols/dns/name-codec.ts'
import { loadCatalogue, type Tld } from '../../src/tlds/catalogue.ts'
import { type Truth, truthOf } from './truth.ts'
import { glueRecords, hostRecords, nameserverRecords, signerRecord, startOfZone, zoneRecords } from './zone.ts'

/** The TLD of hosters, registrars and mail servers: reserved for examples, no registrations. */
const INFRASTRUCTURE = 'example'

/** Addresses that a TLD returns for names that are not registered, as the real .ws does. */
export const WILDCARDS: Readonly<Record<string, readonly string[]>> = { ws: ['192.0.2.80'] }

/** The hosts of registries, if the simulated internet has them by name. */
export const REGISTRY_HOSTS = `registries.${INFRASTRUCTURE}`

type QueryContext = { readonly query: DnsMessage; readonly question: DnsQuestion; readonly seed: number }

/** The truth about the domain of a name; null if its suffix is not ours. */
export function truthAbout(name: string, seed: number): Truth | null {
  const zone = zoneOf(name)
  // The decoder escapes dots and unusual bytes in a label with a backslash; no such label is registered.
  if (zone === undefined || name === zone.tld || name.includes('\\')) return null
  const label = name
    .slice(0, -zone.tld.length - 1)
    .split('.')
    .at(-1)!
  return truthOf(`${label}.${zone.tld}`, seed)
}

/** The suffix (`co.uk`) or TLD that a name is, or is below. */
function zoneOf(name: string): Tld | undefined {
  const labels = name.split('.')
  const { find } = loadCatalogue()
  return (labels.length > 1 ? find(labels.slice(-2).join('.')) : undefined) ?? find(labels.at(-1)!)
}

/** The answer of a TLD's name server: a referral for delegated names, otherwise NXDOMAIN. */
export function authorityAnswer({ query, question, seed }: QueryContext): DraftMessage {
  const { name, type } = question
  const tld = zoneOf(name)
  if (tld === undefined) return { rcode: RCODES.REFUSED }
  const zone = tld.tld
  if (name === zone) return answerFrom(apexRecords(zone, seed), question, zone)
  const truth = truthAbout(name, seed)
  if (!truth?.isDelegated) return negativeAnswer(name, type, tld)
  if (type === TYPES.DS && name === truth.domain) return answerFrom(signers(truth, seed), question, zone)
  const signer = query.edns?.dnssecOk ? signers(truth, seed) : []
  return { authority: [...nameserverRecords(truth), ...signer], additional: glueRecords(truth, seed) }
}

/** The answer of the recursive resolver. */
export function recursorAnswer({ query, question, seed }: QueryContext): DraftMessage {
  const { name, type } = question
  const tld = zoneOf(name)
  const recursive = (draft: DraftMessage, isProven = false): DraftMessage => ({
    ...draft,
    flags: {
      recursionAvailable: true,
      authenticData: isProven && (query.flags.authenticData || query.edns?.dnssecOk === true),
    },
  })
  if (!query.flags.recursionDesired) return recursive({ rcode: RCODES.REFUSED })
  if (name === '') return recursive(answerFrom([startOfZone('')], question, ''))
  if (isWithin(name, REGISTRY_HOSTS)) return recursive(answerFrom(registryHostRecords(name), question, INFRASTRUCTURE))
  if (isWithin(name, INFRASTRUCTURE)) return recursive(answerFrom(hostRecords(name, seed), question, INFRASTRUCTURE))
  if (tld === undefined) return recursive({ rcode: RCODES.NXDOMAIN, authority: [startOfZone('')] }, true)
  if (name === tld.tld) return recursive(answerFrom(apexRecords(tld.tld, seed), question, ''), true)
  const truth = truthAbout(name, seed)
  if (!truth?.isDelegated) return recursive(negativeAnswer(name, type, tld), true)
  if (truth.zoneFault !== null) return recursive({ rcode: RCODES.SERVFAIL })
  const isSigned = truth.registration?.dnssec?.delegationSigned === true
  if (type === TYPES.DS && name === truth.domain)
    return recursive(answerFrom(signers(truth, seed), question, tld.tld), true)
  return recursive(answerFrom(zoneRecords(truth, seed), question, truth.domain), isSigned)
}

/** A server of a registry on the simulated internet: all of them run on this machine. */
const registryHostRecords = (name: string): DnsRecord[] => [{ name, ttl: 3600, type: 'A', address: '127.0.0.1' }]

/** The answer of a resolver that redirects every unknown name to a search page with advertisements. */
export function lyingAnswer({ question, seed }: QueryContext): DraftMessage {
  const { name } = question
  const [a, aaaa] = hostRecords('search.example', seed).map((record) => ({ ...record, name }))
  const servers = [1, 2].map((at): DnsRecord => ({ name, ttl: 60, type: 'NS', host: `ns${at}.search.example` }))
  return { ...answerFrom([a!, aaaa!, ...servers], question, name), flags: { recursionAvailable: true } }
}

/** The records of the requested type, following a CNAME inside the zone; else NODATA or NXDOMAIN. */
function answerFrom(records: readonly DnsRecord[], { name, type }: DnsQuestion, zone: string): DraftMessage {
  const isAsked = (record: DnsRecord) => record.type !== 'other' && TYPES[record.type] === type
  const here = records.filter((record) => record.name === name)
  const alias = here.find((record) => record.type === 'CNAME')
  const target = alias?.type === 'CNAME' && !isAsked(alias) ? alias.target : undefined
  const answers = [
    ...(target === undefined ? [] : [alias!]),
    ...records.filter((record) => record.name === (target ?? name) && isAsked(record)),
  ]
  const flags = { authoritative: true }
  if (answers.length > 0) return { flags, answers }
  const exists = records.some((record) => isWithin(record.name, name))
  return { flags, rcode: exists ? RCODES.NOERROR : RCODES.NXDOMAIN, authority: [startOfZone(zone)] }
}

/** NXDOMAIN, or the wildcard addresses of the TLD. */
function negativeAnswer(name: string, type: number, tld: Tld): DraftMessage {
  const flags = { authoritative: true }
  const wildcards = WILDCARDS[tld.tld] ?? []
  const addresses = type === TYPES.A ? wildcards : []
  if (addresses.length > 0) {
    return { flags, answers: addresses.map((address) => ({ name, ttl: 900, type: 'A', address })) }
  }
  const rcode = wildcards.length > 0 ? RCODES.NOERROR : RCODES.NXDOMAIN
  return { flags, rcode, authority: [startOfZone(tld.tld)] }
}

const signers = ({ domain, registration }: Truth, seed: number): DnsRecord[] =>
  registration?.dnssec?.delegationSigned ? [signerRecord(domain, seed)] : []

function apexRecords(zone: string, seed: number): DnsRecord[] {
  const servers = ['a', 'b'].map((letter): DnsRecord => {
    return { name: zone, ttl: 86_400, type: 'NS', host: `${letter}.tld-servers.${INFRASTRUCTURE}` }
  })
  return [startOfZone(zone), ...servers, signerRecord(zone, seed)]
}
