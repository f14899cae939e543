import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseCidrs } from '../../src/kernel/addresses.ts'
import { clientAddress, rateKey } from '../../src/surfaces/http/client-address.ts'

const client = (peer: string, forwarded: string | undefined, trusted: string[]) =>
  clientAddress(
    { socket: { remoteAddress: peer }, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage,
    parseCidrs(trusted),
  )

test('X-Forwarded-For is used only as far as trusted proxies added to it', () => {
  const rows: [peer: string, forwarded: string | undefined, trusted: string[], expected: string][] = [
    ['203.0.113.9', undefined, [], '203.0.113.9'],
    ['203.0.113.9', '1.2.3.4', [], '203.0.113.9'],
    ['10.0.0.1', '1.2.3.4', ['10.0.0.0/8'], '1.2.3.4'],
    ['10.0.0.1', '6.6.6.6, 1.2.3.4', ['10.0.0.0/8'], '1.2.3.4'],
    ['10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.2', ['10.0.0.0/8'], '1.2.3.4'],
    ['10.0.0.1', '10.0.0.3, 10.0.0.2', ['10.0.0.0/8'], '10.0.0.3'],
    ['10.0.0.1', 'unknown', ['10.0.0.0/8'], '10.0.0.1'],
    ['10.0.0.1', 'junk, 1.2.3.4', ['10.0.0.0/8'], '1.2.3.4'],
    ['10.0.0.1', '1.2.3.4, junk', ['10.0.0.0/8'], '10.0.0.1'],
    ['10.0.0.1', '', ['10.0.0.0/8'], '10.0.0.1'],
    ['::ffff:10.0.0.1', '::ffff:1.2.3.4', ['10.0.0.0/8'], '1.2.3.4'],
    ['10.0.0.1', '1.2.3.4:5678', ['10.0.0.1'], '1.2.3.4'],
    ['10.0.0.1', '[2001:db8::7]:5678', ['10.0.0.1'], '2001:db8::7'],
    ['10.0.0.1', '2001:db8::7', ['10.0.0.1'], '2001:db8::7'],
    ['2001:db8::1', '1.2.3.4', ['2001:db8::/32'], '1.2.3.4'],
  ]
  for (const [peer, forwarded, trusted, expected] of rows) {
    assert.equal(client(peer, forwarded, trusted), expected, `${peer} <- ${forwarded}`)
  }
})

test('an IPv6 client is counted by its /64, an IPv4 client by its address, mapped or not', () => {
  assert.equal(rateKey('203.0.113.9'), '203.0.113.9')
  assert.equal(rateKey('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(rateKey('2001:db8:1:2::1'), '2001:db8:1:2::/64')
  assert.equal(rateKey('2001:0db8:0001:0002:ffff::'), '2001:db8:1:2::/64')
  assert.equal(rateKey('2001:db8::1'), '2001:db8:0:0::/64')
  assert.equal(rateKey('::1'), '0:0:0:0::/64')
  assert.equal(rateKey('::'), '0:0:0:0::/64')
  assert.equal(rateKey('fe80::1%eth0'), 'fe80:0:0:0::/64')
  assert.equal(rateKey('64:ff9b::1.2.3.4'), '64:ff9b:0:0::/64')
  assert.equal(rateKey('::2:3:4:5:6:7:8'), '0:2:3:4::/64')
})

test('all addresses of a /64 share a key, and different /64s have different keys', () => {
  const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16))
  fc.assert(
    fc.property(
      fc.array(group, { minLength: 8, maxLength: 8 }),
      fc.array(group, { minLength: 4, maxLength: 4 }),
      (a, b) => {
        const other = [...a.slice(0, 4), ...b].join(':')
        assert.equal(rateKey(a.join(':')), rateKey(other))
        const elsewhere = [((Number.parseInt(a[0]!, 16) + 1) & 0xffff).toString(16), ...a.slice(1)].join(':')
        assert.notEqual(rateKey(a.join(':')), rateKey(elsewhere))
      },
    ),
  )
})
