import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import type { DraftMessage } from './encode.ts'
import { lookUpRecords, type RecordSet } from './record-lookup.ts'
import type { DnsRecord } from './message.ts'
import { address, answerTo, clientWithManualClock, type Incoming, ns, serveDns, soa } from './name-server.fixture.ts'

const TYPE_NAMES: Record<number, string> = {
  1: 'A',
  2: 'NS',
  5: 'CNAME',
  6: 'SOA',
  15: 'MX',
  16: 'TXT',
  28: 'AAAA',
  43: 'DS',
}
const TIMEOUT_MS = 5000

/** A recursor's answers by `NAME TYPE` or `NAME`. Null never answers; a missing name does not exist. */
type World = Record<string, DraftMessage | null>

const RECURSOR = { authoritative: false, recursionAvailable: true }
const found = (...answers: DnsRecord[]): DraftMessage => ({ answers })
const nothing = (zone: string): DraftMessage => ({ authority: [soa(zone)] })
const text = (name: string, ...chunks: (string | Buffer)[]): DnsRecord => ({
  name,
  ttl: 1,
  type: 'TXT',
  chunks: chunks.map((chunk) => Buffer.from(chunk)),
})
const alias = (name: string, target: string): DnsRecord => ({ name, ttl: 1, type: 'CNAME', target })
const ds = (name: string): DnsRecord => ({
  name,
  ttl: 1,
  type: 'DS',
  keyTag: 1,
  algorithm: 13,
  digestType: 2,
  digest: 'ab',
})

const recursorOf = (t: TestContext, world: World) =>
  serveDns(t, (incoming: Incoming) => {
    const { name, type } = incoming.query.questions[0]!
    const draft =
      world[`${name} ${TYPE_NAMES[type]}`] ?? (world[`${name} ${TYPE_NAMES[type]}`] === null ? null : world[name])
    if (draft === null) return
    const missing = { rcode: 3, authority: [soa('com')] }
    incoming.send(answerTo(incoming, { ...(draft ?? missing), flags: { ...RECURSOR, ...draft?.flags } }))
  })

async function look(t: TestContext, domain: string, ...worlds: World[]) {
  const { client, clock } = clientWithManualClock(t)
  const recursors = await Promise.all(worlds.map(async (world) => (await recursorOf(t, world)).address))
  return { clock, answer: lookUpRecords({ client, clock }, { domain, recursors, timeoutMs: TIMEOUT_MS }) }
}

async function recordsOf(t: TestContext, domain: string, ...worlds: World[]): Promise<RecordSet> {
  const result = await (await look(t, domain, ...worlds)).answer
  assert.equal(result.kind, 'found')
  return result.kind === 'found' ? result.records : assert.fail()
}

/** A zone with everything in it. */
const EXAMPLE: World = {
  'example.com': nothing('example.com'),
  'example.com A': found(address('example.com', '192.0.2.1'), address('example.com', '192.0.2.2')),
  'example.com AAAA': found({ name: 'example.com', ttl: 1, type: 'AAAA', address: '2001:db8::1' }),
  'example.com MX': found(
    { name: 'example.com', ttl: 1, type: 'MX', priority: 20, host: 'mx2.example.com' },
    { name: 'example.com', ttl: 1, type: 'MX', priority: 10, host: 'mx1.example.com' },
  ),
  'example.com NS': found(...ns('example.com', 'ns2.host.net', 'ns1.host.net', 'ns3.host.net')),
  'example.com TXT': found(text('example.com', 'part one ', 'part two'), text('example.com', 'grün')),
  'example.com SOA': found({ ...soa('example.com'), mailbox: 'Admin\\.dns.Hosting.com' } as DnsRecord),
  'example.com DS': { ...found(ds('example.com')), flags: { authenticData: true } },
  'ns1.host.net': nothing('host.net'),
  'ns1.host.net A': found(address('ns1.host.net', '192.0.2.53')),
  'ns2.host.net': nothing('host.net'),
  'ns2.host.net AAAA': found({ name: 'ns2.host.net', ttl: 1, type: 'AAAA', address: '2001:db8::53' }),
}

