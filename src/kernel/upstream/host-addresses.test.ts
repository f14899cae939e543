import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { manualClock } from '../clock.ts'
import { createHostAddresses, type HostAddresses, type ResolveHost } from './host-addresses.ts'

const HOST = 'rdap.example'
const SECOND = 1000
const MINUTE = 60 * SECOND

const ipv4 = (address: string): LookupAddress => ({ address, family: 4 })
const lookUp = async ({ lookup }: HostAddresses, hostname = HOST): Promise<string[]> => {
  const found = await promisify(lookup)(hostname, { all: true })
  return found.map(({ address }) => address)
}
const failure = (code: string) => Object.assign(new Error(code), { code })

/** A resolver whose answer the test sets; each call counts. */
function scripted(ttlMs = MINUTE) {
  const state: { answer: string | null | Error; asked: number } = { answer: '192.0.2.1', asked: 0 }
  const resolve: ResolveHost = async () => {
    state.asked++
    if (state.answer instanceof Error) throw state.answer
    return state.answer === null ? null : { addresses: [ipv4(state.answer)], ttlMs }
  }
  return Object.assign(state, { resolve })
}

function hostsWith(...resolvers: ResolveHost[]) {
  const clock = manualClock()
  return { clock, hosts: createHostAddresses({ clock, resolvers }) }
}

/** Lets what runs in the background finish: nothing in these tests waits for more than promises. */
const background = () => new Promise((resolve) => setImmediate(resolve))

test('all connections to a host share one resolution, however the name is written', async () => {
  const resolver = scripted()
  const { hosts } = hostsWith(resolver.resolve)
  const found = await Promise.all(Array.from({ length: 50 }, (_, at) => lookUp(hosts, at % 2 ? HOST : 'RDAP.example.')))
  assert.ok(found.every(([address]) => address === '192.0.2.1'))
  await lookUp(hosts)
  assert.equal(resolver.asked, 1)
})

for (const [title, ttlMs, keptMs] of [
  ['addresses are kept for their TTL', MINUTE, MINUTE],
  ['a TTL of 0 is 5 seconds', 0, 5 * SECOND],
  ['a TTL of a week is an hour', 7 * 24 * 60 * MINUTE, 60 * MINUTE],
] as const) {
  test(title, async () => {
    const resolver = scripted(ttlMs)
    const { hosts, clock } = hostsWith(resolver.resolve)
    await lookUp(hosts)
    resolver.answer = '192.0.2.2'
    clock.advance(keptMs * 0.79)
    assert.deepEqual(await lookUp(hosts), ['192.0.2.1'])
    await background()
    assert.equal(resolver.asked, 1)
    clock.advance(keptMs * 0.21)
    assert.deepEqual(await lookUp(hosts), ['192.0.2.2'])
  })
}

test('a host in use is resolved again before its TTL ends, and nobody waits for it', async () => {
  const resolver = scripted()
  const { hosts, clock } = hostsWith(resolver.resolve)
  await lookUp(hosts)
  resolver.answer = '192.0.2.2'
  clock.advance(0.8 * MINUTE)
  assert.deepEqual(await Promise.all([lookUp(hosts), lookUp(hosts)]), [['192.0.2.1'], ['192.0.2.1']])
  await background()
  assert.equal(resolver.asked, 2)
  clock.advance(0.2 * MINUTE)
  assert.deepEqual(await lookUp(hosts), ['192.0.2.2'])
  assert.equal(resolver.asked, 2)
})

test('a host that is not in use is not resolved again', async () => {
  const resolver = scripted()
  const { hosts, clock } = hostsWith(resolver.resolve)
  await lookUp(hosts)
  clock.advance(10 * MINUTE)
  await background()
  assert.equal(resolver.asked, 1)
})

test('if no resolver answers, old addresses are used for an hour, and the resolver is left alone for 5 seconds', async () => {
  const resolver = scripted()
  const { hosts, clock } = hostsWith(resolver.resolve)
  await lookUp(hosts)
  resolver.answer = failure('EAI_AGAIN')
  clock.advance(MINUTE)
  assert.deepEqual(await lookUp(hosts), ['192.0.2.1'])
  assert.deepEqual(await lookUp(hosts), ['192.0.2.1'])
  assert.equal(resolver.asked, 2)
  clock.advance(5 * SECOND)
  assert.deepEqual(await lookUp(hosts), ['192.0.2.1'])
  assert.equal(resolver.asked, 3)
  clock.advance(60 * MINUTE)
  await assert.rejects(lookUp(hosts), { code: 'EAI_AGAIN' })
  resolver.answer = '192.0.2.3'
  clock.advance(SECOND)
  assert.deepEqual(await lookUp(hosts), ['192.0.2.3'])
})

test('a name that does not exist any more is not kept past its TTL', async () => {
  const resolver = scripted()
  const { hosts, clock } = hostsWith(resolver.resolve)
  await lookUp(hosts)
  resolver.answer = null
  clock.advance(MINUTE)
  await assert.rejects(lookUp(hosts), { code: 'ENOTFOUND' })
})

test('requests for a host that cannot be resolved share the error for a second', async () => {
  const resolver = scripted()
  resolver.answer = null
  const { hosts, clock } = hostsWith(resolver.resolve)
  await assert.rejects(lookUp(hosts), { code: 'ENOTFOUND' })
  await assert.rejects(lookUp(hosts), { code: 'ENOTFOUND' })
  assert.equal(resolver.asked, 1)
  clock.advance(SECOND)
  resolver.answer = '192.0.2.1'
  assert.deepEqual(await lookUp(hosts), ['192.0.2.1'])
})

test('the next resolver is asked if one has no address or fails', async () => {
  for (const answer of [null, failure('ETIMEOUT')]) {
    const [first, second] = [scripted(), scripted()]
    first.answer = answer
    second.answer = '192.0.2.9'
    assert.deepEqual(await lookUp(hostsWith(first.resolve, second.resolve).hosts), ['192.0.2.9'])
  }
})

test('a failure is a failure, even if another resolver does not know the name', async () => {
  const [first, second] = [scripted(), scripted()]
  const { hosts, clock } = hostsWith(first.resolve, second.resolve)
  await lookUp(hosts)
  first.answer = failure('ETIMEOUT')
  second.answer = failure('ENOTFOUND')
  clock.advance(MINUTE)
  assert.deepEqual(await lookUp(hosts), ['192.0.2.1'])
})
