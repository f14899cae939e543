import { isIPv4 } from 'node:net'
import { CLASS_IN, type DnsMessage, type DnsRecord, type DnsFlags, TYPE_OPT, TYPES } from './message.ts'
import { encodeName } from './name-codec.ts'

const MAX_UINT16 = 0xffff
/** A compression pointer has 14 bits. */
const MAX_POINTER_OFFSET = 0x3fff

/** Bytes written so far, and the offsets of the names in them. */
type Writer = { readonly bytes: number[]; readonly names: Map<string, number> }

/** A message to encode; omitted fields have defaults. */
export type DraftMessage = Partial<Omit<DnsMessage, 'flags'>> & { readonly flags?: Partial<DnsFlags> }

/** Encodes a whole message. Throws a RangeError if it is too long or a value cannot be encoded. */
export function encodeMessage(draft: DraftMessage): Buffer {
  const { id = 0, opcode = 0, rcode = 0, flags = {}, questions = [], edns = null } = draft
  const { answers = [], authority = [], additional = [] } = draft
  const writer: Writer = { bytes: [], names: new Map() }
  writeUint16(writer, id)
  writeUint16(writer, flagBits(flags) | (opcode << 11) | (rcode & 0xf))
  const additionalCount = additional.length + (edns === null ? 0 : 1)
  for (const count of [questions.length, answers.length, authority.length, additionalCount]) writeUint16(writer, count)
  for (const { name, type, class: klass } of questions) {
    writeName(writer, name)
    writeUint16(writer, type)
    writeUint16(writer, klass)
  }
  for (const record of [...answers, ...authority, ...additional]) writeRecord(writer, record)
  if (edns !== null) {
    writer.bytes.push(0)
    writeUint16(writer, TYPE_OPT)
    writeUint16(writer, edns.udpSize)
    writeUint32(writer, ((rcode >> 4) << 24) | (edns.dnssecOk ? 0x8000 : 0))
    writeUint16(writer, 0)
  }
  if (writer.bytes.length > MAX_UINT16) throw new RangeError(`a message of ${writer.bytes.length} bytes is too long`)
  return Buffer.from(writer.bytes)
}

const flagBits = (flags: Partial<DnsFlags>): number =>
  (flags.response ? 0x8000 : 0) |
  (flags.authoritative ? 0x0400 : 0) |
  (flags.truncated ? 0x0200 : 0) |
  (flags.recursionDesired ? 0x0100 : 0) |
  (flags.recursionAvailable ? 0x0080 : 0) |
  (flags.authenticData ? 0x0020 : 0) |
  (flags.checkingDisabled ? 0x0010 : 0)

function writeRecord(writer: Writer, record: DnsRecord): void {
  writeName(writer, record.name)
  writeUint16(writer, record.type === 'other' ? record.code : TYPES[record.type])
  writeUint16(writer, record.type === 'other' ? record.class : CLASS_IN)
  writeUint32(writer, record.ttl)
  const lengthAt = writer.bytes.length
  writeUint16(writer, 0)
  writeData(writer, record)
  const length = writer.bytes.length - lengthAt - 2
  if (length > MAX_UINT16) throw new RangeError(`a record of ${length} bytes is too long`)
  writer.bytes[lengthAt] = length >> 8
  writer.bytes[lengthAt + 1] = length & 0xff
}

function writeData(writer: Writer, record: DnsRecord): void {
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return append(writer, isIPv4(record.address) ? record.address.split('.').map(Number) : ipv6Bytes(record.address))
    case 'NS':
      return writeName(writer, record.host)
    case 'CNAME':
      return writeName(writer, record.target)
    case 'SOA':
      writeName(writer, record.primary)
      writeName(writer, record.mailbox)
      for (const number of [record.serial, record.refresh, record.retry, record.expire, record.minimum]) {
        writeUint32(writer, number)
      }
      return
    case 'MX':
      writeUint16(writer, record.priority)
      return writeName(writer, record.host)
    case 'TXT':
      for (const chunk of record.chunks) writeChunk(writer, chunk)
      return
    case 'DS':
      writeUint16(writer, record.keyTag)
      writer.bytes.push(record.algorithm, record.digestType)
      return append(writer, Buffer.from(record.digest, 'hex'))
    case 'CAA':
      writer.bytes.push(record.flags)
      writeChunk(writer, Buffer.from(record.tag, 'latin1'))
      return append(writer, record.value)
    case 'other':
      return append(writer, record.data)
  }
}

/** Writes a name with compression. Names that differ in case do not share a pointer. */
function writeName({ bytes, names }: Writer, name: string): void {
  const wire = encodeName(name)
  let at = 0
  for (; wire[at]! > 0; at += wire[at]! + 1) {
    const tail = wire.toString('latin1', at)
    const known = names.get(tail)
    if (known !== undefined) {
      bytes.push(0xc0 | (known >> 8), known & 0xff)
      return
    }
    if (bytes.length <= MAX_POINTER_OFFSET) names.set(tail, bytes.length)
    bytes.push(...wire.subarray(at, at + 1 + wire[at]!))
  }
  bytes.push(0)
}

function writeChunk(writer: Writer, chunk: Uint8Array): void {
  if (chunk.length > 0xff) throw new RangeError(`a string of ${chunk.length} bytes is too long`)
  writer.bytes.push(chunk.length)
  append(writer, chunk)
}

function append({ bytes }: Writer, more: Iterable<number>): void {
  for (const byte of more) bytes.push(byte)
}

const writeUint16 = ({ bytes }: Writer, value: number): void => void bytes.push((value >> 8) & 0xff, value & 0xff)

function writeUint32(writer: Writer, value: number): void {
  writeUint16(writer, value >>> 16)
  writeUint16(writer, value & 0xffff)
}

/** The sixteen bytes of an IPv6 address. Embedded IPv4 notation is not supported. */
function ipv6Bytes(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const groups = (part: string) =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16))
  const [front, back] = [groups(head), groups(tail ?? '')]
  const middle = Array.from({ length: tail === undefined ? 0 : 8 - front.length - back.length }, () => 0)
  const all = [...front, ...middle, ...back]
  if (all.length !== 8 || all.some(Number.isNaN)) throw new RangeError(`${address} is not an IPv6 address`)
  return all.flatMap((group) => [group >> 8, group & 0xff])
}
