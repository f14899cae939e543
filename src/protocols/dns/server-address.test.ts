import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseServerAddress } from './server-address.ts'

const read: [string, string, 4 | 6, number, string][] = [
  ['192.0.2.1', '192.0.2.1', 4, 53, '192.0.2.1'],
  [' 192.0.2.1:53 ', '192.0.2.1', 4, 53, '192.0.2.1'],
  ['192.0.2.1:5300', '192.0.2.1', 4, 5300, '192.0.2.1:5300'],
  ['2001:DB8:0::1', '2001:db8::1', 6, 53, '2001:db8::1'],
  ['::1', '::1', 6, 53, '::1'],
  ['[2001:db8::1]', '2001:db8::1', 6, 53, '2001:db8::1'],
  ['[2001:db8::1]:5300', '2001:db8::1', 6, 5300, '[2001:db8::1]:5300'],
  ['::ffff:192.0.2.1', '192.0.2.1', 4, 53, '192.0.2.1'],
  ['fe80::1%eth0', 'fe80::1%eth0', 6, 53, 'fe80::1%eth0'],
]
for (const [given, ip, family, port, text] of read) {
  test(`"${given}" is an address`, () => assert.deepEqual(parseServerAddress(given), { ip, family, port, text }))
}

const refused = ['', 'localhost', 'ns.example.com:53', '192.0.2.1:', '192.0.2.1:0', '192.0.2.1:65536', '192.0.2.1:5x']
for (const given of [
  ...refused,
  '192.0.2.256',
  '[192.0.2.1',
  '2001:db8::1]:53',
  '[]:53',
  '1:2:3',
  '192.0.2.1 192.0.2.2',
]) {
  test(`"${given}" is rejected, and the error repeats it`, () => {
    assert.throws(
      () => parseServerAddress(given),
      (error: Error) => error instanceof RangeError && error.message.includes(`"${given}"`),
    )
  })
}
