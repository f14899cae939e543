import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { Agent, request } from 'undici'
import { manualClock } from '../../src/kernel/clock.ts'
import { parseRdap } from '../../src/protocols/rdap/parse.ts'
import { parseWhois } from '../../src/protocols/whois43/parse.ts'
import { loadCatalogue } from '../../src/tlds/catalogue.ts'
import { open } from '../../test/support/wire.ts'
import { OUTCOME_WORDS } from '../outcome.ts'
import { type Names, startNames } from './start.ts'
import { type Bootstrap, parseJsonFile, readAll, until } from './registry.fixture.ts'
import { whoisText } from './whois-text.ts'

const TIMEOUT_MS = 30_000
const CALM = { latencyMs: 0, errorShare: 0, rdapLimit: null, whoisLimit: null }
const tldOf = (domain: string) => domain.slice(domain.indexOf('.') + 1)

suite('registries in the sandbox', () => {
  const clock = manualClock()
  let names: Names
  let agent: Agent
  let waits: number[]
  let rdapBases: Map<string, string>
  let whoisServers: Record<string, string>

  before(async () => {
    agent = new Agent()
    names = await startNames({ seed: 7, clock, wait: async (ms) => void waits.push(ms) })
    const { services } = parseJsonFile(names.settings['ONOMA_RDAP_BOOTSTRAP']) as Bootstrap
    rdapBases = new Map(services.flatMap(([tlds, [url]]) => tlds.map((tld) => [tld, url!] as const)))
    whoisServers = parseJsonFile(names.settings['ONOMA_WHOIS_SERVERS']) as typeof whoisServers
  })
  after(async () => {
    await agent.destroy()
    await names.stop()
  })
  beforeEach(() => {
    waits = []
    names.set({ ...CALM, registries: { com: null, net: null } })
    names.resetCounters()
    // Refill every rate limit.
    clock.advance(3_600_000)
  })

  const fetchRdap = async (domain: string, base = rdapBases.get(tldOf(domain))) => {
    const { statusCode, headers, body } = await request(`${base}domain/${domain}`, { dispatcher: agent })
    const text = await body.text()
    const type = headers['content-type']
    return { status: statusCode, headers, text, says: parseRdap(statusCode, String(type), text, domain) }
  }
  const ask43 = async (domain: string, query = domain, server = whoisServers[tldOf(domain)]) => {
    const socket = await open(Number(server!.split(':')[1]))
    const answer = readAll(socket)
    socket.write(`${query}\r\n`)
    const text = await answer
    return { text, says: parseWhois(text, { domain, tld: tldOf(domain) }) }
  }
  const named = (start: string, state: 'free' | 'registered', tld: string): string => {
    const all = Array.from({ length: 100 }, (_, at) => `${start}-${at}x.${tld}`)
    const found = all.find((domain) => names.truthOf(domain).state === state)
    assert.ok(found)
    return found
  }

  test('serve each TLD over the protocols in our catalogue', () => {
    const { tlds, secondLevel } = loadCatalogue()
    const all = [...tlds, ...secondLevel]
    const having = (isThere: (tld: (typeof tlds)[number]) => boolean) =>
      [...new Set(all.filter(isThere).map(({ registry }) => registry))].toSorted()
    assert.deepEqual(
      [...rdapBases.keys()].toSorted(),
      having(({ rdapServer }) => rdapServer !== ''),
    )
    assert.deepEqual(
      Object.keys(whoisServers)
        .filter((name) => !name.endsWith(':das'))
        .toSorted(),
      having(({ whoisServer }) => whoisServer !== null),
    )
    const rdapHosts = new Set([...rdapBases.values()].map((url) => new URL(url).host))
    assert.equal(rdapHosts.size, 8)
    assert.deepEqual(names.registries['com']?.tlds, ['com'])
  })

  test('answer over RDAP with every field of the truth', async () => {
    const domains = [...rdapBases.keys()]
      .filter((_, at) => at % 9 === 0)
      .concat('com', 'net')
      .flatMap((tld) => ['shop', 'held-shop', 'free-shop', 'signed-shop'].map((label) => `${label}.${tld}`))
    for (const domain of domains) {
      const { state, registration } = names.truthOf(domain)
      const { says } = await fetchRdap(domain)
      assert.deepEqual(says, state === 'free' ? { kind: 'available' } : { kind: 'registered', registration }, domain)
    }
    assert.equal(names.counters().registryRequests, domains.length)
  })

  test('of .com answer 404 without a body for a free name; others with an error body', async () => {
    assert.deepEqual(
      [await fetchRdap('free-shop.com'), await fetchRdap('free-shop.org')].map(({ status, text }) => [
        status,
        text === '',
      ]),
      [
        [404, true],
        [404, false],
      ],
    )
  })

  test('report a reserved name, or answer as if it were free', async () => {
    assert.equal((await fetchRdap('reserved-shop.com')).says.kind, 'reserved')
    assert.equal((await fetchRdap('q.com')).says.kind, 'available')
    for (const domain of ['reserved-shop.com', 'reserved-shop.it', 'reserved-shop.jp']) {
      assert.equal((await ask43(domain)).says.kind, 'reserved', domain)
    }
  })

  test('answer over WHOIS with the truth, each in its own format', async () => {
    const { all } = loadCatalogue()
    for (const tld of all.filter((one, at) => one in whoisServers && at % 9 === 0)) {
      for (const domain of ['shop', 'held-shop', 'free-shop', 'taken-shop'].map((label) => `${label}.${tld}`)) {
        const { state, registration } = names.truthOf(domain)
        const { says } = await ask43(domain)
        assert.equal(says.kind, state === 'free' ? 'available' : 'registered', domain)
        if (says.kind !== 'registered') continue
        assert.deepEqual(says.registration.nameservers, registration?.nameservers)
        assert.equal(says.registration.dates?.updated, registration?.dates?.updated)
      }
    }
    const { says } = await ask43('taken-shop.com')
    assert.deepEqual(says, { kind: 'registered', registration: names.truthOf('taken-shop.com').registration })
  })

  test('accept the WHOIS query forms of real registries', async () => {
    for (const query of ['domain taken-shop.com', '=taken-shop.com', 'TAKEN-SHOP.COM.', '-T dn,ace taken-shop.com']) {
      assert.equal((await ask43('taken-shop.com', query)).says.kind, 'registered', query)
    }
    assert.equal((await ask43('taken-shop.jp', 'taken-shop.jp/e')).says.kind, 'registered')
  })

  test('reject names of other TLDs', async () => {
    const elsewhere = await fetchRdap('free-shop.net', rdapBases.get('com'))
    assert.equal(elsewhere.status, 404)
    assert.equal(elsewhere.says.kind, 'unclear')
    assert.equal((await fetchRdap('free-shop.cc', rdapBases.get('net'))).says.kind, 'unclear', 'under the wrong path')
    assert.equal((await ask43('free-shop.net', 'free-shop.net', whoisServers['com'])).says.kind, 'unclear')
    for (const path of ['', 'com/', 'com/domain/', 'com/entity/1', 'com/domain/a/b']) {
      const { statusCode, body } = await request(`${names.registries['com']!.rdap}/${path}`, { dispatcher: agent })
      await body.dump()
      assert.equal(statusCode, 400, path)
    }
  })

  suite('play the scripted outcome of a name', () => {
    type Word = (typeof OUTCOME_WORDS)[number]
    /** The result for a free name over RDAP and over WHOIS. */
    const expected: Record<Word, [rdap: string, whois: string]> = {
      slow: ['404 available', 'available'],
      drip: ['404 available', 'available'],
      hang: ['silence', 'silence'],
      throttled: ['429 rate_limited', 'rate_limited'],
      denied: ['403 unavailable', 'unclear'],
      broken: ['500 unavailable', 'unavailable'],
      down: ['503 unavailable', 'not_understood'],
      foreign: ['404 not_understood', 'unavailable'],
      half: ['404 not_understood', 'anything'],
      cut: ['broken off', 'anything'],
      reset: ['broken off', 'not_understood'],
      huge: ['endless', 'endless'],
      redirect: ['302 unavailable', 'not_understood'],
    }
    const wordOf = (says: ReturnType<typeof parseRdap>) => (says.kind === 'unclear' ? says.why : says.kind)

    for (const word of OUTCOME_WORDS) {
      const [rdap, whois] = expected[word]
      test(`${word}… by RDAP`, { timeout: TIMEOUT_MS }, async ({ signal }) => {
        const domain = named(word, 'free', 'com')
        if (rdap === 'silence') {
          const patience = new AbortController()
          const url = `${rdapBases.get('com')}domain/${domain}`
          const silent = request(url, { dispatcher: agent, signal: patience.signal })
          await until(() => names.counters().registryRequests > 0, signal)
          patience.abort()
          await assert.rejects(silent, { name: 'AbortError' })
        } else if (rdap === 'broken off') {
          await assert.rejects(fetchRdap(domain), /other side closed|ECONNRESET|terminated/)
        } else if (rdap === 'endless') {
          const { body } = await request(`${rdapBases.get('com')}domain/${domain}`, { dispatcher: agent })
          let size = 0
          for await (const chunk of body) if ((size += (chunk as Buffer).length) > 2 ** 20) break
          assert.ok(size > 2 ** 20)
        } else {
          const { status, says } = await fetchRdap(domain)
          assert.equal(`${status} ${wordOf(says)}`, rdap)
        }
        if (word === 'slow') assert.deepEqual(waits, [2000])
        if (word === 'drip') assert.ok(waits.length > 5)
      })

      for (const tld of ['com', 'it', 'jp']) {
        test(`${word}… by WHOIS of .${tld}`, { timeout: TIMEOUT_MS }, async ({ signal }) => {
          const domain = named(word, 'free', tld)
          if (whois === 'silence' || whois === 'endless') {
            const socket = await open(Number(whoisServers[tld]!.split(':')[1]))
            let size = 0
            socket.on('data', (chunk: Buffer) => (size += chunk.length))
            socket.write(`${domain}\r\n`)
            await until(() => names.counters().registryRequests > 0, signal)
            await until(() => whois === 'silence' || size > 2 ** 20, signal)
            if (whois === 'silence') assert.equal(size, 0)
            socket.destroy()
            return
          }
          const { says, text } = await ask43(domain)
          if (whois === 'unclear') assert.equal(says.kind, 'unclear', text)
          else if (whois !== 'anything') assert.equal(wordOf(says), whois, text)
          const whole = whoisText(names.truthOf(domain))
          if (word === 'half') assert.equal(text, whole.slice(0, Math.floor(whole.length / 2)))
          if (word === 'cut') assert.ok(whole.startsWith(text) && text !== whole)
          if (word === 'redirect') assert.match(text, /10\.0\.0\.1/)
        })
      }
    }

    test('a word after rdap- or whois- applies to that protocol only', async () => {
      assert.equal((await fetchRdap('rdap-broken-shop.com')).status, 500)
      assert.notEqual((await ask43('rdap-broken-shop.com')).says.kind, 'unclear')
      assert.notEqual((await fetchRdap('whois-broken-shop.com')).says.kind, 'unclear')
      assert.equal((await ask43('whois-broken-shop.com')).says.kind, 'unclear')
      assert.notEqual((await fetchRdap('dns-broken-shop.com')).says.kind, 'unclear')
    })
  })

  test('enforce their rate limit: a burst, then a rate per second, by the clock of the world', async () => {
    names.set({ registries: { com: { rdapLimit: { perSecond: 2, burst: 3 } } } })
    const statuses = async (count: number) => {
      const found: number[] = []
      for (let at = 0; at < count; at++) found.push((await fetchRdap(`n${at}-shop.com`)).status)
      return found.map((status) => status === 429)
    }
    assert.deepEqual(await statuses(5), [false, false, false, true, true])
    clock.advance(499)
    assert.deepEqual(await statuses(1), [true])
    clock.advance(1)
    assert.deepEqual(await statuses(2), [false, true])
    clock.advance(60_000)
    assert.deepEqual(await statuses(4), [false, false, false, true])
    assert.equal((await fetchRdap('shop.com')).headers['retry-after'], '1')
    const { rdap, registryRequests, throttled } = names.counters()
    assert.deepEqual(rdap, { com: { requests: 13, throttled: 6, errors: 0 } })
    assert.deepEqual([registryRequests, throttled], [13, 6])
    assert.notEqual((await fetchRdap('shop.net')).status, 429, 'another registry has a limit of its own')
    names.set({ registries: { com: { rdapLimit: null } } })
    assert.notEqual((await fetchRdap('shop.com')).status, 429)
  })

  test('send the time until the next allowed query as Retry-After', async () => {
    names.set({ registries: { com: { rdapLimit: { perSecond: 0.1, burst: 1 } } } })
    await fetchRdap('shop.com')
    assert.equal((await fetchRdap('shop.com')).headers['retry-after'], '10')
    clock.advance(10_000)
    assert.notEqual((await fetchRdap('shop.com')).status, 429)
  })

  test('limit WHOIS with a message, per server', async () => {
    names.set({ whoisLimit: { perSecond: 1, burst: 1 } })
    const word = async (domain: string) => {
      const { says } = await ask43(domain)
      return says.kind === 'unclear' ? says.why : says.kind
    }
    assert.equal(await word('free-shop.it'), 'available')
    assert.equal(await word('free-shop.it'), 'rate_limited')
    assert.equal(await word('free-shop.jp'), 'available')
    assert.equal(await word('free-shop.jp'), 'rate_limited')
    assert.deepEqual(names.counters().whois, {
      it: { requests: 2, throttled: 1, errors: 0 },
      jp: { requests: 2, throttled: 1, errors: 0 },
    })
  })

  test('fail for the configured share of queries, and a retry may succeed', async () => {
    names.set({ errorShare: 0.5, registries: { net: { errorShare: 0 } } })
    const statuses: number[] = []
    for (let at = 0; at < 100; at++) statuses.push((await fetchRdap('taken-shop.com')).status)
    const failed = statuses.filter((status) => status === 503).length
    assert.ok(failed > 25 && failed < 75, String(failed))
    assert.equal(statuses.filter((status) => status === 200).length, 100 - failed)
    assert.equal(names.counters().rdap['com']?.errors, failed)
    for (let at = 0; at < 20; at++) assert.equal((await fetchRdap('taken-shop.net')).status, 200)
  })

  test('have the configured latency over RDAP and WHOIS', async () => {
    names.set({ latencyMs: 60, registries: { net: { latencyMs: 5 } } })
    await fetchRdap('shop.com')
    await ask43('shop.com')
    await fetchRdap('shop.net')
    assert.deepEqual(waits, [60, 60, 5])
  })

  test('an unknown registry in the options is an error', () => {
    assert.throws(() => names.set({ registries: { commmm: CALM } }), /there is no registry called "commmm"/)
  })
})
