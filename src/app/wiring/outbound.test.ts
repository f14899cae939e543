import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { systemClock } from '../../kernel/clock.ts'
import { SETTINGS } from '../settings/table.ts'
import { version } from '../version.ts'
import { createOutbound, type Provider, PROVIDERS } from './outbound.ts'

const providers = Object.keys(PROVIDERS) as Provider[]

test('every provider gets the same user agent with the version', async (t) => {
  const agents: unknown[] = []
  const server = createServer(({ headers }, response) => {
    agents.push(headers['user-agent'])
    response.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const outbound = createOutbound({ config: { sandbox: true, namedHosts: {} }, clock: systemClock, log: { warn() {} } })
  for (const provider of providers) {
    const upstream = outbound.open(provider)
    await upstream.request({ url })
    await upstream.close()
  }
  assert.deepEqual(
    agents,
    providers.map(() => `onoma/${version}`),
  )
})

test('every provider names settings that exist', () => {
  for (const provider of providers)
    for (const setting of PROVIDERS[provider].settings) assert.ok(Object.hasOwn(SETTINGS, setting), setting)
})
