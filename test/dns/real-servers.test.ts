// needs: knot, unbound
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { systemClock } from '../../src/kernel/clock.ts'
import { secureRandom } from '../../src/kernel/random.ts'
import { createDnsClient, type DnsClient } from '../../src/protocols/dns/client.ts'
import type { Delegation } from '../../src/protocols/dns/delegation-query.ts'
import { createDelegationFinder } from '../../src/protocols/dns/delegation-finder.ts'
import { lookUpRecords } from '../../src/protocols/dns/record-lookup.ts'
import type { RecordType } from '../../src/protocols/dns/message.ts'
import { recordsFor } from '../../src/protocols/dns/outcome.ts'
import { parseServerAddress } from '../../src/protocols/dns/server-address.ts'
import { type DnsLab, startDnsLab } from './lab.ts'
import { serverFor } from '../support/servers/for-suites.ts'

const knot = serverFor('knot')
const unbound = serverFor('unbound')
const skip = knot.skip || unbound.skip

const TIMEOUT_MS = 10_000
const clock = systemClock
let lab: DnsLab
let client: DnsClient

const tldOf = (domain: string) => domain.slice(domain.lastIndexOf('.') + 1) as keyof DnsLab['tlds']

/** The delegation according to the TLD's own server, without a recursor. */
const findAtTld = (domain: string): Promise<Delegation> =>
  createDelegationFinder({ client, clock, random: secureRandom, recursors: [] }).find({
    domain,
    zone: tldOf(domain),
    servers: [parseServerAddress(lab.tlds[tldOf(domain)])],
    timeoutMs: TIMEOUT_MS,
  })

const findAtRecursor = (domain: string): Promise<Delegation> =>
  createDelegationFinder({ client, clock, random: secureRandom, recursors: [parseServerAddress(lab.recursor)] }).find({
    domain,
    zone: tldOf(domain),
    servers: [],
    timeoutMs: TIMEOUT_MS,
  })

const query = (name: string, type: RecordType, server: string, more: { recursion?: boolean; dnssec?: boolean } = {}) =>
  client.query({ name, type, servers: [parseServerAddress(server)], recursion: false, timeoutMs: TIMEOUT_MS, ...more })

const lookUp = (domain: string) =>
  lookUpRecords({ client, clock }, { domain, recursors: [parseServerAddress(lab.recursor)], timeoutMs: TIMEOUT_MS })