test('all record types of a name are returned together', async (t) => {
  assert.deepEqual(await recordsOf(t, 'example.com', EXAMPLE), {
    a: ['192.0.2.1', '192.0.2.2'],
    aaaa: ['2001:db8::1'],
    mx: [
      { host: 'mx1.example.com', priority: 10 },
      { host: 'mx2.example.com', priority: 20 },
    ],
    ns: [
      { host: 'ns1.host.net', ip: '192.0.2.53' },
      { host: 'ns2.host.net', ip: '2001:db8::53' },
      { host: 'ns3.host.net', ip: '' },
    ],
    txt: ['part one part two', 'grün'],
    cname: null,
    soa: {
      primary: 'ns.example.com',
      email: 'Admin.dns@hosting.com',
      serial: 1,
      refresh: 2,
      retry: 3,
      expire: 4,
      minimum: 900,
    },
    dnssec: true,
    validated: true,
  })
})

test('a zone without DS is not signed; a zone with an unvalidated DS is signed', async (t) => {
  const unsigned = await recordsOf(t, 'example.com', { ...EXAMPLE, 'example.com DS': nothing('com') })
  assert.deepEqual([unsigned.dnssec, unsigned.validated], [false, false])
  const unchecked = await recordsOf(t, 'example.com', { ...EXAMPLE, 'example.com DS': found(ds('example.com')) })
  assert.deepEqual([unchecked.dnssec, unchecked.validated], [true, false])
})

test('a name below its zone apex has no SOA, and is signed if its zone is', async (t) => {
  const world = {
    ...EXAMPLE,
    'www.example.com': nothing('example.com'),
    'www.example.com A': found(address('www.example.com')),
  }
  const records = await recordsOf(t, 'www.example.com', world)
  assert.equal(records.soa, null)
  assert.equal(records.dnssec, true)
})

test('a CNAME shows its target and the records there; its zone is not that of the target', async (t) => {
  const leads = alias('www.example.com', 'site.host.net')
  const world = {
    ...EXAMPLE,
    'www.example.com': { answers: [leads], authority: [soa('host.net')] },
    'www.example.com A': found(leads, alias('site.host.net', 'eu.host.net'), address('eu.host.net', '192.0.2.80')),
    'www.example.com NS': found(leads, ...ns('site.host.net', 'ns1.host.net')),
    'www.example.com SOA': found(leads, soa('site.host.net')),
    'www.example.com DS': found(leads, ds('site.host.net')),
    'example.com DS': nothing('com'),
  }
  const { a, ns: hosts, cname, soa: top, dnssec } = await recordsOf(t, 'www.example.com', world)
  assert.deepEqual(
    { a, hosts, cname, top, dnssec },
    { a: ['192.0.2.80'], hosts: [], cname: 'site.host.net', top: null, dnssec: false },
  )
})

test('a name with a dangling CNAME exists', async (t) => {
  const leads = alias('www.example.com', 'gone.host.net')
  const world = { ...EXAMPLE, 'www.example.com': { rcode: 3, answers: [leads] }, 'www.example.com CNAME': found(leads) }
  const { cname, a } = await recordsOf(t, 'www.example.com', world)
  assert.deepEqual({ cname, a }, { cname: 'gone.host.net', a: [] })
})

test('the zone that lacks the target of a CNAME is not the zone of the CNAME', async (t) => {
  const leads = alias('www.example.com', 'gone.com')
  const world = {
    ...EXAMPLE,
    'www.example.com': { rcode: 3, answers: [leads], authority: [soa('com')] },
    'www.example.com CNAME': found(leads),
    'example.com DS': nothing('com'),
    'com DS': found(ds('com')),
  }
  assert.equal((await recordsOf(t, 'www.example.com', world)).dnssec, false)
})

