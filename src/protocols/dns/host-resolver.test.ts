import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DnsClient, DnsReply } from './client.ts'
import { createHostResolver } from './host-resolver.ts'
import type { DnsRecord } from './message.ts'
import { parseServerAddress } from './server-address.ts'

const HOST = 'rdap.example'
const ipv4 = (name = HOST, ttl = 300): DnsRecord => ({ name, ttl, type: 'A', address: '192.0.2.1' })
const ipv6 = (name = HOST, ttl = 300): DnsRecord => ({ name, ttl, type: 'AAAA', address: '2001:db8::1' })

type Answers = { A: DnsReply['outcome'] | DnsRecord[]; AAAA: DnsReply['outcome'] | DnsRecord[] | 'never' }

function resolverFor(answers: Answers) {
  const query: DnsClient['query'] = ({ type }) => {
    const answer = answers[type as 'A' | 'AAAA']
    if (answer === 'never') return new Promise(() => {})
    const reply = Array.isArray(answer) ? { outcome: 'answer', answers: answer } : { outcome: answer, answers: [] }
    return Promise.resolve(reply as unknown as DnsReply)
  }
  const recursors = [parseServerAddress('192.0.2.53')]
  return createHostResolver({ client: { query }, recursors, wait: () => Promise.resolve() })
}

const addressesFrom = async (answers: Answers) =>
  (await resolverFor(answers)(HOST))?.addresses.map(({ address, family }) => `${family} ${address}`)

test('a host has the addresses of both families, those of IPv4 first', async () => {
  assert.deepEqual(await addressesFrom({ A: [ipv4()], AAAA: [ipv6()] }), ['4 192.0.2.1', '6 2001:db8::1'])
})

test('a host with one family has the addresses of that', async () => {
  assert.deepEqual(await addressesFrom({ A: [ipv4()], AAAA: 'nodata' }), ['4 192.0.2.1'])
  assert.deepEqual(await addressesFrom({ A: 'nodata', AAAA: [ipv6()] }), ['6 2001:db8::1'])
})

test('IPv6 is not waited for if IPv4 is there, and its failure does not matter', async () => {
  assert.deepEqual(await addressesFrom({ A: [ipv4()], AAAA: 'never' }), ['4 192.0.2.1'])
  assert.deepEqual(await addressesFrom({ A: [ipv4()], AAAA: 'servfail' }), ['4 192.0.2.1'])
})

test('an alias is followed, and the shortest TTL counts', async () => {
  const alias: DnsRecord = { name: HOST, ttl: 30, type: 'CNAME', target: 'edge.example' }
  const answer = await resolverFor({ A: [alias, ipv4('edge.example')], AAAA: [alias, ipv6('edge.example', 20)] })(HOST)
  assert.equal(answer?.addresses.length, 2)
  assert.equal(answer?.ttlMs, 20_000)
})

test('a name without addresses is null, and silence is an error', async () => {
  for (const outcome of ['nxdomain', 'nodata'] as const) {
    assert.equal(await resolverFor({ A: outcome, AAAA: outcome })(HOST), null)
  }
  for (const outcome of ['timeout', 'servfail', 'unreachable'] as const) {
    await assert.rejects(resolverFor({ A: outcome, AAAA: 'nodata' })(HOST), {
      failure: 'unavailable',
      unreachable: true,
    })
    await assert.rejects(resolverFor({ A: 'nodata', AAAA: outcome })(HOST), { failure: 'unavailable' })
  }
})

test('a machine without IPv4 waits for IPv6, and tries it first', async () => {
  let answerIPv6: (records: DnsRecord[]) => void = () => {}
  const late = new Promise<DnsRecord[]>((resolve) => (answerIPv6 = resolve))
  const query: DnsClient['query'] = async ({ type }) => {
    const answers = type === 'A' ? [ipv4()] : await late
    return { outcome: 'answer', answers } as unknown as DnsReply
  }
  const recursors = [parseServerAddress('2001:db8::53')]
  const wait = () => Promise.resolve()
  const resolve = createHostResolver({ client: { query }, recursors, wait, isIPv6Only: () => true })
  const answer = resolve(HOST)
  await new Promise((turn) => setImmediate(turn))
  answerIPv6([ipv6()])
  assert.deepEqual(
    (await answer)?.addresses.map(({ family }) => family),
    [6, 4],
  )
})
