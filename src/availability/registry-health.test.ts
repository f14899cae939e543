import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../kernel/clock.ts'
import { UpstreamError } from '../kernel/errors.ts'
import type { DomainName } from '../kernel/names.ts'
import type { QueryRegistry, RegistryAnswer } from '../kernel/registration.ts'
import { createRegistryHealth } from './registry-health.ts'

const options = { signal: new AbortController().signal, deadline: 1e9, lane: 'test' }
const question = (tld: string) => ({ domain: `name.${tld}` as DomainName, tld })

test('the share of answers and refusals and the slowest twentieth are told for each server', async () => {
  const clock = manualClock()
  const health = createRegistryHealth(clock)
  let next: RegistryAnswer | UpstreamError = { kind: 'available' }
  const ask: QueryRegistry = async () => {
    clock.advance(10)
    if (next instanceof UpstreamError) throw next
    const evidence = { source: 'rdap' as const, server: 's', question: 'q', outcome: '200', at: '', ms: 10 }
    return { answer: next, evidence }
  }
  const watched = health.watch('rdap', ask, (tld) => `rdap.${tld}`)
  for (let at = 0; at < 8; at++) await watched(question('com'), options)
  next = new UpstreamError('rate_limited', 'slow down')
  await assert.rejects(watched(question('com'), options))
  next = { kind: 'unclear', why: 'not_understood', said: '' }
  await watched(question('com'), options)
  await watched(question('net'), options)
  assert.deepEqual(health.report(), [
    { server: 'rdap.com', source: 'rdap', asked: 10, success: 0.8, throttled: 0.1, p95Ms: 10 },
    { server: 'rdap.net', source: 'rdap', asked: 1, success: 0, throttled: 0, p95Ms: 10 },
  ])
})

test('what cannot be asked at all is not held against anybody, and memory has an end', async () => {
  const health = createRegistryHealth(manualClock())
  const never = health.watch(
    'whois',
    () => Promise.reject(new UpstreamError('not_configured', 'none')),
    (tld) => tld,
  )
  await assert.rejects(never(question('es'), options))
  assert.deepEqual(health.report(), [])
  const failing = health.watch(
    'whois',
    () => Promise.reject(new UpstreamError('unavailable', 'down')),
    (tld) => tld,
  )
  for (let at = 0; at < 700; at++) await assert.rejects(failing(question(`t${at}`), options))
  assert.equal(health.report().length, 500)
})
