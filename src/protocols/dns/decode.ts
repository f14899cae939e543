import {
  CLASS_IN,
  type DnsMessage,
  type DnsRecord,
  type Edns,
  type DnsFlags,
  MalformedMessage,
  type DnsQuestion,
  type RecordType,
  TYPE_OPT,
  TYPES,
} from './message.ts'
import { type ByteReader, createReader, readName } from './name-codec.ts'

const TYPE_NAMES = new Map<number, RecordType>(Object.entries(TYPES).map(([name, code]) => [code, name as RecordType]))

type OptRecord = { readonly upperRcode: number } & Edns

/** Decodes a whole message. Throws MalformedMessage. Time is linear in the message's length. */
export function decodeMessage(bytes: Uint8Array): DnsMessage {
  const reader = createReader(bytes)
  const id = readUint16(reader)
  const bits = readUint16(reader)
  const counts = [readUint16(reader), readUint16(reader), readUint16(reader), readUint16(reader)] as const
  const questions: DnsQuestion[] = []
  for (let left = counts[0]; left > 0; left--) {
    questions.push({ name: readName(reader), type: readUint16(reader), class: readUint16(reader) })
  }
  const opts: OptRecord[] = []
  const answers = readRecords(reader, counts[1], null)
  const authority = readRecords(reader, counts[2], null)
  const additional = readRecords(reader, counts[3], opts)
  if (reader.at !== bytes.length) throw new MalformedMessage('there are bytes after the last record')
  const [opt] = opts
  return {
    id,
    opcode: (bits >> 11) & 0xf,
    rcode: (bits & 0xf) | ((opt?.upperRcode ?? 0) << 4),
    flags: readFlags(bits),
    questions,
    answers,
    authority,
    additional,
    edns: opt === undefined ? null : { udpSize: opt.udpSize, dnssecOk: opt.dnssecOk },
  }
}

const readFlags = (bits: number): DnsFlags => ({
  response: (bits & 0x8000) !== 0,
  authoritative: (bits & 0x0400) !== 0,
  truncated: (bits & 0x0200) !== 0,
  recursionDesired: (bits & 0x0100) !== 0,
  recursionAvailable: (bits & 0x0080) !== 0,
  authenticData: (bits & 0x0020) !== 0,
  checkingDisabled: (bits & 0x0010) !== 0,
})

/** Reads one section. An OPT record is stored in `opts`; with `opts` null it is malformed. */
function readRecords(reader: ByteReader, count: number, opts: OptRecord[] | null): DnsRecord[] {
  const records: DnsRecord[] = []
  for (let left = count; left > 0; left--) {
    const name = readName(reader)
    const code = readUint16(reader)
    const klass = readUint16(reader)
    const ttl = readUint32(reader)
    const length = readUint16(reader)
    const end = reader.at + length
    if (end > reader.bytes.length) throw new MalformedMessage('a record runs past the end')
    if (code === TYPE_OPT) {
      if (opts === null || opts.length > 0 || name !== '') throw new MalformedMessage('an OPT record is out of place')
      opts.push({ udpSize: klass, upperRcode: ttl >>> 24, dnssecOk: (ttl & 0x8000) !== 0 })
      reader.at = end
      continue
    }
    // A TTL with the top bit set counts as 0 (RFC 2181).
    records.push(readRecord(reader, { name, ttl: ttl > 0x7fffffff ? 0 : ttl, code, klass, end }))
    if (reader.at !== end) throw new MalformedMessage('a record does not match its declared length')
  }
  return records
}

type RecordHead = {
  readonly name: string
  readonly ttl: number
  readonly code: number
  readonly klass: number
  readonly end: number
}

function readRecord(reader: ByteReader, { name, ttl, code, klass, end }: RecordHead): DnsRecord {
  const type = klass === CLASS_IN ? TYPE_NAMES.get(code) : undefined
  switch (type) {
    case 'A':
      return { name, ttl, type, address: readBytes(reader, 4).join('.') }
    case 'AAAA':
      return { name, ttl, type, address: formatIPv6(readBytes(reader, 16)) }
    case 'NS':
      return { name, ttl, type, host: readName(reader) }
    case 'CNAME':
      return { name, ttl, type, target: readName(reader) }
    case 'SOA':
      return {
        name,
        ttl,
        type,
        primary: readName(reader),
        mailbox: readName(reader, true),
        serial: readUint32(reader),
        refresh: readUint32(reader),
        retry: readUint32(reader),
        expire: readUint32(reader),
        minimum: readUint32(reader),
      }
    case 'MX':
      return { name, ttl, type, priority: readUint16(reader), host: readName(reader) }
    case 'TXT':
      return { name, ttl, type, chunks: readChunks(reader, end) }
    case 'DS':
      return {
        name,
        ttl,
        type,
        keyTag: readUint16(reader),
        algorithm: readUint8(reader),
        digestType: readUint8(reader),
        digest: Buffer.from(readBytes(reader, end - reader.at)).toString('hex'),
      }
    case 'CAA': {
      const flags = readUint8(reader)
      const tag = Buffer.from(readBytes(reader, readUint8(reader))).toString('latin1')
      return { name, ttl, type, flags, tag, value: readBytes(reader, end - reader.at) }
    }
    case undefined:
      return { name, ttl, type: 'other', code, class: klass, data: readBytes(reader, end - reader.at) }
  }
}

function readChunks(reader: ByteReader, end: number): Uint8Array[] {
  const chunks: Uint8Array[] = []
  while (reader.at < end) chunks.push(readBytes(reader, readUint8(reader)))
  if (chunks.length === 0) throw new MalformedMessage('a TXT record is empty')
  return chunks
}

function readUint8(reader: ByteReader): number {
  const byte = reader.bytes[reader.at]
  if (byte === undefined) throw new MalformedMessage('the message ends too early')
  reader.at++
  return byte
}

function readUint16(reader: ByteReader): number {
  const { bytes, at } = reader
  if (at + 2 > bytes.length) throw new MalformedMessage('the message ends too early')
  reader.at = at + 2
  return (bytes[at]! << 8) | bytes[at + 1]!
}

const readUint32 = (reader: ByteReader): number => readUint16(reader) * 0x10000 + readUint16(reader)

/** Copies, so that a stored record does not keep the whole message in memory. */
function readBytes(reader: ByteReader, length: number): Uint8Array {
  const { bytes, at } = reader
  if (length < 0 || at + length > bytes.length) throw new MalformedMessage('the message ends too early')
  reader.at = at + length
  return new Uint8Array(bytes.subarray(at, at + length))
}

/** RFC 5952: lower case, no leading zeros, the first longest run of two or more zero groups as `::`. */
function formatIPv6(bytes: Uint8Array): string {
  const groups = Array.from({ length: 8 }, (_, at) => ((bytes[2 * at]! << 8) | bytes[2 * at + 1]!).toString(16))
  let [start, length] = [-1, 1]
  for (let at = 0; at < 8; at++) {
    let end = at
    while (groups[end] === '0') end++
    if (end - at > length) [start, length] = [at, end - at]
    if (end > at) at = end
  }
  if (start === -1) return groups.join(':')
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`
}
