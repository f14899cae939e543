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

const DEADLINE_MS = 10_000
const clock = systemClock
let lab: DnsLab
let client: DnsClient

const tldOf = (domain: string) => domain.slice(domain.lastIndexOf('.') + 1) as keyof DnsLab['tlds']

/** What the TLD's own server says of the name; nobody else is asked. */
const atTheTld = (domain: string): Promise<Delegation> =>
  createDelegationFinder({ client, clock, random: secureRandom, recursors: [] }).find({
    domain,
    zone: tldOf(domain),
    servers: [parseServerAddress(lab.tlds[tldOf(domain)])],
    deadlineMs: DEADLINE_MS,
  })

const atTheRecursor = (domain: string): Promise<Delegation> =>
  createDelegationFinder({ client, clock, random: secureRandom, recursors: [parseServerAddress(lab.recursor)] }).find({
    domain,
    zone: tldOf(domain),
    servers: [],
    deadlineMs: DEADLINE_MS,
  })

const ask = (name: string, type: RecordType, server: string, more: { recursion?: boolean; dnssec?: boolean } = {}) =>
  client.ask({ name, type, servers: [parseServerAddress(server)], recursion: false, deadlineMs: DEADLINE_MS, ...more })

const look = (domain: string) =>
  lookUpRecords({ client, clock }, { domain, recursors: [parseServerAddress(lab.recursor)], deadlineMs: DEADLINE_MS })

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
    test(`${domain} is registered, says its TLD`, async () => {
      const found = await atTheTld(domain)
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
    test(`${domain} is not delegated (${rcode}), and may be kept as long as the zone allows`, async () => {
      const found = await atTheTld(domain)
      assert.equal(found.kind, 'not_delegated')
      assert.equal(found.kind === 'not_delegated' && found.ttlSeconds, 900)
      assert.equal(found.evidence.rcode, rcode)
      assert.equal(found.evidence.server, lab.tlds[tldOf(domain)])
    })
  }

  for (const domain of ['lame.com', 'bogus.com']) {
    test(`${domain} is registered although no recursor can resolve it`, async () => {
      assert.equal((await atTheTld(domain)).kind, 'delegated')
      const hearsay = await atTheRecursor(domain)
      assert.equal(hearsay.kind === 'unclear' && hearsay.why, 'servfail')
      assert.equal((await look(domain)).kind, 'unavailable')
    })
  }

  test('a TLD whose server has lost the zone leaves everything unclear', async () => {
    const found = await atTheTld('x.broken')
    assert.equal(found.kind === 'unclear' && found.why, 'servfail')
  })

  test('a server is not responsible for a zone that is not its own', async () => {
    const question = {
      domain: 'taken.com',
      zone: 'com',
      servers: [parseServerAddress(lab.root)],
      deadlineMs: DEADLINE_MS,
    }
    const found = await createDelegationFinder({ client, clock, random: secureRandom, recursors: [] }).find(question)
    assert.equal(found.kind === 'unclear' && found.why, 'lame')
  })

  test('a name registered while we watch is seen, and so is its end', async () => {
    assert.equal((await atTheTld('brandnew.com')).kind, 'not_delegated')
    await lab.register('brandnew', 'com')
    assert.equal((await atTheTld('brandnew.com')).kind, 'delegated')
    await lab.drop('brandnew', 'com')
    assert.equal((await atTheTld('brandnew.com')).kind, 'not_delegated')
  })

  test('a server that never answers costs its turn: the next one tells', async () => {
    const servers = [parseServerAddress(lab.tlds.slow), parseServerAddress(lab.tlds.com)]
    const how = { recursion: false, zone: 'com', inOrder: true, deadlineMs: DEADLINE_MS } as const
    const reply = await client.ask({ name: 'taken.com', type: 'NS', servers, ...how })
    assert.equal(reply.outcome, 'referral')
    assert.deepEqual(
      reply.attempts.map(({ result }) => result),
      ['silent', 'referral'],
    )
  })

  test('with nobody else to ask, it is a timeout by the deadline', async () => {
    const servers = [parseServerAddress(lab.tlds.slow)]
    const reply = await client.ask({ name: 'x.slow', type: 'NS', servers, recursion: false, deadlineMs: 400 })
    assert.equal(reply.outcome, 'timeout')
    assert.ok(reply.elapsedMs >= 400)
  })

  test('a server that cuts everything over UDP answers over TCP', async () => {
    const reply = await ask('tcponly.com', 'A', lab.leaf)
    assert.deepEqual([reply.outcome, reply.tcp], ['answer', true])
  })

  test('an answer too long for a datagram comes over TCP, whole', async () => {
    const reply = await ask('big.com', 'TXT', lab.leaf)
    assert.equal(reply.tcp, true)
    assert.equal(recordsFor(reply.answers, 'big.com', 'TXT').length, 62)
  })

  test('DS records come with a referral when asked for', async () => {
    const signed = await ask('taken.com', 'NS', lab.tlds.com, { dnssec: true })
    assert.equal(signed.outcome, 'referral')
    assert.equal(signed.authority.filter(({ type }) => type === 'DS').length, 1)
    const plain = await ask('taken.com', 'NS', lab.tlds.com)
    assert.equal(plain.authority.filter(({ type }) => type === 'DS').length, 0)
  })

  test('a recursor says what it has validated', async () => {
    const through = (name: string) => ask(name, 'A', lab.recursor, { recursion: true })
    assert.equal((await through('taken.com')).flags?.authenticData, true)
    assert.equal((await through('taken.io')).flags?.authenticData, false)
  })

  test('a recursor that can be believed shows what is registered, and only hears of what is not', async () => {
    const taken = await atTheRecursor('taken.com')
    assert.equal(taken.kind === 'delegated' && taken.viaRecursor, true)
    const free = await atTheRecursor('free.com')
    assert.equal(free.kind === 'not_delegated' && free.viaRecursor, true)
    const wildcard = await atTheRecursor('any.ws')
    assert.equal(wildcard.kind === 'not_delegated' && wildcard.viaRecursor, true)
  })

  test('everything about a signed name is looked up at once', async () => {
    const found = await look('taken.com')
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
    // Signing counts the serial up.
    assert.ok((records.soa?.serial ?? 0) >= 2_026_111_501)
  })

  test('an alias below a signed zone, an unsigned zone, and names that are not there', async () => {
    const alias = await look('www.taken.com')
    assert.ok(alias.kind === 'found')
    assert.deepEqual([alias.records.cname, alias.records.soa, alias.records.dnssec], ['taken.com', null, true])
    assert.equal(alias.records.a.length, 1)
    const unsigned = await look('taken.io')
    assert.ok(unsigned.kind === 'found')
    assert.equal(unsigned.records.dnssec, false)
    assert.equal((await look('free.com')).kind, 'nxdomain')
    assert.equal((await look('x.broken')).kind, 'unavailable')
  })
})
