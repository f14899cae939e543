import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Chain } from '../../src/ens/chain/chain.ts'
import { MAINNET } from '../../src/ens/chain/deployments.ts'
import { parseEnsName } from '../../src/ens/contract/names.ts'
import { createRegistration } from '../../src/ens/transactions/commitment.ts'
import { UpstreamError } from '../../src/kernel/errors.ts'
import { type Body, type Doors, openDoors, OWNER, unreachableChain, VALID_INPUTS } from './ens.fixture.ts'

const SECRET = `0x${'5e'.repeat(32)}` as const

describe('ENS without a node', () => {
  const node = unreachableChain()
  let doors: Doors
  before(async () => {
    doors = await openDoors(node.chain)
  })
  beforeEach(() => node.calls.splice(0))
  after(() => doors.stop())

  test('without an answer from a node every endpoint fails with its own code and reveals nothing about the node', async () => {
    const parsed = parseEnsName('example')
    assert.ok(parsed.ok)
    const request = { label: parsed.name, owner: OWNER, durationSeconds: 31_536_000, secret: SECRET } as const
    const registration = createRegistration({ ...request, reverseRecord: true }, MAINNET.controllers['2025'])
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
      const reply = await doors.ask(path, { ...VALID_INPUTS[path], ...id })
      assert.deepEqual([reply.status, reply.body.error], [status, code], path)
      assert.equal(node.calls.splice(0).length, 1, path)
      assert.match(reply.body.message, /Asking again may help\.$/)
      assert.doesNotMatch(reply.text, /node\.example|k3y/)
    }
    const batch = await doors.ask('/v1/ens/metadata', { names: 'example,another' })
    assert.deepEqual([batch.status, batch.body.error], [500, 'metadata_failed'])
    const metadata = await doors.listener.get('/metadata?name=example')
    assert.deepEqual([metadata.status, (metadata.body as Body).error], [500, 'metadata_failed'])
  })

  test('health still answers, as degraded', async () => {
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

  test('the Retry-After of a node is passed on', async () => {
    const original = node.failure
    node.failure = new UpstreamError('rate_limited', 'slow down', { retryAfterMs: 6_100 })
    try {
      const { status, headers } = await doors.ask('/v1/ens/check', { name: 'example' })
      assert.deepEqual([status, headers.get('retry-after')], [500, '7'])
    } finally {
      node.failure = original
    }
  })

  test('contracts that do not behave like ENS are a failure, and no name is reported as available', async () => {
    const withoutContracts: Chain = {
      ...node.chain,
      read: (calls) =>
        Promise.resolve({
          returned: calls.map(() => ({ ok: false, data: '0x' })),
          block: { number: 1, timestamp: 1_794_700_800 },
        }),
    }
    const others = await openDoors(withoutContracts)
    try {
      for (const [path, code] of [
        ['/v1/ens/check', 'check_failed'],
        ['/v1/ens/metadata', 'metadata_failed'],
        ['/v1/ens/expiry', 'expiry_failed'],
      ] as const) {
        assert.equal((await others.ask(path, VALID_INPUTS[path]!)).body.error, code)
      }
      assert.equal((await others.ask('/v1/ens/health', {})).body['status'], 'degraded')
    } finally {
      await others.stop()
    }
  })

  test('25 concurrent lists of 50 names are one read each, and none is rejected', async () => {
    const lists = Array.from({ length: 25 }, (_, list) => Array.from({ length: 50 }, (_, at) => `name-${list}-${at}`))
    const all = Promise.withResolvers<void>()
    let reads = 0
    const slow: Chain = {
      ...node.chain,
      async read(calls) {
        reads += 1
        if (reads === lists.length) all.resolve()
        await all.promise
        const zero = { ok: true, data: `0x${'00'.repeat(32)}` } as const
        return { returned: calls.map(() => zero), block: { number: 1, timestamp: 1_794_700_800 } }
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

  test('the second listener serves only metadata and health', async () => {
    for (const path of ['/health', '/metadata?name=example'])
      assert.notEqual((await doors.listener.get(path)).status, 404)
    assert.equal((await doors.listener.get('/metadata')).status, 400)
    assert.equal((await doors.listener.get('/metadata?name=ab')).status, 400)
    const others = ['/', '/openapi.json', '/v1/ens/metadata', '/v1/ens/health', '/check', '/records', '/v1/tlds']
    for (const path of others) assert.equal((await doors.listener.get(`${path}?name=example`)).status, 404, path)
    assert.equal((await doors.listener.get('/metadata', { method: 'POST' })).status, 405)
  })

  test('every endpoint except health counts against the rate limit', async () => {
    const others = await openDoors(node.chain, { rateLimit: 1 })
    try {
      await others.ask('/v1/ens/check', { name: 'ab' })
      for (const path of Object.keys(VALID_INPUTS)) {
        const { status, body } = await others.ask(path, VALID_INPUTS[path]!)
        if (path === '/v1/ens/health') assert.equal(status, 200)
        else assert.deepEqual([status, body.error], [429, 'rate_limit_exceeded'], path)
      }
    } finally {
      await others.stop()
    }
  })
})
