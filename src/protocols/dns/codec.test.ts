import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { decodeMessage } from './decode.ts'
import { encodeMessage } from './encode.ts'
import { type DnsMessage, type DnsRecord, MalformedMessage, rcodeName } from './message.ts'
import { isWithin, nameLabels, createReader, readName } from './name-codec.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex')
const nameAt = (text: string, at = 0) => readName(createReader(hex(text), at))

suite('names', () => {
  test('a compressed name is decoded in lower case, and the offset moves past it', () => {
    const reader = createReader(hex('03 63 6f 6d 00  07 45 58 61 6d 70 6c 65 c0 00  ff'), 5)
    assert.equal(readName(reader), 'example.com')
    assert.equal(reader.at, 15)
    assert.equal(readName({ ...reader, at: 5 }, true), 'EXample.com')
    assert.equal(nameAt('00'), '')
  })

  test('dots, backslashes and unprintable bytes inside labels are escaped', () => {
    assert.equal(nameAt('09 61 64 6d 69 6e 2e 64 6e 73 03 63 6f 6d 00'), 'admin\\.dns.com')
    assert.equal(nameAt('03 5c 00 ff 00'), '\\\\\\000\\255')
    assert.deepEqual(nameLabels('admin\\.dns.com.').map(String), ['admin.dns', 'com'])
  })

  const bad: Record<string, string> = {
    'a pointer to itself': 'c0 00',
    'two that point to each other': '01 61 c0 04 01 62 c0 00',
    'a pointer forwards': '01 61 c0 04 00',
    'a pointer without its second byte': '01 61 c0',
    'a label past the end': '05 61 62 63',
    'no end': '01 61',
    'a label of an unknown type': '41 61 00',
    nothing: '',
    'more than 255 bytes': `${`3f${'61'.repeat(63)}`.repeat(4)}00`,
  }
  for (const [what, bytes] of Object.entries(bad)) {
    test(`refused: ${what}`, () => assert.throws(() => nameAt(bytes), MalformedMessage))
  }

  test('a name of 255 bytes is accepted', () => {
    const longest = `${`3f${'61'.repeat(63)}`.repeat(3)}3d${'61'.repeat(61)}00`
    assert.equal(hex(longest).length, 255)
    const name = nameAt(longest)
    assert.deepEqual(
      Buffer.from(nameLabels(name).flatMap((label) => [label.length, ...label])),
      hex(longest).subarray(0, -1),
    )
    assert.throws(() => nameLabels(`${name}a`), /longer than 255 bytes/)
    assert.throws(() => nameLabels(`a${name}`), /longer than 63 bytes/)
    assert.throws(() => nameLabels(`b.${name}`), RangeError)
  })

  test('a chain of pointers that is longer than any name is not followed', () => {
    const chain = [0, ...Array.from({ length: 200 }, (_, at) => [0xc0, at === 0 ? 0 : 1 + 2 * (at - 1)]).flat()]
    const bytes = Buffer.from(chain.map((byte) => byte & 0xff))
    assert.equal(readName(createReader(bytes, 1 + 2 * 100)), '')
    assert.throws(() => readName(createReader(bytes, 1 + 2 * 128)), /too many pointers/)
  })

  test('whether a name stands below a zone is decided label by label', () => {
    assert.ok(isWithin('example.com', 'com') && isWithin('com', 'com') && isWithin('com', ''))
    assert.ok(!isWithin('com', 'example.com') && !isWithin('example.xcom', 'com') && !isWithin('xcom', 'com'))
    assert.ok(!isWithin('example\\.com', 'com') && isWithin('example\\\\.com', 'com'))
  })
})

