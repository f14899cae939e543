import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { MAINNET as AT } from '../../sandbox/chain/addresses.ts'
import { type Chain as TestChain, startChain } from '../../sandbox/chain/start.ts'
import { loadConfig } from '../../src/app/config.ts'
import { type Ethereum, openEthereum } from '../../src/app/ethereum.ts'
import type { Chain } from '../../src/ens/chain.ts'
import { registrationOf } from '../../src/ens/commitment.ts'
import { MAINNET } from '../../src/ens/contracts.ts'
import { parseEnsName } from '../../src/ens/names.ts'
import { createTokens } from '../../src/ens/registration-token.ts'
import { ensListenerRoutes, ensRoutes } from '../../src/ens/routes.ts'
import { createEns } from '../../src/ens/service.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { failureCode, UpstreamError } from '../../src/kernel/errors.ts'
import { secureRandom } from '../../src/kernel/random.ts'
import { startDoor } from '../support/door.ts'

const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const HASH = `0x${'ab'.repeat(32)}`
const SECRET = `0x${'5e'.repeat(32)}` as const

/** What each endpoint is asked at least. */
const GOOD: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '/v1/ens/check': { name: 'example' },
  '/v1/ens/metadata': { name: 'example' },
  '/v1/ens/health': {},
  '/v1/ens/tx/status': { hash: HASH },
  '/v1/ens/premium': { name: 'example' },
  '/v1/ens/records': { name: 'example' },
  '/v1/ens/expiry': { name: 'example' },
  '/v1/ens/register/check': { name: 'example' },
  '/v1/ens/register/prepare-commit': { name: 'example', owner: OWNER },
  '/v1/ens/register/prepare-register': { registration_id: 'an-id' },
  '/v1/ens/records/prepare-update': { name: 'example', owner: OWNER, text: { url: 'https://example.com' } },
  '/v1/ens/renew/prepare': { name: 'example' },
}
const POSTED = Object.keys(GOOD).filter((path) => /\/register\/|prepare/.test(path))

type Body = { readonly error: string; readonly message: string; readonly [field: string]: unknown }

/** The doors over a chain of the test's choice. */
async function openDoors(chain: Chain, options: { readonly rateLimit?: number } = {}) {
  const clock = manualClock(Date.UTC(2026, 10, 15, 12))
  const tokens = createTokens({ keys: [Buffer.from('a key of the test')], clock, random: secureRandom })
  const ens = createEns({ chain, contracts: MAINNET, tokens, clock, random: secureRandom })
  const routes = ensRoutes({ ens, clock })
  const door = await startDoor(routes, options)
  const listener = await startDoor(ensListenerRoutes({ ens, clock }))
  const post = async (path: string, body: string | Buffer, headers: Record<string, string> = {}) => {
    const reply = await door.get(path, { method: 'POST', body, headers })
    return { ...reply, body: reply.body as Body }
  }
  return {
    routes,
    tokens,
    clock,
    door,
    listener,
    post,
    async ask(path: string, input: Readonly<Record<string, unknown>>) {
      if (POSTED.includes(path)) return post(path, JSON.stringify(input), { 'content-type': 'application/json' })
      const words = Object.entries(input).map(([name, value]): [string, string] => [name, String(value)])
      const reply = await door.get(`${path}?${String(new URLSearchParams(words))}`)
      return { ...reply, body: reply.body as Body }
    },
    async stop() {
      await door.stop()
      await listener.stop()
    },
  }
}

