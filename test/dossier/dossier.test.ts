import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test, type TestContext } from 'node:test'
import { parseSandboxEnv, sandboxConfig } from '../../sandbox/settings.ts'
import { SIMULATORS } from '../../sandbox/simulators.ts'
import { startWorld, type World } from '../../sandbox/world.ts'
import { type Capabilities, composeRoutes } from '../../src/app/compose.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { runCommand } from '../../src/surfaces/cli/command.ts'
import { startDoor } from '../support/door.ts'
import { untilLoaded } from '../support/sandbox-loaded.ts'

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
    await untilLoaded(door.url)
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
    assert.match(sentence, /^\d+ of 20 free(?:, \d+ unknown)?\. \.com is (?:free|taken|unknown)/)
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
    assert.match(paid[0]!.command, /^npx mppx 'http:.*\/v1\/valuation\/taken-shop\.de\?tier=quick'$/)
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

  test('a failure of a source leaves its part unknown, with when to ask again; it is not off', async () => {
    const { parts } = await dossier(`lame-shop.com?parts=dns&${PATIENT}`)
    const { state, reason, message, ...rest } = parts['dns'] as Part & { retryAfterSeconds: number }
    assert.deepEqual([state, reason, rest.retryAfterSeconds], ['unknown', 'upstream_error', 30])
    assert.match(message!, /SERVFAIL/)
  })

  test('says that a domain is for sale only if it is, also if one marketplace fails', async () => {
    const seen = new Set<boolean>()
    for (let at = 0; at < 100 && seen.size < 2; at++) {
      const path = `a-broken-shop${at}.com?tld=com&parts=availability,aftermarket&${PATIENT}`
      const { parts, sentence } = await dossier(path)
      const { listed } = parts['aftermarket']!.data as unknown as { listed: boolean }
      const isRegistered = sentence.includes('is taken')
      if (isRegistered) seen.add(listed)
      // Nobody can sell a name that nobody holds.
      assert.equal(sentence.includes('for sale'), listed && isRegistered, sentence)
    }
    assert.equal(seen.size, 2)
  })

  test('full and compact answers match the smaller schema of the MCP tool', async () => {
    const { endpoint } = capabilities.routes.find((route) => route.endpoint.name === 'nameDossier')!
    for (const view of ['full', 'compact']) {
      const answer = await dossier(`taken-shop.de?tld=com&view=${view}&${PATIENT}`)
      assert.deepEqual(endpoint.toolOutput!.safeParse(answer).error, undefined, view)
    }
  })

  test('the command prints a summary for people, and rows as CSV', async () => {
    const print = async (columns: number | undefined, ...argv: string[]) => {
      let printed = ''
      const stdout = {
        write: (text: string) => (printed += text),
        isTTY: columns !== undefined,
        columns: columns ?? 80,
      }
      const io = { stdout, stderr: stdout, env: { NO_COLOR: '1' }, signal: new AbortController().signal }
      assert.equal(await runCommand(capabilities.routes, ['name', ...argv, '--deadline', '10'], io), 0, printed)
      return printed
    }
    const text = await print(100, 'taken-shop.de', '--tld', 'com')
    const lines = text.split('\n')
    assert.ok(
      lines.every((line) => line.length <= 100),
      text,
    )
    assert.match(text, /^summary +taken-shop\.de is taken[^…]*\. 0 of 2 free\. Registered \d/m)
    for (const line of [
      /^taken-shop\.de +registered/,
      /^availability +known +0 of 2 available/,
      /^register +nothing +None of the domains is known to be available/,
      /^whois +known +.*created \d{4}-\d\d-\d\d/,
      /^dns +known +A [\d.]+, NS ns1\./,
      /^command +npx mppx 'http.*tier=quick'$/,
    ]) {
      assert.ok(
        lines.some((one) => line.test(one)),
        `${String(line)} is not in\n${text}`,
      )
    }
    assert.match(
      await print(undefined, 'taken-shop', '--tld', 'com', '--csv'),
      /^domain,status,note\r\ntaken-shop\.com,registered,\r\n$/,
    )
    assert.match(
      await print(80, 'taken-shop', '--tld', 'com', '--view', 'compact'),
      /^sentence +taken-shop\.com is taken/m,
    )
    const whole = JSON.parse(await print(undefined, 'taken-shop', '--tld', 'com')) as Dossier
    assert.equal(whole.parts['availability']?.state, 'known')
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

/** A service that is not started: it has loaded nothing. */
async function startIdle(t: TestContext, settings: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-dossier-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const unreachable = { ONOMA_DNS_SERVERS: '127.0.0.1:9', ONOMA_ETH_RPC_URLS: 'http://127.0.0.1:9' }
  const capabilities = composeRoutes(loadConfig({ ONOMA_DATA_DIR: folder, ...unreachable, ...settings }))
  t.after(() => capabilities.close())
  const door = await startDoor(capabilities.routes)
  t.after(() => door.stop())
  return async (path: string): Promise<Dossier['parts']> => {
    const { status, body } = await door.get(`/v1/names/${path}`)
    assert.equal(status, 200)
    return (body as Dossier).parts
  }
}

test('a service with everything off says what to set, and does not fail', async (t) => {
  const partsOf = await startIdle(t, { ONOMA_AFTERMARKET_DNS: 'off' })
  const parts = await partsOf('acme?tld=com&deadline=2&parts=ens,trademarks,aftermarket,auctions')
  assert.equal(parts['ens']?.state, 'unknown')
  for (const [name, whatToSet] of [
    ['trademarks', /onoma trademark fetch/],
    ['aftermarket', /ONOMA_AFTERMARKET_SOURCE_B_URL/],
    ['auctions', /ONOMA_AUCTIONS=/],
  ] as const) {
    assert.equal(parts[name]?.state, 'off', name)
    assert.match(parts[name].message!, whatToSet)
  }
})

test('what is set up but not loaded yet is unknown, not off', async (t) => {
  const partsOf = await startIdle(t, {
    ONOMA_AUCTIONS_SOURCE_A_URL: 'https://127.0.0.1:9/feed.csv',
    ONOMA_AUCTIONS_SOURCE_A_PRESET: 'dynadot',
  })
  const { auctions } = await partsOf('acme?tld=com&deadline=2&parts=auctions')
  assert.deepEqual([auctions?.state, auctions?.message], ['unknown', 'No auctions have been loaded yet.'])
})
