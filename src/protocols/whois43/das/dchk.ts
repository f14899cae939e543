import type { DasAnswer } from './answer.ts'

/** Domain availability check (RFC 5144) over the lightweight UDP transfer (RFC 4993), as DENIC offers it for de. */
const MAX_REPLY_BYTES = 4000
/** Version 0, XML. The other bits ask for compression, which is not used. */
const REQUEST = 0x00
const RESPONSE = 0x20
const RESPONSE_MASK = 0b1111_0011

export function encodeDchk(domain: string, transaction: number, authority: string): Buffer {
  const xml =
    '<iris1:request xmlns:iris1="urn:ietf:params:xml:ns:iris1"><iris1:searchSet><iris1:lookupEntity ' +
    `registryType="urn:ietf:params:xml:ns:dchk1" entityClass="domain-name" entityName="${domain}"/>` +
    '</iris1:searchSet></iris1:request>'
  const header = Buffer.alloc(6)
  header.writeUInt8(REQUEST, 0)
  header.writeUInt16BE(transaction, 1)
  header.writeUInt16BE(MAX_REPLY_BYTES, 3)
  header.writeUInt8(authority.length, 5)
  return Buffer.concat([header, Buffer.from(authority, 'latin1'), Buffer.from(xml)])
}

/** One `domain` element about the name, with one status. Read with patterns: no entity or comment can make a name free. */
export function parseDchk(reply: Buffer, domain: string, transaction: number): DasAnswer {
  if (reply.length < 4 || (reply.readUInt8(0) & RESPONSE_MASK) !== RESPONSE) return 'unreadable'
  if (reply.readUInt16BE(1) !== transaction) return 'unreadable'
  const xml = reply.toString('utf8', 3)
  if (/<!|<\?(?!xml\b)/.test(xml)) return 'unreadable'
  const names = [...xml.matchAll(/<(?:[\w-]+:)?domainName>\s*([^<\s]+)\s*</g)].map((match) => match[1]!.toLowerCase())
  const statuses = [...xml.matchAll(/<(?:[\w-]+:)?status>\s*<(?:[\w-]+:)?(\w+)\s*\/?>/g)].map((match) => match[1]!)
  if (/<(?:[\w-]+:)?limitExceeded\b/.test(xml)) return 'rate_limited'
  if (names.length !== 1 || names[0] !== domain || statuses.length !== 1) return 'unreadable'
  if (statuses[0] === 'free') return 'available'
  return statuses[0] === 'connect' || statuses[0] === 'failed' ? 'not_available' : 'unreadable'
}
