import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { systemClock } from '../../kernel/clock.ts'
import { secureRandom, seededRandom } from '../../kernel/random.ts'
import { queryZoneServers, type Delegation } from './delegation-query.ts'
import { createDelegationFinder } from './delegation-finder.ts'
import {
  address,
  answerTo,
  clientFor,
  clientWithManualClock,
  type Incoming,
  type NameServer,
  ns,
  nxdomain,
  referral,
  serveDns,
  soa,
} from './name-server.fixture.ts'

const TIMEOUT_MS = 20_000
const nameOf = ({ query }: Incoming): string => query.questions[0]!.name

type React = (incoming: Incoming) => Buffer | null

const server = (t: TestContext, react: React): Promise<NameServer> =>
  serveDns(t, (incoming) => {
    const answer = react(incoming)
    if (answer) incoming.send(answer)
  })

/** Asks about example.com; each server of the zone uses one of these reactions. */
async function ask(t: TestContext, ...reactions: React[]): Promise<Delegation> {
  const servers = await Promise.all(reactions.map((react) => server(t, react)))
  const needs = { client: clientFor(t, { random: secureRandom }), clock: systemClock }
  const addresses = servers.map((one) => one.address)
  return queryZoneServers(needs, { domain: 'example.com', zone: 'com', servers: addresses, timeoutMs: TIMEOUT_MS })
}

const why = (delegation: Delegation) => (delegation.kind === 'unclear' ? delegation.why : delegation.kind)
const registered: React = (incoming) => referral(incoming, 'example.com', 'ns1.host.net', 'ns2.host.net')

suite("answers of the zone's own servers", () => {
  test('a referral to exactly this name proves that it is registered', async (t) => {
    const found = await ask(t, registered)
    assert.equal(found.kind, 'delegated')
    assert.deepEqual(found.kind === 'delegated' && found.nameservers, ['ns1.host.net', 'ns2.host.net'])
    assert.equal(found.kind === 'delegated' && found.viaRecursor, false)
  })

  test('so does an answer from a server that also serves the name itself', async (t) => {
    const found = await ask(t, (incoming) => answerTo(incoming, { answers: ns('example.com', 'ns1.host.net') }))
    assert.equal(found.kind, 'delegated')
  })

  test('so does a referral from a server that wrongly claims to be the authority', async (t) => {
    const found = await ask(t, (incoming) => answerTo(incoming, { authority: ns('example.com', 'ns1.host.net') }))
    assert.equal(found.kind, 'delegated')
  })

  test('NXDOMAIN and NODATA are both "not delegated", with the TTL of the zone', async (t) => {
    const absent = await ask(t, (incoming) =>
      answerTo(incoming, { rcode: 3, authority: [soa('com', { ttl: 900, minimum: 86_400 })] }),
    )
    const empty = await ask(t, (incoming) => answerTo(incoming, { authority: [soa('com', { ttl: 900, minimum: 60 })] }))
    assert.deepEqual([absent.kind, empty.kind], ['not_delegated', 'not_delegated'])
    assert.equal(absent.kind === 'not_delegated' && absent.ttlSeconds, 900)
    assert.equal(empty.kind === 'not_delegated' && empty.ttlSeconds, 60)
  })

  const unclear: Record<string, [string, React]> = {
    'a referral to a zone in between': ['lame', (incoming) => referral(incoming, 'com', 'a.gtld.net')],
    'a referral to the root': ['lame', (incoming) => referral(incoming, '', 'a.root-servers.net')],
    'a referral to somebody else': ['lame', (incoming) => referral(incoming, 'example.net', 'ns1.host.net')],
    'a referral to a name below': ['lame', (incoming) => referral(incoming, 'www.example.com', 'ns1.host.net')],
    'a referral to two zones at once': [
      'lame',
      (incoming) =>
        answerTo(incoming, {
          flags: { authoritative: false },
          authority: [...ns('example.net', 'ns1.host.net'), ...ns('example.com', 'ns1.host.net')],
        }),
    ],
    'name servers by hearsay': [
      'lame',
      (incoming) => answerTo(incoming, { flags: { authoritative: false }, answers: ns('example.com', 'ns1.host.net') }),
    ],
    'name servers of another name': [
      'lame',
      (incoming) => answerTo(incoming, { answers: ns('example.net', 'ns1.host.net') }),
    ],
    'an address instead of name servers': [
      'lame',
      (incoming) => answerTo(incoming, { answers: [address('example.com')] }),
    ],
    'an alias': [
      'answer',
      (incoming) =>
        answerTo(incoming, { answers: [{ name: 'example.com', ttl: 1, type: 'CNAME', target: 'parked.net' }] }),
    ],
    'no such name by hearsay': [
      'lame',
      (incoming) => answerTo(incoming, { flags: { authoritative: false }, rcode: 3, authority: [soa('com')] }),
    ],
    'no such name, says the root': ['lame', (incoming) => nxdomain(incoming, '')],
    'no such name, says nobody': ['lame', (incoming) => answerTo(incoming, { rcode: 3 })],
    'an empty answer': ['lame', (incoming) => answerTo(incoming)],
    'an empty answer of somebody who is not responsible': [
      'lame',
      (incoming) => answerTo(incoming, { flags: { authoritative: false } }),
    ],
    SERVFAIL: ['servfail', (incoming) => answerTo(incoming, { rcode: 2 })],
    REFUSED: ['refused', (incoming) => answerTo(incoming, { rcode: 5 })],
    garbage: ['malformed', (incoming) => referral(incoming, 'example.com', 'ns1.host.net').subarray(0, -1)],
  }
  for (const [what, [word, react]] of Object.entries(unclear)) {
    test(`${what} is inconclusive`, async (t) => assert.equal(why(await ask(t, react)), word))
    if (word !== 'answer') {
      test(`${what} fails over to another server`, async (t) => {
        assert.equal((await ask(t, react, registered)).kind, 'delegated')
      })
    }
  }

  test('a referral to a zone between the TLD and the name is inconclusive', async (t) => {
    const uk = await server(t, (incoming) => referral(incoming, 'co.uk', 'ns1.nic.uk'))
    const needs = { client: clientFor(t), clock: systemClock }
    const question = { domain: 'example.co.uk', zone: 'uk', servers: [uk.address], timeoutMs: TIMEOUT_MS }
    assert.equal(why(await queryZoneServers(needs, question)), 'referral')
  })

  test('the evidence has server, question and a hash of the answer without its id', async (t) => {
    const [one, other] = [await ask(t, registered), await ask(t, registered)]
    const differs = await ask(t, (incoming) => referral(incoming, 'example.com', 'ns3.host.net'))
    assert.match(one.evidence.server, /^127\.0\.0\.1:\d+$/)
    assert.equal(one.evidence.question, 'example.com NS')
    assert.equal(one.evidence.rcode, 'NOERROR')
    assert.match(one.evidence.at, /^\d{4}-\d\d-\d\dT/)
    assert.match(one.evidence.hash ?? '', /^[0-9a-f]{64}$/)
    assert.equal(one.evidence.hash, other.evidence.hash)
    assert.notEqual(one.evidence.hash, differs.evidence.hash)
  })
})

