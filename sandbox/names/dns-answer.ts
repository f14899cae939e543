import type { DraftMessage } from '../../src/protocols/dns/encode.ts'
import { type DnsMessage, type DnsRecord, type DnsQuestion, RCODES, TYPES } from '../../src/protocols/dns/message.ts'
import { isWithin } from '../../src/protocols/dns/name-codec.ts'
import { loadCatalogue, type Tld } from '../../src/tlds/catalogue.ts'
import { type Truth, truthOf } from './truth.ts'
import { glueRecords, hostRecords, nameserverRecords, signerRecord, startOfZone, zoneRecords } from './zone.ts'

/** Hosters, registrars and mail live below a TLD that nobody can register under. */
const INFRASTRUCTURE = 'example'

type Asked = { readonly query: DnsMessage; readonly question: DnsQuestion; readonly seed: number }

/** The domain a name belongs to; null where it has none of our TLDs. */
export function truthAbout(name: string, seed: number): Truth | null {
  const [tld = '', label, ...more] = name.split('.').toReversed()
  // A label with a dot or a stranger byte inside comes with a backslash; no registry has taken one.
  if (label === undefined || [tld, label, ...more].some((part) => part.includes('\\'))) return null
  return loadCatalogue().find(tld) ? truthOf(`${label}.${tld}`, seed) : null
}

const tldOf = (name: string): Tld | undefined => loadCatalogue().find(name.slice(name.lastIndexOf('.') + 1))

/** What the server of a TLD says: it hands over what is delegated, and knows nothing of what is not. */
export function authorityAnswer({ query, question, seed }: Asked): DraftMessage {
  const { name, type } = question
  const tld = tldOf(name)
  if (tld === undefined) return { rcode: RCODES.REFUSED }
  const zone = tld.tld
  if (name === zone) return own(apexRecords(zone, seed), question, zone)
  const truth = truthAbout(name, seed)
  if (!truth?.isDelegated) return absent(name, type, tld)
  if (type === TYPES.DS && name === truth.domain) return own(signers(truth, seed), question, zone)
  const signer = query.edns?.dnssecOk ? signers(truth, seed) : []
  return { authority: [...nameserverRecords(truth), ...signer], additional: glueRecords(truth, seed) }
}

/** What a recursive resolver says, which has been everywhere. */
export function recursorAnswer({ query, question, seed }: Asked): DraftMessage {
  const { name, type } = question
  const tld = tldOf(name)
  const heard = (draft: DraftMessage, isProven = false): DraftMessage => ({
    ...draft,
    flags: {
      recursionAvailable: true,
      authenticData: isProven && (query.flags.authenticData || query.edns?.dnssecOk === true),
    },
  })
  if (!query.flags.recursionDesired) return heard({ rcode: RCODES.REFUSED })
  if (name === '') return heard(own([startOfZone('')], question, ''))
  if (isWithin(name, INFRASTRUCTURE)) return heard(own(hostRecords(name, seed), question, INFRASTRUCTURE))
  if (tld === undefined) return heard({ rcode: RCODES.NXDOMAIN, authority: [startOfZone('')] }, true)
  if (name === tld.tld) return heard(own(apexRecords(tld.tld, seed), question, ''), true)
  const truth = truthAbout(name, seed)
  if (!truth?.isDelegated) return heard(absent(name, type, tld), true)
  if (truth.ailment !== null) return heard({ rcode: RCODES.SERVFAIL })
  const isSigned = truth.registration?.dnssec?.delegationSigned === true
  if (type === TYPES.DS && name === truth.domain) return heard(own(signers(truth, seed), question, tld.tld), true)
  return heard(own(zoneRecords(truth, seed), question, truth.domain), isSigned)
}

/** Whatever the name, there it is: somebody earns money by showing a search page. */
export function lie({ question, seed }: Asked): DraftMessage {
  const { name } = question
  const [a, aaaa] = hostRecords('search.example', seed).map((record) => ({ ...record, name }))
  const servers = [1, 2].map((at): DnsRecord => ({ name, ttl: 60, type: 'NS', host: `ns${at}.search.example` }))
  return { ...own([a!, aaaa!, ...servers], question, name), flags: { recursionAvailable: true } }
}

/** The records of the requested type, following a CNAME inside the zone; else NODATA or NXDOMAIN. */
function own(records: readonly DnsRecord[], { name, type }: DnsQuestion, zone: string): DraftMessage {
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

/** There is no such name, unless the TLD has an address for everything that is not there. */
function absent(name: string, type: number, tld: Tld): DraftMessage {
  const flags = { authoritative: true }
  const addresses = type === TYPES.A ? tld.wildcards : []
  if (addresses.length > 0) {
    return { flags, answers: addresses.map((address) => ({ name, ttl: 900, type: 'A', address })) }
  }
  const rcode = tld.wildcards.length > 0 ? RCODES.NOERROR : RCODES.NXDOMAIN
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