describe('ENS without a node', () => {
  const asked: string[] = []
  let failure = new UpstreamError('unavailable', 'node.example with the key k3y is down')
  const fail = (method: string) => () => {
    asked.push(method)
    return Promise.reject(failure)
  }
  const chain: Chain = {
    read: fail('read'),
    readAgreed: fail('readAgreed'),
    readWithGasPrice: fail('readWithGasPrice'),
    tryOut: fail('tryOut'),
    transaction: fail('transaction'),
  }
  let doors: Awaited<ReturnType<typeof openDoors>>
  before(async () => {
    doors = await openDoors(chain)
  })
  beforeEach(() => asked.splice(0))
  after(() => doors.stop())

  /** Refused before anybody is asked. */
  const refused = async (path: string, input: Readonly<Record<string, unknown>>, code: string, says?: RegExp) => {
    const { status, body } = await doors.ask(path, input)
    assert.deepEqual([status, body.error], [code === 'prepare_register_failed' ? 500 : 400, code], body.message)
    if (says) assert.match(body.message, says)
    assert.deepEqual(asked, [])
  }

  const NAMED = Object.entries(GOOD).filter(([, input]) => 'name' in input)
  const BAD_NAMES =
    'ab .eth under_score bücher -front back- ab--cd xn--bcher-kva sub.example sub.example.eth example.com example.eth.eth'
      .split(' ')
      .concat('two words', 'example.', 'x'.repeat(64))

  for (const [path, input] of NAMED) {
    test(`${path} needs a name, and one that ENS could have`, async () => {
      const { name: _, ...rest } = input
      await refused(
        path,
        rest,
        'missing_parameter',
        /^name is required; for example (?:name=example\b|\{"name":"example)/,
      )
      const code = path === '/v1/ens/records' ? 'records_failed' : 'invalid_name'
      for (const name of BAD_NAMES) await refused(path, { ...input, name }, code, /^name\b/)
    })
  }

  test('a sub-domain is refused for what it is', async () => {
    await refused('/v1/ens/check', { name: 'sub.example.eth' }, 'invalid_name', /only names directly under \.eth/)
  })

  test('of a list of names every one must be a name, and 50 are the most', async () => {
    const path = '/v1/ens/metadata'
    for (const names of [',', 'example,sub.example', 'ab,example'])
      await refused(path, { names }, 'invalid_name', /^names/)
    const many = Array.from({ length: 51 }, (_, at) => `name-${at}`)
    await refused(path, { names: many.join(',') }, 'invalid_name', /more than 50 names/)
    // The same name twice is one.
    const { body } = await doors.ask(path, { names: [...many.slice(0, 50), 'name-1.eth', 'NAME-2'].join(',') })
    assert.deepEqual([body.error, asked], ['metadata_failed', ['read']])
  })

  test('years are whole, and 1 to 100', async () => {
    const paths = ['/v1/ens/expiry', ...POSTED.filter((path) => !/prepare-(?:register|update)$/.test(path))]
    assert.equal(paths.length, 4)
    for (const path of paths) {
      for (const duration_years of [0, -1, 101, 1.5, 'two', 1e21]) {
        await refused(path, { ...GOOD[path], duration_years }, 'invalid_parameter', /^duration_years must be /)
      }
    }
    await refused('/v1/ens/renew/prepare', { name: 'example', duration_years: '1' }, 'invalid_parameter')
  })

  test('mainnet is the only network', async () => {
    for (const path of POSTED) {
      for (const network of ['sepolia', 'main', '', 1, null]) {
        await refused(path, { ...GOOD[path], network }, 'unsupported_network', /^network must be mainnet, not /)
      }
    }
  })

  test('a body is a JSON object of at most 16 KiB', async () => {
    const large = JSON.stringify({ name: 'example', padding: 'x'.repeat(16 * 1024) })
    for (const path of POSTED) {
      for (const body of [
        '',
        '{',
        '[]',
        '"example"',
        'null',
        '{"name":"example"} ?',
        Buffer.from([0x22, 0xff]),
        large,
      ]) {
        const reply = await doors.post(path, body, { 'content-type': 'application/json' })
        assert.deepEqual(
          [reply.status, reply.body.error],
          [400, 'invalid_request'],
          `${path} ${String(body).slice(0, 30)}`,
        )
      }
      const form = await doors.post(path, 'name=example', { 'content-type': 'application/x-www-form-urlencoded' })
      assert.deepEqual([form.status, form.body.error], [400, 'invalid_request'])
    }
    assert.deepEqual(asked, [])
  })

  test('an owner is an Ethereum address, without a mistake in its capitals', async () => {
    const wrong = [
      '',
      'nobody',
      'example.eth',
      OWNER.slice(0, -1),
      `${OWNER}0`,
      OWNER.slice(2),
      OWNER.replace('C8', 'c8'),
    ]
    for (const [path, code] of [
      ['/v1/ens/register/prepare-commit', 'prepare_commit_failed'],
      ['/v1/ens/records/prepare-update', 'prepare_update_failed'],
    ] as const) {
      const { owner: _, ...rest } = GOOD[path]!
      await refused(path, rest, 'missing_parameter', /^owner is required/)
      for (const owner of wrong) await refused(path, { ...rest, owner }, code, /^owner /)
    }
    const owner = `0x${'0'.repeat(40)}`
    await refused(
      '/v1/ens/register/prepare-commit',
      { name: 'example', owner },
      'prepare_commit_failed',
      /zero address/,
    )
  })

  test('a hash is 0x and 64 digits', async () => {
    const path = '/v1/ens/tx/status'
    await refused(path, {}, 'missing_parameter', /^hash is required/)
    for (const hash of ['0x', HASH.slice(2), HASH.slice(0, -1), `${HASH}0`, HASH.replace('b', 'g'), 'latest']) {
      await refused(path, { hash }, 'tx_status_failed', /^hash: must be 0x and 64 hexadecimal digits/)
    }
  })

  test('only what can be changed is changed', async () => {
    const path = '/v1/ens/records/prepare-update'
    const rows: [object, RegExp][] = [
      [{}, /^There is nothing to change: give addresses, text or contenthash/],
      [{ text: {}, addresses: {} }, /^There is nothing to change/],
      [{ addresses: { BTC: 'bc1q' } }, /^addresses\.BTC is not supported; only ETH is/],
      [{ addresses: { ETH: '0x12' } }, /^addresses\.ETH must be an Ethereum address/],
      [{ addresses: { ETH: OWNER, eth: OWNER } }, /^addresses names ETH twice/],
      [{ addresses: OWNER }, /^addresses must be /],
      [{ addresses: { ETH: 5 } }, /^addresses\.ETH must be /],
      [{ text: { colour: 'red' } }, /^text\.colour is not supported/],
      [{ text: { ulr: 'https://example.com' } }, /^text\.ulr is not supported; did you mean url\?/],
      [{ text: { url: null } }, /^text\.url must be /],
      [{ text: { url: 'x'.repeat(4097) } }, /^text has 4097 bytes in all/],
      [{ text: { url: 'a\u0000b' } }, /^text\.url contains a control character/],
      [{ contenthash: 'ipfs://Qm' }, /^contenthash must be 0x/],
      [{ contenthash: '0x1234' }, /^contenthash /],
    ]
    for (const [records, says] of rows) {
      await refused(path, { name: 'example', owner: OWNER, ...records }, 'prepare_update_failed', says)
    }
  })

  test('an id that is not ours is refused with 500, as the contract has it', async () => {
    const path = '/v1/ens/register/prepare-register'
    await refused(path, {}, 'missing_parameter', /^registration_id is required/)
    for (const registration_id of ['an-id', 'x'.repeat(5000), 'a\u0000b', 5, null, '']) {
      await refused(path, { registration_id }, 'prepare_register_failed')
    }
  })

  test('below_usd is a sum above zero', async () => {
    for (const below_usd of [0, -1, 'much', 1e10]) {
      await refused('/v1/ens/premium', { name: 'example', below_usd }, 'invalid_parameter', /^below_usd must be /)
    }
  })

  test('whatever a field holds, the answer is a refusal the contract lists for the endpoint', async () => {
    const oddities = [5, -1, 1.5, true, null, [], {}, [[]], '', ' ', 'x', '0x', 'a\u0000b', '💥', 'x'.repeat(70)]
    for (const { endpoint } of doors.routes) {
      const codes = [...endpoint.errors, ...(endpoint.failsAs ? [endpoint.failsAs] : [])].map(failureCode)
      for (const field of Object.keys(endpoint.input.shape)) {
        for (const odd of oddities) {
          const { status, body } = await doors.ask(endpoint.path, { ...GOOD[endpoint.path], [field]: odd })
          const is = `${endpoint.path} ${field} ${JSON.stringify(odd)}: ${status} ${body.error}`
          assert.ok(codes.includes(body.error as (typeof codes)[number]), is)
        }
      }
    }
  })

  test('an endpoint that gets no answer from a node says so with its own code, and nothing of the node', async () => {
    const parsed = parseEnsName('example')
    assert.ok(parsed.ok)
    const wish = { label: parsed.name, owner: OWNER, durationSeconds: 31_536_000, secret: SECRET } as const
    const registration = registrationOf({ ...wish, reverseRecord: true }, MAINNET.controllers['2025'])
    const rows: [string, number, string][] = [
      ['/v1/ens/check', 500, 'check_failed'],
      ['/v1/ens/metadata', 500, 'metadata_failed'],
      ['/v1/ens/tx/status', 503, 'service_unavailable'],
      ['/v1/ens/premium', 500, 'check_failed'],
      ['/v1/ens/records', 400, 'records_failed'],
      ['/v1/ens/expiry', 400, 'expiry_failed'],
      ['/v1/ens/register/check', 400, 'check_failed'],
      ['/v1/ens/register/prepare-commit', 400, 'prepare_commit_failed'],
      ['/v1/ens/register/prepare-register', 500, 'prepare_register_failed'],
      ['/v1/ens/records/prepare-update', 400, 'prepare_update_failed'],
      ['/v1/ens/renew/prepare', 400, 'prepare_renew_failed'],
    ]
    for (const [path, status, code] of rows) {
      const id = path.endsWith('prepare-register') && { registration_id: doors.tokens.issue(registration) }
      const reply = await doors.ask(path, { ...GOOD[path], ...id })
      assert.deepEqual([reply.status, reply.body.error], [status, code], path)
      assert.equal(asked.splice(0).length, 1, path)
      assert.match(reply.body.message, /Asking again may help\.$/)
      assert.doesNotMatch(reply.text, /node\.example|k3y/)
    }
    const batch = await doors.ask('/v1/ens/metadata', { names: 'example,another' })
    assert.deepEqual([batch.status, batch.body.error], [500, 'metadata_failed'])
    const metadata = await doors.listener.get('/metadata?name=example')
    assert.deepEqual([metadata.status, (metadata.body as Body).error], [500, 'metadata_failed'])
  })

  test('health is an answer also then', async () => {
    const { status, body } = await doors.ask('/v1/ens/health', {})
    assert.equal(status, 200)
    assert.deepEqual(body, {
      status: 'degraded',
      service: 'ens',
      ens: { status: 'no Ethereum node answers', rpcConnected: false },
      cacheStats: { availability: 0, metadata: 0 },
    })
    assert.deepEqual((await doors.listener.get('/health')).body, body)
  })

  test('a node that names a time to come back is passed on', async () => {
    const before = failure
    failure = new UpstreamError('rate_limited', 'slow down', { retryAfterMs: 6_100 })
    try {
      const { status, headers } = await doors.ask('/v1/ens/check', { name: 'example' })
      assert.deepEqual([status, headers.get('retry-after')], [500, '7'])
    } finally {
      failure = before
    }
  })

  test('contracts that do not answer as those of ENS do are a failure too, and no name is free for it', async () => {
    const mute: Chain = {
      ...chain,
      read: (calls) =>
        Promise.resolve({
          returned: calls.map(() => ({ ok: false, data: '0x' })),
          block: { number: 1, timestamp: 1_794_700_800 },
        }),
    }
    const others = await openDoors(mute)
    try {
      for (const [path, code] of [
        ['/v1/ens/check', 'check_failed'],
        ['/v1/ens/metadata', 'metadata_failed'],
        ['/v1/ens/expiry', 'expiry_failed'],
      ] as const) {
        assert.equal((await others.ask(path, GOOD[path]!)).body.error, code)
      }
      assert.equal((await others.ask('/v1/ens/health', {})).body['status'], 'degraded')
    } finally {
      await others.stop()
    }
  })

  test('many lists of names at once are one question each, and none is turned away', async () => {
    const lists = Array.from({ length: 25 }, (_, list) => Array.from({ length: 50 }, (_, at) => `name-${list}-${at}`))
    const all = Promise.withResolvers<void>()
    let reads = 0
    const slow: Chain = {
      ...chain,
      async read(calls) {
        reads += 1
        if (reads === lists.length) all.resolve()
        await all.promise
        const nothing = { ok: true, data: `0x${'00'.repeat(32)}` } as const
        return { returned: calls.map(() => nothing), block: { number: 1, timestamp: 1_794_700_800 } }
      },
    }
    const others = await openDoors(slow)
    try {
      const replies = await Promise.all(
        lists.map((names) => others.ask('/v1/ens/metadata', { names: names.join(',') })),
      )
      for (const { status, body } of replies)
        assert.deepEqual([status, (body['results'] as object[]).length], [200, 50])
      assert.equal(reads, lists.length)
    } finally {
      await others.stop()
    }
  })

  test('each address takes its own method only', async () => {
    for (const path of Object.keys(GOOD)) {
      const wrong = POSTED.includes(path) ? ['GET', 'PUT', 'DELETE'] : ['POST', 'PUT', 'DELETE']
      for (const method of wrong) {
        const { status, headers, body } = await doors.door.get(path, { method })
        assert.deepEqual([status, (body as Body).error], [405, 'method_not_allowed'], `${method} ${path}`)
        const allowed = headers.get('allow')?.split(', ') ?? []
        assert.ok(allowed.includes(POSTED.includes(path) ? 'POST' : 'GET') && !allowed.includes(method), allowed.join())
      }
    }
  })

  test('the second listener serves metadata and health, and nothing else', async () => {
    for (const path of ['/health', '/metadata?name=example'])
      assert.notEqual((await doors.listener.get(path)).status, 404)
    assert.equal((await doors.listener.get('/metadata')).status, 400)
    assert.equal((await doors.listener.get('/metadata?name=ab')).status, 400)
    const others = ['/', '/openapi.json', '/v1/ens/metadata', '/v1/ens/health', '/check', '/records', '/v1/tlds']
    for (const path of others) assert.equal((await doors.listener.get(`${path}?name=example`)).status, 404, path)
    assert.equal((await doors.listener.get('/metadata', { method: 'POST' })).status, 405)
  })

  test('all are counted but health', async () => {
    const others = await openDoors(chain, { rateLimit: 1 })
    try {
      await others.ask('/v1/ens/check', { name: 'ab' })
      for (const path of Object.keys(GOOD)) {
        const { status, body } = await others.ask(path, GOOD[path]!)
        if (path === '/v1/ens/health') assert.equal(status, 200)
        else assert.deepEqual([status, body.error], [429, 'rate_limit_exceeded'], path)
      }
    } finally {
      await others.stop()
    }
  })

  test('every endpoint of the contract is there, with examples of its own shapes', () => {
    assert.deepEqual(doors.routes.map(({ endpoint }) => endpoint.path).sort(), Object.keys(GOOD).sort())
    for (const { endpoint } of doors.routes) {
      assert.equal(endpoint.method, POSTED.includes(endpoint.path) ? 'POST' : 'GET')
      assert.deepEqual(endpoint.output.parse(endpoint.example.output), endpoint.example.output, endpoint.name)
      assert.doesNotThrow(() => endpoint.input.parse(endpoint.example.input), endpoint.name)
    }
  })
})

describe('ENS with a node', () => {
  let chain: TestChain
  let ethereum: Ethereum
  let doors: Awaited<ReturnType<typeof openDoors>>
  before(async () => {
    const clock = manualClock(Date.UTC(2026, 10, 15, 12))
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    chain = await startChain({ clock })
    const config = loadConfig({ ...chain.settings, ONOMA_SANDBOX: 'on' })
    ethereum = openEthereum({ config, version: '0', clock, log })
    doors = await openDoors(ethereum.chain)
  })
  after(async () => {
    await doors.stop()
    await ethereum.close()
    await chain.stop()
  })

  test('a list of names comes back in its order, each once, and a free one spoils nothing', async () => {
    const { status, body } = await doors.ask('/v1/ens/metadata', {
      names: ' wrapped.eth,nobodys, TAKEN ,lapsed,wrapped',
    })
    assert.equal(status, 200)
    const results = body['results'] as Record<string, unknown>[]
    assert.deepEqual(
      results.map(({ name, owner, error }) => [name, owner ?? error]),
      [
        ['wrapped.eth', chain.wallet.address],
        ['nobodys.eth', 'not_found'],
        ['taken.eth', chain.wallet.address],
        ['lapsed.eth', 'not_found'],
      ],
    )
    assert.deepEqual(results[1], { name: 'nobodys.eth', error: 'not_found', message: 'nobodys.eth is not registered.' })
    assert.equal(body['timestamp'], new Date(doors.clock.now()).toISOString())
  })

  test('metadata of a name that nobody holds is not found, and no longer where it is', async () => {
    for (const name of ['nobodys', 'lapsed', 'premium']) {
      const { status, body } = await doors.ask('/v1/ens/metadata', { name })
      assert.deepEqual([status, body.error, body.message], [404, 'not_found', `${name}.eth is not registered.`])
    }
    for (const name of ['grace', 'bare', 'offchain']) {
      assert.equal((await doors.ask('/v1/ens/metadata', { name })).status, 200, name)
    }
    const [{ body: one }, { body: other }] = [
      await doors.ask('/v1/ens/metadata', { name: 'grace' }),
      await doors.listener.get('/metadata?name=grace'),
    ]
    assert.deepEqual(other, one)
  })

  test('one name wins over a list of them, and without either there is nothing to answer', async () => {
    const both = await doors.ask('/v1/ens/metadata', { name: 'taken', names: 'wrapped' })
    assert.equal(both.body['name'], 'taken.eth')
    assert.equal((await doors.ask('/v1/ens/metadata', {})).body.error, 'missing_parameter')
  })

  test('an answer tells its age, and refresh makes a new one', async () => {
    const ask = async (path: string, more: object = {}) => {
      const { body } = await doors.ask(path, { name: 'taken', ...more })
      return [body['source'], body['checkedAt']]
    }
    const now = () => new Date(doors.clock.now()).toISOString()
    for (const [path, ttlMs] of [
      ['/v1/ens/check', 30_000],
      ['/v1/ens/metadata', 60_000],
    ] as const) {
      const first = now()
      assert.deepEqual(await ask(path, { refresh: true }), ['rpc', first])
      doors.clock.advance(ttlMs - 1)
      assert.deepEqual(await ask(path), ['rpc+cache', first])
      assert.deepEqual(await ask(path, { refresh: true }), ['rpc', now()])
      const second = now()
      doors.clock.advance(1)
      assert.deepEqual(await ask(path), ['rpc+cache', second])
      doors.clock.advance(ttlMs)
      assert.deepEqual(await ask(path), ['rpc', now()])
    }
  })

  test('a name that is free is known to be so for one block only', async () => {
    await doors.ask('/v1/ens/check', { name: 'brand-new' })
    doors.clock.advance(12_000)
    assert.equal((await doors.ask('/v1/ens/check', { name: 'brand-new' })).body['source'], 'rpc')
  })

  test('gas is what the chain says, and a usual figure where it cannot say', async () => {
    const real = ethereum.chain
    const others = await openDoors({
      ...real,
      tryOut: async (draft, signal) => ({ ...(await real.tryOut(draft, signal)), gas: null }),
    })
    try {
      const owner = chain.wallet.address
      for (const [path, input, gas] of [
        ['/v1/ens/register/prepare-commit', { name: 'brand-new', owner }, 60_000],
        ['/v1/ens/records/prepare-update', { name: 'taken', owner, text: { url: '' } }, 150_000],
        ['/v1/ens/renew/prepare', { name: 'taken' }, 120_000],
      ] as const) {
        const { body } = await others.ask(path, input)
        const { gas_estimate, gas_source } = body['transaction'] as Record<string, unknown>
        assert.deepEqual([gas_estimate, gas_source], [gas, 'constant'], path)
      }
    } finally {
      await others.stop()
    }
  })

  test('without a rate of ether, dollars are those of the price oracle, or left out', async () => {
    const real = ethereum.chain
    const silence = <R extends Awaited<ReturnType<Chain['read']>>>(
      calls: Parameters<Chain['read']>[0],
      reading: R,
    ): R => ({
      ...reading,
      returned: reading.returned.map((each, at) =>
        calls[at]!.to === AT.ethUsdFeed ? ({ ok: false, data: '0x' } as const) : each,
      ),
    })
    const others = await openDoors({
      ...real,
      read: async (calls, signal) => silence(calls, await real.read(calls, signal)),
      readWithGasPrice: async (calls, signal) => silence(calls, await real.readWithGasPrice(calls, signal)),
    })
    try {
      const usd = async (path: string, name: string) => (await others.ask(path, { name })).body
      const price = async (name: string) =>
        ((await usd('/v1/ens/check', name))['registrationPrice'] as { usdEstimate: number }).usdEstimate
      assert.deepEqual([await price('xyz'), await price('xyzw'), await price('brand-new')], [640, 160, 5])
      const premium = await usd('/v1/ens/check', 'premium')
      const [annual, extra] = [premium['registrationPrice'], premium['premiumPrice']] as { usdEstimate: number }[]
      assert.equal(annual!.usdEstimate, 5)
      const { premium_usd } = await usd('/v1/ens/premium', 'premium')
      assert.equal(extra!.usdEstimate, premium_usd)
      const { rent_price } = await usd('/v1/ens/register/check', 'brand-new')
      assert.ok(!('usd_estimate' in (rent_price as object)))
    } finally {
      await others.stop()
    }
  })

  test('the premium of a name tells its state, its curve, and when it is low enough', async () => {
    const premiumOf = async (name: string, below_usd?: number) =>
      (await doors.ask('/v1/ens/premium', { name, ...(below_usd && { below_usd }) })).body as Body & {
        state: string
        premium_usd: number
        curve?: { at: string; premium_usd: number }[]
        below?: { usd: number; at: string | null }
      }
    const states = ['taken', 'grace', 'premium', 'lapsed', 'nobodys'].map(async (name) => (await premiumOf(name)).state)
    assert.deepEqual(await Promise.all(states), ['registered', 'grace', 'premium', 'available', 'available'])

    const { curve = [], premium_usd, below } = await premiumOf('premium', 1000)
    assert.equal(curve[0]!.premium_usd, premium_usd)
    assert.equal(curve.at(-1)!.premium_usd, 0)
    for (const [at, { premium_usd: usd }] of curve.slice(1).entries()) assert.ok(usd < curve[at]!.premium_usd)
    const after = curve.findIndex(({ premium_usd: usd }) => usd < 1000)
    assert.ok(below!.at! <= curve[after]!.at && below!.at! > curve[after - 1]!.at)
    assert.equal((await premiumOf('premium', 100_000_000)).below!.at, null)
    for (const name of ['lapsed', 'nobodys']) {
      assert.deepEqual((await premiumOf(name, 1000)).below, { usd: 1000, at: null }, name)
    }
    assert.match((await premiumOf('taken', 1000)).below!.at!, /^2027-12-27T/)
  })
})
