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

test('a sub-domain has addresses of its own, and the name servers of the domain above it', async () => {
  const look = async (domain: string) =>
    domain === shop ? records('not.these', '192.0.2.1') : records('ns.parking.example', '192.0.2.2')
  const hosting = await hostingOf({ lookUp: look, size: 0 }, suffixes)(shop, new AbortController().signal)
  assert.deepEqual(hosting, { nameservers: ['ns.parking.example'], addresses: ['192.0.2.1'] })
})

test('what DNS does not tell is not known', async () => {
  const look = () => Promise.reject(new ApiError('domain_not_found', 'there is none'))
  const hosting = await hostingOf({ lookUp: look, size: 0 }, suffixes)(shop, new AbortController().signal)
  assert.deepEqual(hosting, { nameservers: [], addresses: [] })
})

test('two look-ups that are given up at once leave no rejection unheard', async () => {
  const leaving = new AbortController()
  const look = (_: string, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  const asked = hostingOf({ lookUp: look, size: 0 }, suffixes)(shop, leaving.signal)
  leaving.abort()
  await assert.rejects(asked, { name: 'AbortError' })
  // The runner fails a test whose rejections nobody hears of by then.
  await nextTurn()
})