suite('recursors as a fallback', () => {
  /** Knows name servers of example.com and of nothing else. */
  const honest: React = (incoming) =>
    nameOf(incoming) === 'example.com'
      ? answerTo(incoming, {
          flags: { authoritative: false, recursionAvailable: true },
          answers: ns('example.com', 'ns1.host.net'),
        })
      : answerTo(incoming, {
          flags: { authoritative: false, recursionAvailable: true },
          rcode: 3,
          authority: [soa('com')],
        })
  const lying: React = (incoming) =>
    answerTo(incoming, {
      flags: { authoritative: false, recursionAvailable: true },
      answers: ns(nameOf(incoming), 'ns1.searchpage.net'),
    })
  const refusing: React = (incoming) => answerTo(incoming, { rcode: 5 })

  async function finder(t: TestContext, { zone, recursor }: { zone: React | null; recursor: React | null }) {
    const zoneServer = zone && (await server(t, zone))
    const recursorServer = recursor && (await server(t, recursor))
    const { client, clock } = clientWithManualClock(t)
    const recursors = recursorServer ? [recursorServer.address] : []
    const delegations = createDelegationFinder({ client, clock, random: seededRandom(3), recursors })
    // One list for each zone, as in the real tables.
    const lists = new Map(['com', 'net'].map((tld) => [tld, zoneServer ? [zoneServer.address] : []]))
    const find = (domain: string, tld = 'com') =>
      delegations.find({ domain, zone: tld, servers: lists.get(tld)!, timeoutMs: TIMEOUT_MS })
    return { find, clock, zoneServer, recursorServer, client }
  }

  test('they are not asked if the zone answers', async (t) => {
    const { find, recursorServer } = await finder(t, { zone: registered, recursor: honest })
    assert.equal((await find('example.com')).kind, 'delegated')
    assert.equal(recursorServer?.asked.length, 0)
  })

  test('a name with name servers is registered', async (t) => {
    const { find } = await finder(t, { zone: refusing, recursor: honest })
    const found = await find('example.com')
    assert.equal(found.kind, 'delegated')
    assert.equal(found.kind === 'delegated' && found.viaRecursor, true)
  })

  test('their NXDOMAIN is marked as coming from a recursor', async (t) => {
    const { find } = await finder(t, { zone: null, recursor: honest })
    const found = await find('free.com')
    assert.equal(found.kind, 'not_delegated')
    assert.equal(found.kind === 'not_delegated' && found.viaRecursor, true)
  })

  test('a recursor that invents name servers for every name is not believed', async (t) => {
    const { find } = await finder(t, { zone: refusing, recursor: lying })
    // The zone's own failure is the better reason.
    assert.equal(why(await find('example.com')), 'refused')
    const alone = await finder(t, { zone: null, recursor: lying })
    assert.equal(why(await alone.find('example.com')), 'lying_recursor')
  })

  test('a recursor that invents addresses for every name is not believed', async (t) => {
    const inventive: React = (incoming) =>
      nameOf(incoming) === 'example.com'
        ? honest(incoming)
        : answerTo(incoming, { flags: { recursionAvailable: true }, answers: [address(nameOf(incoming))] })
    const { find } = await finder(t, { zone: null, recursor: inventive })
    assert.equal(why(await find('example.com')), 'lying_recursor')
  })

  test('a recursor is probed once per TLD with a random name, and again after the TTL', async (t) => {
    const { find, clock, recursorServer } = await finder(t, { zone: null, recursor: honest })
    const probes = () => recursorServer!.asked.map(nameOf).filter((name) => /^[a-z]{24}\.com$/.test(name))
    await Promise.all([find('example.com'), find('example.com')])
    await find('example.com')
    assert.equal(probes().length, 1)
    clock.advance(10 * 60_000)
    await find('example.com')
    assert.equal(new Set(probes()).size, 2)
  })

  test('an inconclusive probe proves nothing and is not cached', async (t) => {
    let failures = 1
    const flaky: React = (incoming) =>
      nameOf(incoming) !== 'example.com' && failures-- > 0 ? answerTo(incoming, { rcode: 2 }) : honest(incoming)
    const { find } = await finder(t, { zone: null, recursor: flaky })
    assert.equal(why(await find('example.com')), 'servfail')
    assert.equal((await find('example.com')).kind, 'delegated')
  })

  test('SERVFAIL, and answers to something else, are unclear', async (t) => {
    const failing = await finder(t, { zone: null, recursor: (incoming) => answerTo(incoming, { rcode: 2 }) })
    assert.equal(why(await failing.find('example.com')), 'servfail')
    const odd: React = (incoming) =>
      answerTo(incoming, { flags: { recursionAvailable: true }, answers: [address('example.com')] })
    assert.equal(why(await (await finder(t, { zone: null, recursor: odd })).find('example.com')), 'lame')
  })

  test('a server that does not recurse is no recursor', async (t) => {
    const { find } = await finder(t, { zone: null, recursor: (incoming) => referral(incoming, 'com', 'a.gtld.net') })
    assert.equal(why(await find('example.com')), 'lame')
  })

  test('without any server the result is unclear', async (t) => {
    const { find } = await finder(t, { zone: null, recursor: null })
    assert.equal(why(await find('example.com')), 'no_servers')
  })

  test('a timeout of the zone leaves the recursors their share of the deadline', async (t) => {
    const { find, clock, zoneServer } = await finder(t, { zone: () => null, recursor: honest })
    const found = find('example.com')
    while (zoneServer!.asked.length === 0) await new Promise(setImmediate)
    clock.advance(TIMEOUT_MS * 0.6)
    assert.equal((await found).kind, 'delegated')
  })

  /** Asks about names in zones that time out, or have timed out before. */
  async function meetSilence({ find, clock, zoneServer }: Awaited<ReturnType<typeof finder>>, tlds: string[]) {
    for (const tld of tlds) {
      const before = zoneServer!.asked.length
      const progress = { isFound: false }
      const found = find(`free.${tld}`, tld).finally(() => (progress.isFound = true))
      while (!progress.isFound && zoneServer!.asked.length === before) await new Promise(setImmediate)
      clock.advance(TIMEOUT_MS * 0.6)
      await found
    }
  }

  test('after timeouts in several zones the recursors are asked first for a while', async (t) => {
    const world = await finder(t, { zone: () => null, recursor: honest })
    await meetSilence(world, ['com', 'com', 'com', 'com', 'net'])
    const before = world.zoneServer!.asked.length
    assert.equal((await world.find('example.com')).kind, 'delegated')
    assert.equal(world.zoneServer!.asked.length, before)
    world.clock.advance(30_000)
    await meetSilence(world, ['com'])
    // With a probe, for which the query did not wait.
    while (world.zoneServer!.asked.length === before) await new Promise(setImmediate)
  })

  test('after timeouts in one zone the servers of other zones are still asked', async (t) => {
    const world = await finder(t, { zone: () => null, recursor: honest })
    await meetSilence(world, ['com', 'com', 'com', 'com', 'com', 'com'])
    const before = world.zoneServer!.asked.length
    await meetSilence(world, ['net'])
    assert.ok(world.zoneServer!.asked.length > before)
  })
})