suite('records', () => {
  const decodeRecord = (type: string, data: string, count = 1) => {
    const length = hex(data).length.toString(16).padStart(4, '0')
    return decodeMessage(hex(`0000 8400 0000 000${count} 0000 0000  00 ${type} 0001 00000e10 ${length} ${data}`))
      .answers[0]
  }
  const read: [string, string, string, Partial<DnsRecord>][] = [
    ['A', '0001', 'c0000207', { type: 'A', address: '192.0.2.7' }],
    ['AAAA', '001c', '20010db8000000000000000000000001', { type: 'AAAA', address: '2001:db8::1' }],
    ['AAAA', '001c', '00000000000000000000000000000000', { type: 'AAAA', address: '::' }],
    ['AAAA', '001c', '20010db8000000010000000000000000', { type: 'AAAA', address: '2001:db8:0:1::' }],
    ['AAAA', '001c', '00010000000200030004000500060007', { type: 'AAAA', address: '1:0:2:3:4:5:6:7' }],
    ['DS', '002b', '3039 0d 02 abcd', { type: 'DS', keyTag: 12345, algorithm: 13, digestType: 2, digest: 'abcd' }],
    ['MX', '000f', '000a 00', { type: 'MX', priority: 10, host: '' }],
    ['HTTPS', '0041', '0001', { type: 'other', code: 65, class: 1, data: Uint8Array.from([0, 1]) }],
  ]
  for (const [name, type, data, expected] of read) {
    test(`${name} ${data}`, () => assert.deepEqual(decodeRecord(type, data), { name: '', ttl: 3600, ...expected }))
  }

  const refused: [string, string, string][] = [
    ['an A record of three bytes', '0001', 'c00002'],
    ['an A record of five bytes', '0001', 'c000020701'],
    ['an AAAA record of four bytes', '001c', 'c0000207'],
    ['an NS record with something behind the name', '0002', '0161 00 00'],
    ['a TXT record that is empty', '0010', ''],
    ['a TXT record whose string is cut', '0010', '05 6162'],
    ['a TXT record whose string reaches beyond the record', '0010', '01'],
    ['a CAA record whose tag is cut', '0101', '00 05 69'],
    ['a DS record without its fields', '002b', '3039'],
    ['an SOA record without its numbers', '0006', '00 00 00000001'],
  ]
  for (const [what, type, data] of refused) {
    test(`refused: ${what}`, () => assert.throws(() => decodeRecord(type, data), MalformedMessage))
  }

  test('refused: fewer records than announced, or something after the last', () => {
    assert.throws(() => decodeRecord('0001', 'c0000207', 2), MalformedMessage)
    assert.throws(() => decodeMessage(hex('0000 8400 0000 0000 0000 0000 00')), /after the last/)
  })

  test('refused: a record that hides another behind its address', () => {
    const hidden = '00 0001 0001 00000000 0004 c0000209'
    const bytes = hex(`0000 8400 0000 0002 0000 0000  00 0001 0001 00000e10 0013 c0000207 ${hidden}`)
    assert.throws(() => decodeMessage(bytes), MalformedMessage)
  })

  test('a TTL with the top bit set is 0', () => {
    const { answers } = decodeMessage(hex('0000 8400 0000 0001 0000 0000  00 0001 0001 80000001 0004 c0000207'))
    assert.equal(answers[0]?.ttl, 0)
  })

  test('OPT adds the upper bits of the response code, and is allowed once, at the root, in the additional section', () => {
    const opt = '00 0029 04d0 01008000 0000'
    const message = decodeMessage(hex(`0000 8400 0000 0000 0000 0001 ${opt}`))
    assert.deepEqual([message.rcode, message.edns, message.additional], [16, { udpSize: 1232, dnssecOk: true }, []])
    assert.equal(rcodeName(message.rcode), 'BADVERS')
    for (const wrong of [`0002 ${opt} ${opt}`, `0001 0161${opt}`]) {
      assert.throws(() => decodeMessage(hex(`0000 8400 0000 0000 0000 ${wrong}`)), MalformedMessage)
    }
    assert.throws(() => decodeMessage(hex(`0000 8400 0000 0001 0000 0000 ${opt}`)), MalformedMessage)
  })
})

// --- properties -------------------------------------------------------------------------------------------------------

const struct = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model, { noNullPrototype: true })
const byte = fc.integer({ min: 0, max: 255 })
const uint16 = fc.integer({ min: 0, max: 0xffff })
const uint32 = fc.integer({ min: 0, max: 0xffffffff })
const bytesOf = (maxLength: number) => fc.uint8Array({ maxLength })

/** A name as the decoder writes it: any bytes but capital letters. */
const name = fc
  .array(
    fc.array(
      byte.filter((one) => one < 0x41 || one > 0x5a),
      { minLength: 1, maxLength: 20 },
    ),
    { maxLength: 6 },
  )
  .map((labels) => {
    const wire = Buffer.from([...labels.flatMap((label) => [label.length, ...label]), 0])
    return readName(createReader(wire))
  })
const ipv6 = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => {
  const groups = Array.from({ length: 8 }, (_, at) => ((bytes[2 * at]! << 8) | bytes[2 * at + 1]!).toString(16))
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1)
})

const data = fc.oneof(
  struct({ type: fc.constant('A' as const), address: fc.ipV4() }),
  struct({ type: fc.constant('AAAA' as const), address: ipv6 }),
  struct({ type: fc.constant('NS' as const), host: name }),
  struct({ type: fc.constant('CNAME' as const), target: name }),
  struct({
    type: fc.constant('SOA' as const),
    primary: name,
    mailbox: name,
    serial: uint32,
    refresh: uint32,
    retry: uint32,
    expire: uint32,
    minimum: uint32,
  }),
  struct({ type: fc.constant('MX' as const), priority: uint16, host: name }),
  struct({ type: fc.constant('TXT' as const), chunks: fc.array(bytesOf(255), { minLength: 1, maxLength: 4 }) }),
  struct({
    type: fc.constant('DS' as const),
    keyTag: uint16,
    algorithm: byte,
    digestType: byte,
    digest: bytesOf(48).map((bytes) => Buffer.from(bytes).toString('hex')),
  }),
  struct({
    type: fc.constant('CAA' as const),
    flags: byte,
    tag: bytesOf(20).map((bytes) => Buffer.from(bytes).toString('latin1')),
    value: bytesOf(40),
  }),
  struct({
    type: fc.constant('other' as const),
    code: fc.constantFrom(39, 46, 48, 65),
    class: uint16,
    data: bytesOf(60),
  }),
)
const record: fc.Arbitrary<DnsRecord> = fc
  .tuple(name, fc.integer({ min: 0, max: 0x7fffffff }), data)
  .map(([name, ttl, rest]) => ({ name, ttl, ...rest }))
