import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf } from './client-network.ts'

test('an IPv6 client belongs to its /48, and no other client to a network', () => {
  assert.equal(networkOf('2001:db8:1:2::/64'), '2001:db8:1::/48')
  assert.equal(networkOf('payments of 2001:db8:1:2::/64'), 'payments of 2001:db8:1::/48')
  assert.equal(networkOf('0:0:0:0::/64'), '0:0:0::/48')
  for (const client of ['203.0.113.9', 'cli', 'unknown', '']) assert.equal(networkOf(client), undefined)
})
