import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalAddress, isPublicAddress, parseCidrs } from './addresses.ts'

/** First, last and inner addresses of IANA's special-purpose ranges. */
const NOT_PUBLIC: Record<string, string[]> = {
  'this network': ['0.0.0.0', '0.255.255.255'],
  'private IPv4': ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  'shared address space': ['100.64.0.0', '100.100.100.200', '100.127.255.255'],
  'IPv4 loopback': ['127.0.0.0', '127.0.0.1', '127.255.255.255'],
  'IPv4 link-local and metadata': ['169.254.0.0', '169.254.169.254', '169.254.255.255', '168.63.129.16'],
  'IETF protocol assignments': ['192.0.0.0', '192.0.0.8', '192.0.0.170', '192.0.0.192', '192.0.0.255'],
  'IPv4 documentation': ['192.0.2.0', '192.0.2.255', '198.51.100.0', '198.51.100.255', '203.0.113.0', '203.0.113.255'],
  '6to4 relays': ['192.88.99.0', '192.88.99.255'],
  'IPv4 benchmarking': ['198.18.0.0', '198.19.255.255'],
  'IPv4 multicast': ['224.0.0.0', '224.0.0.251', '239.255.255.255'],
  'IPv4 reserved and broadcast': ['240.0.0.0', '255.255.255.254', '255.255.255.255'],
  'IPv6 unspecified and loopback': ['::', '::1', '0:0:0:0:0:0:0:1'],
  'IPv4-compatible': ['::127.0.0.1', '::8.8.8.8', '::808:808'],
  'IPv4-mapped, by what is inside': [
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:FFFF:10.0.0.1',
    '::ffff:169.254.169.254',
    '::ffff:0.0.0.0',
  ],
  'IPv4-translated': ['::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  'NAT64, by what is inside': [
    '64:ff9b::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::a00:1',
    '64:ff9b::169.254.169.254',
    '64:ff9b::',
  ],
  'NAT64 for local use': ['64:ff9b:1::', '64:ff9b:1::8.8.8.8', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  'NAT64 beyond its prefix': ['64:ff9b::1:808:808', '64:ff9b:0:1::808:808'],
  'discard-only and dummy': ['100::', '100::ffff:ffff:ffff:ffff', '100:0:0:1::1'],
  'IPv6 protocol assignments': ['2001:1::1', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  Teredo: ['2001::', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  'IPv6 benchmarking and ORCHID': [
    '2001:2::',
    '2001:2:0:ffff:ffff:ffff:ffff:ffff',
    '2001:10::',
    '2001:20::1',
    '2001:30::1',
  ],
  'IPv6 documentation': [
    '2001:db8::',
    '2001:DB8:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF',
    '3fff::',
    '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
  ],
  '6to4, whatever is inside': ['2002::', '2002:7f00:1::', '2002:808:808::1', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'segment routing': ['5f00::', '5f00:ffff::1'],
  'unique local': ['fc00::', 'fd00:ec2::254', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'IPv6 link-local': ['fe80::', 'fe80::1', 'febf:ffff::1', 'fe80::1%eth0', 'fe80::1%1'],
  'site-local': ['fec0::', 'feff:ffff::1'],
  'IPv6 multicast': ['ff00::', 'ff02::1', 'ff0e::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'IPv6 not handed out': ['200::1', '1fff:ffff::1', '4000::', '8000::1', 'fe00::1'],
  'a public address with a zone': ['2606:4700:4700::1111%eth0'],
  'what is not an address': [
    '',
    ' ',
    'localhost',
    'example.com',
    '127.1',
    '0x7f.0.0.1',
    '010.0.0.1',
    '2130706433',
    '8.8.8.8 ',
    ' 8.8.8.8',
    '8.8.8.8:80',
    '8.8.8',
    '8.8.8.8.8',
    '256.1.1.1',
    '[2606:4700::1]',
    '2606:4700',
    '::ffff:8.8.8.256',
    '8.8.8.8%eth0',
  ],
}

const PUBLIC = [
  '1.0.0.0',
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '168.63.129.17',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '191.255.255.255',
  '192.0.1.0',
  '192.0.3.0',
  '192.31.196.1',
  '192.88.98.255',
  '192.88.100.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '198.51.99.255',
  '198.51.101.0',
  '203.0.112.255',
  '203.0.114.0',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '::FFFF:808:808',
  '64:ff9b::8.8.8.8',
  '64:ff9b::808:808',
  '2000::1',
  '2001:200::',
  '2001:4860:4860::8888',
  '2001:db7:ffff::',
  '2001:db9::',
  '2003::',
  '2606:4700:4700::1111',
  '2620:4f:8000::1',
  '2a00:1450:4001:81b::200e',
  '3ffe:ffff::1',
  '3fff:1000::',
]

for (const [kind, addresses] of Object.entries(NOT_PUBLIC)) {
  test(`not public: ${kind}`, () => {
    for (const address of addresses) assert.equal(isPublicAddress(address), false, address)
  })
}

test('addresses next to the special ranges are public', () => {
  for (const address of PUBLIC) assert.equal(isPublicAddress(address), true, address)
})

test('an IPv4 address gets the same result in every IPv6 form that leads to it', () => {
  fc.assert(
    fc.property(fc.ipV4(), (ip) => {
      const [a, b, c, d] = ip.split('.').map(Number) as [number, number, number, number]
      const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
      const judged = isPublicAddress(ip)
      for (const worn of [
        `::ffff:${ip}`,
        `::FFFF:${hex}`,
        `0:0:0:0:0:ffff:${hex}`,
        `64:ff9b::${ip}`,
        `64:ff9b::${hex}`,
      ]) {
        assert.equal(isPublicAddress(worn), judged, worn)
      }
    }),
  )
})

test('the spelling of an IPv6 address does not change the result', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }), (groups) => {
      const plain = groups.map((group) => group.toString(16)).join(':')
      const padded = groups.map((group) => group.toString(16).padStart(4, '0').toUpperCase()).join(':')
      assert.equal(isPublicAddress(plain), isPublicAddress(padded))
      assert.equal(canonicalAddress(plain), canonicalAddress(padded))
    }),
  )
})

test('no text makes the check throw, and text that is not an address is not public', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.ipV6(), fc.domain()), (text) => typeof isPublicAddress(text) === 'boolean'),
  )
})