suite('real name servers', { skip }, () => {
  before(async () => {
    lab = await startDnsLab({ knotd: knot.address, unbound: unbound.address })
    client = createDnsClient({ clock, random: secureRandom })
  })
  after(async () => {
    client.close()
    await lab.stop()
  })

  for (const domain of ['taken.com', 'taken.io', 'taken.dev', 'taken.ws']) {
    test(`${domain} is delegated by its TLD server`, async () => {
      const found = await findAtTld(domain)
      assert.equal(found.kind, 'delegated')
      assert.deepEqual(found.kind === 'delegated' && found.nameservers.toSorted(), [
        'ns1.hosting.com',
        'ns2.hosting.com',
      ])
    })
  }

  for (const [domain, rcode] of [
    ['free.com', 'NXDOMAIN'],
    ['free.io', 'NXDOMAIN'],
    // Every name below .ws has an address, but no name servers.
    ['any.ws', 'NOERROR'],
  ] as const) {
    test(`${domain} is not delegated (${rcode}), with the TTL of the zone`, async () => {
      const found = await findAtTld(domain)
      assert.equal(found.kind, 'not_delegated')
      assert.equal(found.kind === 'not_delegated' && found.ttlSeconds, 900)
      assert.equal(found.evidence.rcode, rcode)
      assert.equal(found.evidence.server, lab.tlds[tldOf(domain)])
    })
  }

  for (const domain of ['lame.com', 'bogus.com']) {
    test(`${domain} is delegated although no recursor can resolve it`, async () => {
      assert.equal((await findAtTld(domain)).kind, 'delegated')
      const recursive = await findAtRecursor(domain)
      assert.equal(recursive.kind === 'unclear' && recursive.why, 'servfail')
      assert.equal((await lookUp(domain)).kind, 'unavailable')
    })
  }

  test('a TLD server without its zone file makes the result unclear', async () => {
    const found = await findAtTld('x.broken')
    assert.equal(found.kind === 'unclear' && found.why, 'servfail')
  })

  test('a server without the zone is reported as lame', async () => {
    const request = {
      domain: 'taken.com',
      zone: 'com',
      servers: [parseServerAddress(lab.root)],
      timeoutMs: TIMEOUT_MS,
    }
    const found = await createDelegationFinder({ client, clock, random: secureRandom, recursors: [] }).find(request)
    assert.equal(found.kind === 'unclear' && found.why, 'lame')
  })

  test('a new delegation is seen at once, and so is its removal', async () => {
    assert.equal((await findAtTld('brandnew.com')).kind, 'not_delegated')
    await lab.register('brandnew', 'com')
    assert.equal((await findAtTld('brandnew.com')).kind, 'delegated')
    await lab.drop('brandnew', 'com')
    assert.equal((await findAtTld('brandnew.com')).kind, 'not_delegated')
  })

  test('after a server that never responds, the next one is queried', async () => {
    const servers = [parseServerAddress(lab.tlds.slow), parseServerAddress(lab.tlds.com)]
    const options = { recursion: false, zone: 'com', inOrder: true, timeoutMs: TIMEOUT_MS } as const
    const reply = await client.query({ name: 'taken.com', type: 'NS', servers, ...options })
    assert.equal(reply.outcome, 'referral')
    assert.deepEqual(
      reply.attempts.map(({ result }) => result),
      ['silent', 'referral'],
    )
  })

  test('without another server, the query times out at the deadline', async () => {
    const servers = [parseServerAddress(lab.tlds.slow)]
    const reply = await client.query({ name: 'x.slow', type: 'NS', servers, recursion: false, timeoutMs: 400 })
    assert.equal(reply.outcome, 'timeout')
    assert.ok(reply.elapsedMs >= 400)
  })

  test('a response truncated over UDP is fetched over TCP', async () => {
    const reply = await query('tcponly.com', 'A', lab.leaf)
    assert.deepEqual([reply.outcome, reply.tcp], ['answer', true])
  })

  test('a response too long for a datagram is complete over TCP', async () => {
    const reply = await query('big.com', 'TXT', lab.leaf)
    assert.equal(reply.tcp, true)
    assert.equal(recordsFor(reply.answers, 'big.com', 'TXT').length, 62)
  })

  test('a referral includes DS records if DNSSEC is requested', async () => {
    const signed = await query('taken.com', 'NS', lab.tlds.com, { dnssec: true })
    assert.equal(signed.outcome, 'referral')
    assert.equal(signed.authority.filter(({ type }) => type === 'DS').length, 1)
    const plain = await query('taken.com', 'NS', lab.tlds.com)
    assert.equal(plain.authority.filter(({ type }) => type === 'DS').length, 0)
  })

  test('a recursor reports what it has validated', async () => {
    const through = (name: string) => query(name, 'A', lab.recursor, { recursion: true })
    assert.equal((await through('taken.com')).flags?.authenticData, true)
    assert.equal((await through('taken.io')).flags?.authenticData, false)
  })

  test('results of a recursor are marked as such, for delegated and undelegated names', async () => {
    const taken = await findAtRecursor('taken.com')
    assert.equal(taken.kind === 'delegated' && taken.viaRecursor, true)
    const free = await findAtRecursor('free.com')
    assert.equal(free.kind === 'not_delegated' && free.viaRecursor, true)
    const wildcard = await findAtRecursor('any.ws')
    assert.equal(wildcard.kind === 'not_delegated' && wildcard.viaRecursor, true)
  })

  test('all records of a signed name are looked up', async () => {
    const found = await lookUp('taken.com')
    assert.ok(found.kind === 'found')
    const { records } = found
    const ip = lab.leaf.split(':')[0]!
    assert.deepEqual(
      { ...records, txt: records.txt.toSorted() },
      {
        a: [ip.replace(/\.10$/, '.20')],
        aaaa: ['::1'],
        mx: [
          { host: 'mx1.taken.com', priority: 5 },
          { host: 'mail.taken.com', priority: 10 },
        ],
        ns: [
          { host: 'ns1.hosting.com', ip },
          { host: 'ns2.hosting.com', ip },
        ],
        txt: ['part one part two', 'v=spf1 -all'],
        cname: null,
        soa: {
          primary: 'ns1.hosting.com',
          email: 'admin.dns@hosting.com',
          serial: records.soa?.serial,
          refresh: 7200,
          retry: 3600,
          expire: 1_209_600,
          minimum: 300,
        },
        dnssec: true,
        validated: true,
      },
    )
    // Signing increments the serial.
    assert.ok((records.soa?.serial ?? 0) >= 2_026_111_501)
  })

  test('aliases, unsigned zones and missing names are looked up', async () => {
    const alias = await lookUp('www.taken.com')
    assert.ok(alias.kind === 'found')
    assert.deepEqual([alias.records.cname, alias.records.soa, alias.records.dnssec], ['taken.com', null, true])
    assert.equal(alias.records.a.length, 1)
    const unsigned = await lookUp('taken.io')
    assert.ok(unsigned.kind === 'found')
    assert.equal(unsigned.records.dnssec, false)
    assert.equal((await lookUp('free.com')).kind, 'nxdomain')
    assert.equal((await lookUp('x.broken')).kind, 'unavailable')
  })
})
