import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { parseSandboxEnv, sandboxConfig } from '../../sandbox/settings.ts'
import { SIMULATORS } from '../../sandbox/simulators.ts'
import { startWorld, type World } from '../../sandbox/world.ts'
import { type Capabilities, composeRoutes } from '../../src/app/compose.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { startDoor } from '../support/door.ts'

type Part = { readonly state: string; readonly data?: never; readonly message?: string; readonly reason?: string }
type Dossier = {
  readonly name: string
  readonly domain?: string
  readonly sentence: string
  readonly parts: Readonly<Record<string, Part>>
  readonly paid: readonly { readonly usd: string; readonly command: string }[]
}

/** Generous: what a test wants to see is that the parts are there, not how fast a busy machine is. */
const PATIENT = 'deadline=10'

suite('GET /v1/names/{name}, in the sandbox', () => {
  let world: World
  let capabilities: Capabilities
  let door: Awaited<ReturnType<typeof startDoor>>
  before(async () => {
    world = await startWorld(SIMULATORS)
    const { config } = await sandboxConfig(parseSandboxEnv({}), world)
    capabilities = composeRoutes(config)
    await (
      await capabilities.start()
    ).settled
    door = await startDoor(capabilities.routes, { rateLimit: 1_000 })
  })
  after(async () => {
    await door.stop()
    await capabilities.close()
    await world.stop()
  })
  const dossier = async (path: string): Promise<Dossier> => {
    const { status, body, text } = await door.get(`/v1/names/${path}`)
    assert.equal(status, 200, text)
    return body as Dossier
  }
  const linesOf = async (path: string): Promise<Record<string, unknown>[]> => {
    const { text } = await door.get(`/v1/names/${path}`, { headers: { accept: 'application/x-ndjson' } })
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  }

  test('a name has every part that is about names, and a sentence that sums up', async () => {
    const { name, parts, sentence, paid, ...rest } = await dossier(`acme?${PATIENT}`)
    const expected = ['availability', 'register', 'ens', 'trademarks', 'aftermarket', 'auctions', 'presence']
    assert.deepEqual([name, Object.keys(parts), paid, 'domain' in rest], ['acme', expected, [], false])
    assert.match(sentence, /^\d+ of 20 domains are available\. acme\.com is \w+/)
    const states = new Set(Object.values(parts).map(({ state }) => state))
    assert.deepEqual(states.difference(new Set(['known', 'nothing'])), new Set())
  })

  test('a domain has WHOIS and DNS too, its own TLD first, and what can be bought with the command that pays', async () => {
    const { domain, parts, paid } = await dossier(`taken-shop.de?${PATIENT}`)
    const { results } = parts['availability']!.data as unknown as { results: { domain: string }[] }
    assert.deepEqual([domain, results[0]!.domain, results.length], ['taken-shop.de', 'taken-shop.de', 21])
    assert.deepEqual([parts['whois']?.state, parts['dns']?.state], ['known', 'known'])
    assert.deepEqual(
      paid.map(({ usd }) => usd),
      ['0.02', '0.08', '0.05'],
    )
    assert.match(paid[0]!.command, /^npm run pay -- '.*\/v1\/valuation\/taken-shop\.de\?tier=quick'$/)
  })

  test('only available domains have links to registrars', async () => {
    const { parts } = await dossier(`free-shop?tld=com,net&parts=availability,register&${PATIENT}`)
    const { data } = parts['register'] as unknown as { data: { domain: string; registrars: unknown[] }[] }
    assert.deepEqual(
      data.map(({ domain, registrars }) => [domain, registrars.length]),
      [
        ['free-shop.com', 3],
        ['free-shop.net', 3],
      ],
    )
    const taken = await dossier(`taken-shop?tld=com&parts=register&${PATIENT}`)
    assert.deepEqual([Object.keys(taken.parts), taken.parts['register']?.state], [['register'], 'nothing'])
  })

  test('the parts arrive one by one in a stream, each domain before the whole, and the end last', async () => {
    const [first, ...lines] = await linesOf(`acme?${PATIENT}`)
    assert.deepEqual([first!['name'], (first!['tlds'] as string[]).length], ['acme', 20])
    const results = lines.filter(({ part, result }) => part === 'availability' && result !== undefined)
    const whole = lines.findIndex(({ part, state }) => part === 'availability' && state === 'known')
    assert.equal(results.length, 20)
    assert.ok(results.every((line) => lines.indexOf(line) < whole))
    const parts = new Set(lines.flatMap(({ part, state }) => (state === undefined ? [] : [part])))
    assert.equal(parts.size, 7)
    assert.ok('sentence' in lines.at(-1)! && !('part' in lines.at(-1)!))
  })

  test('a registry that hangs leaves its domain unknown at the deadline, and the rest is there', async () => {
    const { parts } = await dossier('hang-shop?tld=com&deadline=1&parts=availability,ens')
    const { results } = parts['availability']!.data as unknown as { results: { status: string[]; error: string }[] }
    assert.deepEqual([results[0]!.status, results[0]!.error], [['unknown'], 'timeout'])
    assert.equal(parts['ens']?.state, 'known')
  })

  test('compact answers stay below 2 KB, for all TLDs too', async () => {
    const { text, body } = await door.get(`/v1/names/free-shop?category=all&view=compact&${PATIENT}`)
    assert.ok(text.length <= 2048, String(text.length))
    assert.equal((body as { available: string[] }).available.length, 60)
  })

  test('counts as one request', async () => {
    const remaining = async (path: string) =>
      Number(/r=(\d+)/.exec((await door.get(path)).headers.get('ratelimit') ?? '')?.[1])
    const left = await remaining('/v1/tlds?category=web')
    assert.equal(await remaining(`/v1/names/acme?category=country&${PATIENT}`), left - 1)
  })

  test('names of every script in their ASCII form, and names with .eth', async () => {
    for (const [path, name, state] of [
      ['xn--bcher-kva', 'xn--bcher-kva', 'nothing'],
      ['acme.eth', 'acme', 'known'],
    ]) {
      const { parts, ...about } = await dossier(`${path}?tld=com&parts=ens&${PATIENT}`)
      assert.deepEqual([about.name, parts['ens']?.state], [name, state])
    }
    // Never converted silently: names may look alike.
    const { body } = await door.get('/v1/names/b%C3%BCcher')
    assert.match((body as { message: string }).message, /use its punycode form xn--bcher-kva/)
  })

  test('refuses what nobody can own, and what does not exist', async () => {
    const errors: [string, string][] = [
      ['a..b', 'invalid_domain'],
      ['-acme', 'invalid_name'],
      ['%3Cscript%3E', 'invalid_name'],
      ['a'.repeat(253), 'invalid_name'],
      ['www.acme.com', 'invalid_domain'],
      ['acme.zzz', 'unsupported_tld'],
      ['acme?tld=zzz', 'unsupported_tld'],
      ['acme?parts=foo', 'invalid_parameter'],
      ['acme?deadline=11', 'invalid_parameter'],
      ['acme?category=foo', 'invalid_parameter'],
    ]
    for (const [path, code] of errors) {
      for (const accept of ['application/json', 'application/x-ndjson']) {
        const { status, body } = await door.get(`/v1/names/${path}`, { headers: { accept } })
        assert.deepEqual([status, (body as { error: string }).error], [400, code], path)
      }
    }
  })
})

test('a service with everything off says what to set, and does not fail', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-dossier-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const capabilities = composeRoutes(
    loadConfig({ ONOMA_DATA_DIR: folder, ONOMA_DNS_SERVERS: '127.0.0.1:9', ONOMA_ETH_RPC_URLS: 'http://127.0.0.1:9' }),
  )
  t.after(() => capabilities.close())
  const door = await startDoor(capabilities.routes)
  t.after(() => door.stop())
  const { status, body } = await door.get('/v1/names/acme?tld=com&deadline=2&parts=ens,trademarks,auctions')
  assert.equal(status, 200)
  const { parts } = body as Dossier
  assert.deepEqual(
    Object.entries(parts).map(([name, { state }]) => [name, state]),
    [
      ['ens', 'unknown'],
      ['trademarks', 'off'],
      ['auctions', 'off'],
    ],
  )
  assert.match(parts['auctions']!.message!, /ONOMA_AUCTIONS/)
})
