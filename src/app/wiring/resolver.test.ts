import assert from 'node:assert/strict'
import type { NetworkInterfaceInfo } from 'node:os'
import { test } from 'node:test'
import { isIPv6Only } from './resolver.ts'

const at = (address: string, internal = false): NetworkInterfaceInfo => {
  const common = { address, netmask: '', mac: '', internal, cidr: null }
  return address.includes(':') ? { ...common, family: 'IPv6', scopeid: 0 } : { ...common, family: 'IPv4' }
}
const LOOPBACK = { lo: [at('127.0.0.1', true), at('::1', true)] }

test('a machine with addresses of IPv6 only is recognized', () => {
  assert.equal(isIPv6Only({ ...LOOPBACK, eth0: [at('2001:db8::7'), at('fe80::1')] }), true)
})

test('one with an address of IPv4, or without a network, is not', () => {
  assert.equal(isIPv6Only({ ...LOOPBACK, eth0: [at('192.0.2.7'), at('2001:db8::7')] }), false)
  assert.equal(isIPv6Only({ ...LOOPBACK, eth0: [at('fe80::1')] }), false)
  assert.equal(isIPv6Only(LOOPBACK), false)
})
