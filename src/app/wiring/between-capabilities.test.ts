import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DnsAnswer } from '../../dns/service.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { DomainName } from '../../kernel/names.ts'
import { hostingOf } from './between-capabilities.ts'

const suffixes = new Set(['com'])
const shop = 'shop.example.com' as DomainName
const records = (host: string, address: string) => ({
  records: { ns: [{ host, ip: '' }], a: [address], aaaa: [] } as unknown as DnsAnswer['records'],
  ms: 0,
  at: 0,
})

test('a subdomain has its own addresses, and the name servers of its domain', async () => {
  const look = async (domain: string) =>
    domain === shop ? records('not.these', '192.0.2.1') : records('ns.parking.example', '192.0.2.2')
  const hosting = await hostingOf({ lookUp: look, size: 0 }, suffixes)(shop, new AbortController().signal)
  assert.deepEqual(hosting, { nameservers: ['ns.parking.example'], addresses: ['192.0.2.1'] })
})

test('a failed lookup gives no name servers and no addresses', async () => {
  const look = () => Promise.reject(new ApiError('domain_not_found', 'no such domain'))
  const hosting = await hostingOf({ lookUp: look, size: 0 }, suffixes)(shop, new AbortController().signal)
  assert.deepEqual(hosting, { nameservers: [], addresses: [] })
})

test('two lookups aborted at once leave no unhandled rejection', async () => {
  const controller = new AbortController()
  const look = (_: string, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  const hosting = hostingOf({ lookUp: look, size: 0 }, suffixes)(shop, controller.signal)
  controller.abort()
  await assert.rejects(hosting, { name: 'AbortError' })
  // The test runner fails on a rejection that is unhandled by then.
  await nextTurn()
})
