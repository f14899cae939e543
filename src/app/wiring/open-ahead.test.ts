import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Finding, Target } from '../../availability/probe.ts'
import type { HostState } from '../../kernel/pace/host-types.ts'
import type { RegistryQueryOptions, RegistryResponse } from '../../kernel/registration.ts'
import { createOpenAhead } from './open-ahead.ts'

const CLOSED: HostState = { waiting: 0, underWay: 0, rate: undefined, pauseMs: 0, breaker: 'closed' }
const target = (tld = 'com') => ({ domain: `example.${tld}`, label: 'example', tld }) as Target
const options = {} as RegistryQueryOptions

function openAheadWith(state?: Partial<HostState>) {
  const prepared: string[] = []
  const openAhead = createOpenAhead({
    upstream: { prepare: (url, requests) => void prepared.push(`${url.host} ${requests}`) },
    pacer: { state: () => state && { ...CLOSED, ...state } },
    bootstrap: { baseFor: (tld) => (tld === 'es' ? undefined : `https://rdap.${tld}.example/v1/`) },
  })
  const answer = Promise.withResolvers<Finding>()
  const probe = openAhead.duringDns({ query: () => answer.promise })
  const query = openAhead.whileQueued(async () => ({}) as RegistryResponse)
  return { prepared, probe, query, answer }
}

test('while the name servers are asked about one name, its registry is only looked up', () => {
  const { probe, prepared } = openAheadWith()
  void probe.query(target(), options)
  assert.deepEqual(prepared, ['rdap.com.example 0'])
})

test('for a list, one connection is opened to its registry', async () => {
  const { probe, prepared, answer } = openAheadWith()
  const queries = Array.from({ length: 10 }, () => probe.query(target(), options))
  void probe.query(target('org'), options)
  assert.deepEqual(prepared, ['rdap.com.example 0', 'rdap.com.example 1', 'rdap.org.example 0'])
  answer.resolve({} as Finding)
  await Promise.all(queries)
  void probe.query(target(), options)
  assert.equal(prepared.at(-1), 'rdap.com.example 0')
})

test('a TLD without RDAP needs no connection', () => {
  const { probe, query, prepared } = openAheadWith({})
  void probe.query(target('es'), options)
  void query(target('es'), options)
  assert.deepEqual(prepared, [])
})

for (const [waiting, underWay, wanted] of [
  [0, 3, 3],
  [79, 21, 40],
  [29, 21, 21],
] as const) {
  test(`with ${waiting} queries in the queue of a registry and ${underWay} under way, it needs ${wanted} connections`, () => {
    const { query, prepared } = openAheadWith({ waiting, underWay })
    void query(target(), options)
    assert.deepEqual(prepared, [`rdap.com.example ${wanted}`])
  })
}

for (const state of [{ breaker: 'down' }, { breaker: 'failing' }, { rate: 5 }, { pauseMs: 1000 }] as const) {
  test(`none are opened for a queue at a registry with ${JSON.stringify(state)}`, () => {
    const { query, prepared } = openAheadWith({ waiting: 79, underWay: 1, ...state })
    void query(target(), options)
    assert.deepEqual(prepared, [])
  })
}

test('nothing is prepared at a registry that is down', () => {
  const { probe, prepared } = openAheadWith({ breaker: 'down' })
  for (let at = 0; at < 5; at++) void probe.query(target(), options)
  assert.deepEqual(prepared, [])
})
