import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAvailability } from './availability.fixture.ts'

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

test('requests of one client share a lane at the registries, and another client has its own', async (t) => {
  const door = await startAvailability(t, {}, { trustedProxies: ['127.0.0.1'] })
  const clients = ['198.51.100.7', '198.51.100.7', '203.0.113.9', '2001:db8:1:2::1', '2001:db8:1:2:ffff::1']
  for (const [at, address] of clients.entries()) await door.get(`/v1/check?domain=a${at}.es`, from(address))
  const lanes = ['198.51.100.7', '198.51.100.7', '203.0.113.9', '2001:db8:1:2::/64', '2001:db8:1:2::/64']
  assert.deepEqual(
    door.queries,
    lanes.map((lane) => ({ lane, lowPriority: undefined })),
  )
})