test('a CNAME loop ends', async (t) => {
  const circle = found(alias('a.example.com', 'b.example.com'), alias('b.example.com', 'a.example.com'))
  const { cname, a } = await recordsOf(t, 'a.example.com', { ...EXAMPLE, 'a.example.com': circle })
  assert.deepEqual({ cname, a }, { cname: 'b.example.com', a: [] })
})

test('records of other names in the answer are ignored', async (t) => {
  const world = {
    ...EXAMPLE,
    'example.com A': found(address('example.com', '192.0.2.1'), address('evil.net', '192.0.2.66')),
  }
  assert.deepEqual((await recordsOf(t, 'example.com', world)).a, ['192.0.2.1'])
})

test('a null MX is shown as a dot', async (t) => {
  const world = {
    ...EXAMPLE,
    'example.com MX': found({ name: 'example.com', ttl: 1, type: 'MX', priority: 0, host: '' }),
  }
  assert.deepEqual((await recordsOf(t, 'example.com', world)).mx, [{ host: '.', priority: 0 }])
})

test('a name that does not exist is distinguished from one without records', async (t) => {
  assert.deepEqual(await (await look(t, 'gone.com', {})).answer, { kind: 'nxdomain' })
  assert.deepEqual(await (await look(t, 'empty.com', { 'empty.com': nothing('com') })).answer, { kind: 'no_records' })
})

test('NXDOMAIN for one type does not hide the records of another', async (t) => {
  const { a, aaaa } = await recordsOf(t, 'example.com', { ...EXAMPLE, 'example.com AAAA': { rcode: 3 } })
  assert.deepEqual([a.length, aaaa.length], [2, 0])
})

suite('a partial answer is never returned as complete', () => {
  for (const type of ['A', 'AAAA', 'MX', 'NS', 'TXT', 'CNAME', 'SOA', 'DS']) {
    test(`when ${type} fails everywhere, so does the lookup`, async (t) => {
      const world = { ...EXAMPLE, [`example.com ${type}`]: { rcode: 2 } }
      const result = await (await look(t, 'example.com', world, world)).answer
      assert.deepEqual(result, { kind: 'unavailable', why: 'servfail', question: `example.com ${type}` })
    })

    test(`when ${type} fails at one recursor, another is asked`, async (t) => {
      const world = { ...EXAMPLE, [`example.com ${type}`]: { rcode: 2 } }
      assert.deepEqual(await recordsOf(t, 'example.com', world, EXAMPLE), await recordsOf(t, 'example.com', EXAMPLE))
    })
  }

  test('when one query times out, so does the lookup', async (t) => {
    const { answer, clock } = await look(t, 'example.com', { ...EXAMPLE, 'example.com TXT': null })
    clock.advance(TIMEOUT_MS)
    assert.deepEqual(await answer, { kind: 'timeout' })
  })

  test('without a recursor the lookup fails', async (t) => {
    const result = await (await look(t, 'example.com')).answer
    assert.equal(result.kind === 'unavailable' && result.why, 'unreachable')
  })

  test('a name server whose address lookup fails has an empty address; the rest is complete', async (t) => {
    const { ns } = await recordsOf(t, 'example.com', {
      ...EXAMPLE,
      'ns1.host.net': { rcode: 2 },
      'ns1.host.net A': { rcode: 2 },
    })
    assert.deepEqual(ns[0], { host: 'ns1.host.net', ip: '' })
  })
})

test("an aborted lookup rejects with the signal's reason", async (t) => {
  const { client, clock } = clientWithManualClock(t)
  const recursor = await recursorOf(t, { 'example.com': null })
  const controller = new AbortController()
  const question = {
    domain: 'example.com',
    recursors: [recursor.address],
    timeoutMs: TIMEOUT_MS,
    signal: controller.signal,
  }
  const answer = lookUpRecords({ client, clock }, question)
  controller.abort(new Error('gone'))
  await assert.rejects(answer, /gone/)
})