test('one address has one canonical form', () => {
  assert.equal(canonicalAddress('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(canonicalAddress('::FFFF:C000:201'), '192.0.2.1')
  assert.equal(canonicalAddress('0:0:0:0:0:ffff:c000:0201'), '192.0.2.1')
  assert.equal(canonicalAddress('192.0.2.1'), '192.0.2.1')
  assert.equal(canonicalAddress('2001:0DB8:0:0:0:0:0:1'), '2001:db8::1')
  assert.equal(canonicalAddress('fe80::1%eth0'), 'fe80::1')
  assert.equal(canonicalAddress('::ffff:0:192.0.2.1'), '::ffff:0:c000:201')
  assert.equal(canonicalAddress('example.com'), undefined)
  assert.equal(canonicalAddress(''), undefined)
})

test('the canonical form is stable', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (ip) => {
      const once = canonicalAddress(ip)!
      assert.equal(canonicalAddress(once), once)
    }),
  )
})

test('a list of ranges contains its members and nothing else', () => {
  const listed = parseCidrs(['10.0.0.0/8', ' 192.0.2.7 ', '2001:db8::/33', '::1'])
  for (const member of ['10.0.0.0', '10.255.255.255', '192.0.2.7', '::ffff:10.1.2.3', '2001:db8:7fff::1', '::1']) {
    assert.equal(listed(member), true, member)
  }
  for (const other of ['11.0.0.0', '192.0.2.8', '2001:db8:8000::', '::2', '::10.0.0.1', 'example.com', '']) {
    assert.equal(listed(other), false, other)
  }
})

test('an empty list contains nothing', () => assert.equal(parseCidrs([])('127.0.0.1'), false))

test('all of IPv6 does not contain IPv4, nor the other way round', () => {
  assert.equal(parseCidrs(['::/0'])('10.0.0.1'), false)
  assert.equal(parseCidrs(['::/0'])('2001:db8::1'), true)
  assert.equal(parseCidrs(['0.0.0.0/0'])('2001:db8::1'), false)
  assert.equal(parseCidrs(['0.0.0.0/0'])('::ffff:10.0.0.1'), true)
})

test('membership agrees with a comparison of the bits', () => {
  const number = (ip: string) => ip.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
  fc.assert(
    fc.property(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 }), (base, ip, bits) => {
      const shift = BigInt(32 - bits)
      assert.equal(parseCidrs([`${base}/${bits}`])(ip), number(base) >> shift === number(ip) >> shift)
    }),
  )
})

for (const [entry, complaint] of Object.entries({
  '10.0.0.0/33': /from 0 to 32/,
  '2001:db8::/129': /from 0 to 128/,
  '10.0.0.0/': /from 0 to 32/,
  '10.0.0.0/-1': /from 0 to 32/,
  '10.0.0.0/8.0': /from 0 to 32/,
  '10.0.0.0/255.0.0.0': /from 0 to 32/,
  '10.0.0.0/8/8': /not an address or a range/,
  '10.0.0/8': /not an address or a range/,
  '': /not an address or a range/,
  'proxy.example': /not an address or a range/,
  '[::1]/128': /not an address or a range/,
  'fe80::1%eth0/64': /not an address or a range/,
  '::ffff:10.0.0.0/104': /IPv4 range written as IPv6/,
})) {
  test(`${JSON.stringify(entry)} is rejected as a range, with the entry in the message`, () => {
    assert.throws(
      () => parseCidrs(['10.0.0.0/8', entry]),
      (error: Error) =>
        error instanceof RangeError && error.message.includes(`"${entry}"`) && complaint.test(error.message),
    )
  })
}