const section = fc.array(record, { maxLength: 5 })
const bit = fc.boolean()
const message: fc.Arbitrary<DnsMessage> = struct({
  id: uint16,
  opcode: fc.integer({ min: 0, max: 15 }),
  rcode: fc.integer({ min: 0, max: 15 }),
  flags: struct({
    response: bit,
    authoritative: bit,
    truncated: bit,
    recursionDesired: bit,
    recursionAvailable: bit,
    authenticData: bit,
    checkingDisabled: bit,
  }),
  questions: fc.array(struct({ name, type: uint16, class: uint16 }), { maxLength: 2 }),
  answers: section,
  authority: section,
  additional: section,
  edns: fc.option(struct({ udpSize: uint16, dnssecOk: bit })),
})

test('an encoded message decodes to the same message', () => {
  fc.assert(
    fc.property(message, (written) => {
      assert.deepEqual(decodeMessage(encodeMessage(written)), written)
    }),
    { numRuns: 500 },
  )
})

/** Reads bytes that may be anything. The only thing it may throw is MalformedMessage. */
function survives(bytes: Uint8Array): void {
  try {
    decodeMessage(bytes)
  } catch (error) {
    if (!(error instanceof MalformedMessage)) throw error
  }
}

test('arbitrary bytes are decoded or rejected as MalformedMessage', () => {
  const header = fc.tuple(bytesOf(4), fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 }))
  const plausible = fc
    .tuple(header, fc.uint8Array({ maxLength: 600 }))
    .map(([[start, counts], rest]) =>
      Buffer.concat([
        Buffer.concat([start, Buffer.alloc(4)]).subarray(0, 4),
        Buffer.from(counts.flatMap((count) => [0, count])),
        rest,
      ]),
    )
  fc.assert(fc.property(fc.oneof(bytesOf(600), plausible), survives), { numRuns: 5000 })
})

test('a corrupted or truncated message is decoded or rejected as MalformedMessage', () => {
  const changes = fc.array(fc.tuple(fc.nat(), byte), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(message, changes, fc.option(fc.nat()), (original, changes, cut) => {
      const bytes = encodeMessage(original)
      for (const [at, value] of changes) bytes[at % bytes.length] = value
      survives(cut === null ? bytes : bytes.subarray(0, cut % bytes.length))
    }),
    { numRuns: 1000 },
  )
})

test('the most expensive message of 65,535 bytes decodes each name once', () => {
  // A name of 255 bytes in the question, a hundred pointers to it, one behind the other, hidden in a record nobody
  // knows, and then as many records as fit, each with the last pointer as owner and host.
  const pointer = (target: number) => [0xc0 | (target >> 8), target & 0xff]
  const question = hex(`${'0161'.repeat(127)}00 0001 0001`)
  const hiddenAt = 12 + question.length + 11
  const pointers = Array.from({ length: 100 }, (_, at) => pointer(at === 0 ? 12 : hiddenAt + 2 * (at - 1))).flat()
  const hidden = Buffer.from([0, 0xff, 0xff, 0, 1, 0, 0, 0, 0, 0, pointers.length, ...pointers])
  const last = pointer(hiddenAt + 2 * 99)
  const one = Buffer.from([...last, 0, 2, 0, 1, 0, 0, 0, 0, 0, 2, ...last])
  const count = Math.floor((65_535 - 12 - question.length - hidden.length) / one.length)
  const header = Buffer.from([0, 0, 0x84, 0, 0, 1, (count + 1) >> 8, (count + 1) & 0xff, 0, 0, 0, 0])
  const bytes = Buffer.concat([header, question, hidden, ...Array.from({ length: count }, () => one)])
  let reads = 0
  const counted = new Proxy(bytes, {
    get(target, key) {
      reads++
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const { answers } = decodeMessage(counted)
  assert.ok(reads < 5 * bytes.length, `${reads} reads of ${bytes.length} bytes`)
  assert.equal(answers.length, count + 1)
  const name = Array.from({ length: 127 }, () => 'a').join('.')
  assert.deepEqual(answers.at(-1), { name, ttl: 0, type: 'NS', host: name })
})
