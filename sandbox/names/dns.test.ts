import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { promises as dns } from 'node:dns'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { after, before, beforeEach, suite, test } from 'node:test'
import { systemClock } from '../../src/kernel/clock.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { createDnsClient, type DnsClient } from '../../src/protocols/dns/client.ts'
import { decodeMessage } from '../../src/protocols/dns/decode.ts'
import { queryZoneServers } from '../../src/protocols/dns/delegation-query.ts'
import { createDelegationFinder } from '../../src/protocols/dns/delegation-finder.ts'
import { encodeMessage } from '../../src/protocols/dns/encode.ts'
import { lookUpRecords } from '../../src/protocols/dns/record-lookup.ts'
import { CLASS_IN, RCODES, type RecordType, TYPES } from '../../src/protocols/dns/message.ts'
import { parseServerAddress } from '../../src/protocols/dns/server-address.ts'
import { loadTldServers } from '../../src/protocols/dns/tld-servers.ts'
import { loadCatalogue } from '../../src/tlds/catalogue.ts'
import { OUTCOME_WORDS } from '../outcome.ts'
import { WILDCARDS } from './dns-answer.ts'
import { until } from './registry.fixture.ts'
import { type Names, startNames } from './start.ts'

/** Generous, for a busy machine. */
const TIMEOUT_MS = 30_000
const CALM = { latencyMs: 0, dropShare: 0, silent: [], lyingRecursor: false }

suite('name servers in the sandbox', () => {
  let names: Names
  let client: DnsClient
  let waits: number[]
  const needs = () => ({ client, clock: systemClock })
  const zoneServers = () => [names.nameServers.a, names.nameServers.b].map(parseServerAddress)
  const recursors = () => [parseServerAddress(names.nameServers.recursor)]

  before(async () => {
    names = await startNames({ seed: 7, wait: async (ms) => void waits.push(ms) })
    client = createDnsClient({ clock: systemClock, random: seededRandom(7) })
  })
  after(async () => {
    client.close()
    await names.stop()
  })
  beforeEach(() => {
    waits = []
    names.set({ dns: CALM })
    names.resetCounters()
  })

  const askTld = (name: string, type: RecordType, timeoutMs = TIMEOUT_MS) => {
    const zone = name.slice(name.lastIndexOf('.') + 1)
    return client.query({ name, type, servers: zoneServers(), recursion: false, zone, dnssec: true, timeoutMs })
  }
  const resolve = (name: string, type: RecordType) =>
    client.query({ name, type, servers: recursors(), recursion: true, timeoutMs: TIMEOUT_MS })
  /** A name with this prefix that fulfils the condition. */
  const named = (start: string, isWanted: (domain: string) => boolean, tld = 'com'): string => {
    const found = Array.from({ length: 500 }, (_, at) => `${start}-${at}x.${tld}`).find(isWanted)
    assert.ok(found, `no name that starts with ${start}`)
    return found
  }
  const isDelegated = (domain: string) => names.truthOf(domain).isDelegated

  test('answer with a referral for delegated names and NXDOMAIN for others, under all 511 TLDs', async () => {
    const tldServers = loadTldServers(JSON.parse(readFileSync(names.settings['ONOMA_TLD_SERVERS']!, 'utf8')))
    const found = await Promise.all(
      loadCatalogue().all.flatMap((zone) =>
        ['taken-shop', 'free-shop', 'held-shop', 'my-shop'].map(async (label) => {
          const domain = `${label}.${zone}`
          const question = { domain, zone, servers: tldServers.find(zone), timeoutMs: TIMEOUT_MS }
          return { domain, delegation: await queryZoneServers(needs(), question) }
        }),
      ),
    )
    assert.equal(found.length, 4 * 511)
    for (const { domain, delegation } of found) {
      const truth = names.truthOf(domain)
      if (delegation.kind === 'delegated') assert.deepEqual(delegation.nameservers, truth.registration?.nameservers)
      assert.equal(delegation.kind, truth.isDelegated ? 'delegated' : 'not_delegated', domain)
    }
  })

  test('add DS and glue records to a referral', async () => {
    const own = named('signed', (domain) => names.truthOf(domain).registration!.nameservers[0] === `ns1.${domain}`)
    const { outcome, authority, additional, flags } = await askTld(own, 'NS')
    assert.equal(outcome, 'referral')
    assert.equal(flags?.authoritative, false)
    assert.ok(authority.some(({ type }) => type === 'DS'))
    assert.deepEqual(
      additional.filter(({ type }) => type === 'A').map(({ name }) => name),
      names.truthOf(own).registration?.nameservers,
    )
    assert.equal((await askTld(own, 'DS')).outcome, 'answer')
    assert.equal((await askTld('free-shop.com', 'DS')).outcome, 'nxdomain')
  })

  test('answer for the TLD itself, and refuse other zones', async () => {
    assert.equal((await askTld('com', 'SOA')).outcome, 'answer')
    assert.equal((await askTld('com', 'NS')).outcome, 'answer')
    assert.equal((await askTld('com', 'TXT')).outcome, 'nodata')
    assert.equal((await askTld('shop.notatld', 'NS')).outcome, 'refused')
  })

  test('of .ws have a wildcard address for every missing name, and no other records', async () => {
    const { outcome, answers } = await askTld('free-shop.ws', 'A')
    assert.equal(outcome, 'answer')
    assert.deepEqual(
      answers.map((record) => record.type === 'A' && record.address),
      WILDCARDS['ws'],
    )
    assert.equal((await askTld('free-shop.ws', 'NS')).outcome, 'nodata')
    assert.equal((await askTld('taken-shop.ws', 'NS')).outcome, 'referral')
  })

  test('a recursor answers with the records of delegated names', async () => {
    const domain = named('signed', (name) => names.truthOf(name).registration!.nameservers[0]!.endsWith('.example'))
    const found = await lookUpRecords(needs(), { domain, recursors: recursors(), timeoutMs: TIMEOUT_MS })
    assert.equal(found.kind, 'found')
    assert.ok(found.kind === 'found')
    const { a, mx, ns, txt, soa, dnssec, validated } = found.records
    assert.ok(a.length > 0 && mx.length > 0 && txt.length === 2)
    assert.deepEqual(
      ns.map(({ host }) => host),
      names.truthOf(domain).registration?.nameservers,
    )
    assert.ok(ns.every(({ ip }) => ip !== ''))
    assert.equal(soa?.email, `dns.team@${domain}`)
    assert.deepEqual([dnssec, validated], [true, true])
    const again = await lookUpRecords(needs(), { domain, recursors: recursors(), timeoutMs: TIMEOUT_MS })
    assert.deepEqual(again, found)
  })

  test('a recursor follows a CNAME, and knows which subdomains exist', async () => {
    const www = await Promise.all(
      Array.from({ length: 12 }, (_, at) => resolve(`www.taken-${at}.com`, 'A').then(({ answers }) => answers)),
    )
    const first = new Set(www.map((answers) => answers[0]!.type))
    assert.deepEqual(first, new Set(['CNAME', 'A']))
    assert.ok(www.every((answers) => answers.at(-1)!.type === 'A'))
    assert.equal((await resolve('nothing.taken-1.com', 'A')).outcome, 'nxdomain')
    assert.equal((await resolve('taken-1.com', 'CNAME')).outcome, 'nodata')
  })

  test('a recursor answers NXDOMAIN for names on hold, free names and unknown TLDs', async () => {
    for (const name of ['held-shop.com', 'www.held-shop.com', 'free-shop.com', 'shop.notatld', 'a\\.b.com']) {
      assert.equal((await resolve(name, 'A')).outcome, 'nxdomain', name)
    }
  })

  test('a lame or bogus domain has a referral at the TLD and SERVFAIL at the recursor', async () => {
    for (const name of ['lame-shop.com', 'bogus-shop.com']) {
      assert.equal((await askTld(name, 'NS')).outcome, 'referral', name)
      assert.equal((await resolve(name, 'A')).outcome, 'servfail', name)
    }
  })

  test("Node's own resolver understands the recursor", async () => {
    const resolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: 1 })
    resolver.setServers([names.nameServers.recursor])
    assert.ok((await resolver.resolve4('taken-shop.com')).length > 0)
    assert.deepEqual(
      (await resolver.resolveNs('taken-shop.com')).toSorted(),
      names.truthOf('taken-shop.com').registration?.nameservers,
    )
    assert.match((await resolver.resolveTxt('taken-shop.com'))[0]!.join(''), /^v=spf1 /)
    assert.equal((await resolver.resolveSoa('taken-shop.com')).minttl, 900)
    await assert.rejects(resolver.resolve4('free-shop.com'), { code: 'ENOTFOUND' })
    await assert.rejects(resolver.resolve4('dns-broken-shop.com'), { code: 'ESERVFAIL' })
    await assert.rejects(resolver.resolve4('dns-denied-shop.com'), { code: 'EREFUSED' })
    assert.ok((await resolver.resolve4(named('dns-throttled', isDelegated))).length > 0, 'over TCP')
  })

  test('an answer repeats the question in its original case and respects the UDP size', async () => {
    const socket = createSocket('udp4')
    const [host, port] = names.nameServers.recursor.split(':')
    const exchange = async (name: string, type: RecordType, udpSize?: number) => {
      const edns = udpSize === undefined ? null : { udpSize, dnssecOk: false }
      const questions = [{ name, type: TYPES[type], class: CLASS_IN }]
      const bytes = encodeMessage({ id: 5, questions, flags: { recursionDesired: true }, edns })
      socket.send(bytes, Number(port), host)
      const [answer] = (await once(socket, 'message')) as [Buffer]
      return { answer, message: decodeMessage(answer) }
    }
    try {
      const { answer, message } = await exchange('TaKeN-sHoP.cOm', 'A')
      assert.match(answer.toString('latin1'), /TaKeN-sHoP/)
      assert.equal(message.edns, null)
      const { message: modern } = await exchange('taken-shop.com', 'A', 4096)
      assert.deepEqual(modern.edns, { udpSize: 1232, dnssecOk: false })
      socket.send(encodeMessage({ id: 6, opcode: 4, questions: message.questions }), Number(port), host)
      const [notify] = (await once(socket, 'message')) as [Buffer]
      assert.equal(decodeMessage(notify).rcode, RCODES.NOTIMP)
    } finally {
      socket.close()
    }
  })

  suite('play the scripted outcome of a name', () => {
    const expected: Record<(typeof OUTCOME_WORDS)[number], [outcome: string, overTcp: boolean]> = {
      slow: ['referral', false],
      drip: ['referral', true],
      hang: ['timeout', false],
      throttled: ['referral', true],
      denied: ['refused', false],
      broken: ['servfail', false],
      down: ['servfail', false],
      foreign: ['timeout', false],
      half: ['malformed', false],
      cut: ['truncated', true],
      reset: ['truncated', true],
      huge: ['referral', true],
      redirect: ['lame', false],
    }
    for (const word of OUTCOME_WORDS) {
      test(`dns-${word}…`, async () => {
        const [wanted, overTcp] = expected[word]
        const name = named(`dns-${word}`, isDelegated)
        const { outcome, authority } = await askTld(name, 'NS', wanted === 'timeout' ? 50 : TIMEOUT_MS)
        assert.equal(outcome, wanted)
        if (outcome === 'referral') assert.equal(authority.filter(({ type }) => type === 'NS').length > 1, true)
        const { a, b } = names.counters().dns
        assert.equal(a.tcp + b.tcp > 0, overTcp)
        if (word === 'slow') assert.deepEqual([...new Set(waits)], [2000])
        if (word === 'drip') assert.ok(waits.length > 5 && waits.every((ms) => ms === 1000))
      })
    }
  })

  test('lose the configured share of datagrams', { timeout: TIMEOUT_MS }, async ({ signal }) => {
    names.set({ dns: { dropShare: 0.5 } })
    const socket = createSocket('udp4')
    const [host, port] = names.nameServers.a.split(':')
    let heard = 0
    socket.on('message', () => heard++)
    const question = { name: 'taken-shop.com', type: TYPES.NS, class: CLASS_IN }
    for (let id = 0; id < 200; id++) socket.send(encodeMessage({ id, questions: [question] }), Number(port), host)
    await until(() => names.counters().dns.a.udp === 200, signal)
    const { dropped } = names.counters().dns.a
    assert.ok(dropped > 60 && dropped < 140, String(dropped))
    await until(() => heard === 200 - dropped, signal)
    socket.close()
  })

  test('can be silenced one by one', async () => {
    names.set({ dns: { silent: ['a'] } })
    const [a, b] = zoneServers()
    const question = { name: 'taken-shop.com', type: 'NS', recursion: false } as const
    assert.equal((await client.query({ ...question, servers: [a!], timeoutMs: 30 })).outcome, 'timeout')
    assert.equal((await client.query({ ...question, servers: [b!], timeoutMs: TIMEOUT_MS })).outcome, 'referral')
  })

  test('have the configured latency', async () => {
    names.set({ dns: { latencyMs: 40 } })
    await askTld('taken-shop.com', 'NS')
    await resolve('taken-shop.com', 'A')
    assert.deepEqual(waits, [40, 40])
  })

  test('a lying recursor has an answer for every name, and the delegation finder detects it', async () => {
    names.set({ dns: { lyingRecursor: true } })
    assert.equal((await resolve('free-shop.com', 'A')).outcome, 'answer')
    const delegations = createDelegationFinder({ ...needs(), random: seededRandom(1), recursors: recursors() })
    const found = await delegations.find({ domain: 'free-shop.com', zone: 'com', servers: [], timeoutMs: TIMEOUT_MS })
    assert.equal(found.kind === 'unclear' && found.why, 'lying_recursor')
  })

  test('count queries by server and transport', async () => {
    await askTld('taken-shop.com', 'NS')
    await askTld(named('dns-throttled', isDelegated), 'NS')
    await resolve('taken-shop.com', 'A')
    const { a, b, recursor } = names.counters().dns
    assert.equal(a.udp + b.udp, 2)
    assert.equal(a.tcp + b.tcp, 1)
    assert.deepEqual(recursor, { udp: 1, tcp: 0, dropped: 0 })
  })
})
