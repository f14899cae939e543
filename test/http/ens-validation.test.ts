import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { failureCode } from '../../src/kernel/errors.ts'
import {
  type Body,
  type Doors,
  openDoors,
  OWNER,
  POST_PATHS,
  TX_HASH,
  unreachableChain,
  VALID_INPUTS,
} from './ens.fixture.ts'

describe('validation of ENS requests', () => {
  const node = unreachableChain()
  let doors: Doors
  before(async () => {
    doors = await openDoors(node.chain)
  })
  beforeEach(() => node.calls.splice(0))
  after(() => doors.stop())

  /** Rejected before the node is node.calls. */
  const assertRejected = async (
    path: string,
    input: Readonly<Record<string, unknown>>,
    code: string,
    message?: RegExp,
  ) => {
    const { status, body } = await doors.ask(path, input)
    assert.deepEqual([status, body.error], [code === 'prepare_register_failed' ? 500 : 400, code], body.message)
    if (message) assert.match(body.message, message)
    assert.deepEqual(node.calls, [])
  }

  const WITH_NAME = Object.entries(VALID_INPUTS).filter(([, input]) => 'name' in input)
  const BAD_NAMES =
    'ab .eth under_score bücher -front back- ab--cd xn--bcher-kva sub.example sub.example.eth example.com example.eth.eth'
      .split(' ')
      .concat('two words', 'example.', 'x'.repeat(64))

  for (const [path, input] of WITH_NAME) {
    test(`${path} requires a name that ENS allows`, async () => {
      const { name: _, ...rest } = input
      const message = /^name is required; for example (?:name=example\b|\{"name":"example)/
      await assertRejected(path, rest, 'missing_parameter', message)
      const code = path === '/v1/ens/records' ? 'records_failed' : 'invalid_name'
      for (const name of BAD_NAMES) await assertRejected(path, { ...input, name }, code, /^name\b/)
    })
  }

  test('a subdomain is rejected with the reason', async () => {
    await assertRejected(
      '/v1/ens/check',
      { name: 'sub.example.eth' },
      'invalid_name',
      /only names directly under \.eth/,
    )
  })

  test('every name in a list must be valid, and a list has at most 50', async () => {
    const path = '/v1/ens/metadata'
    for (const names of [',', 'example,sub.example', 'ab,example'])
      await assertRejected(path, { names }, 'invalid_name', /^names/)
    const many = Array.from({ length: 51 }, (_, at) => `name-${at}`)
    await assertRejected(path, { names: many.join(',') }, 'invalid_name', /more than 50 names/)
    // Duplicates are merged before counting.
    const { body } = await doors.ask(path, { names: [...many.slice(0, 50), 'name-1.eth', 'NAME-2'].join(',') })
    assert.deepEqual([body.error, node.calls], ['metadata_failed', ['read']])
  })

  test('duration_years is an integer from 1 to 100', async () => {
    const paths = ['/v1/ens/expiry', ...POST_PATHS.filter((path) => !/prepare-(?:register|update)$/.test(path))]
    assert.equal(paths.length, 4)
    for (const path of paths) {
      for (const duration_years of [0, -1, 101, 1.5, 'two', 1e21]) {
        await assertRejected(
          path,
          { ...VALID_INPUTS[path], duration_years },
          'invalid_parameter',
          /^duration_years must be /,
        )
      }
    }
    await assertRejected('/v1/ens/renew/prepare', { name: 'example', duration_years: '1' }, 'invalid_parameter')
  })

  test('mainnet is the only network', async () => {
    for (const path of POST_PATHS) {
      for (const network of ['sepolia', 'main', '', 1, null]) {
        await assertRejected(
          path,
          { ...VALID_INPUTS[path], network },
          'unsupported_network',
          /^network must be mainnet, not /,
        )
      }
    }
  })

  test('a body must be a JSON object of at most 16 KiB', async () => {
    const large = JSON.stringify({ name: 'example', padding: 'x'.repeat(16 * 1024) })
    for (const path of POST_PATHS) {
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
    assert.deepEqual(node.calls, [])
  })

  test('an owner must be an Ethereum address with a valid checksum', async () => {
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
      const { owner: _, ...rest } = VALID_INPUTS[path]!
      await assertRejected(path, rest, 'missing_parameter', /^owner is required/)
      for (const owner of wrong) await assertRejected(path, { ...rest, owner }, code, /^owner /)
    }
    const owner = `0x${'0'.repeat(40)}`
    await assertRejected(
      '/v1/ens/register/prepare-commit',
      { name: 'example', owner },
      'prepare_commit_failed',
      /zero address/,
    )
  })

  test('a transaction hash must be 0x and 64 hexadecimal digits', async () => {
    const path = '/v1/ens/tx/status'
    await assertRejected(path, {}, 'missing_parameter', /^hash is required/)
    for (const hash of [
      '0x',
      TX_HASH.slice(2),
      TX_HASH.slice(0, -1),
      `${TX_HASH}0`,
      TX_HASH.replace('b', 'g'),
      'latest',
    ]) {
      await assertRejected(path, { hash }, 'tx_status_failed', /^hash: must be 0x and 64 hexadecimal digits/)
    }
  })

  test('a record update is rejected if a record is not supported or invalid', async () => {
    const path = '/v1/ens/records/prepare-update'
    const rows: [object, RegExp][] = [
      [{}, /^No record to change: give at least one of addresses, text and contenthash/],
      [{ text: {}, addresses: {} }, /^No record to change/],
      [{ addresses: { BTC: 'bc1q' } }, /^addresses\.BTC is not supported; use ETH/],
      [{ addresses: { ETH: '0x12' } }, /^addresses\.ETH must be an Ethereum address/],
      [{ addresses: { ETH: OWNER, eth: OWNER } }, /^addresses contains ETH twice/],
      [{ addresses: OWNER }, /^addresses must be /],
      [{ addresses: { ETH: 5 } }, /^addresses\.ETH must be /],
      [{ text: { colour: 'red' } }, /^text\.colour is not supported/],
      [{ text: { ulr: 'https://example.com' } }, /^text\.ulr is not supported; did you mean url\?/],
      [{ text: { url: null } }, /^text\.url must be /],
      [{ text: { url: 'x'.repeat(4097) } }, /^text has 4097 bytes in total/],
      [{ text: { url: 'a\u0000b' } }, /^text\.url contains a control character/],
      [{ contenthash: 'ipfs://Qm' }, /^contenthash must be 0x/],
      [{ contenthash: '0x1234' }, /^contenthash /],
    ]
    for (const [records, message] of rows) {
      await assertRejected(path, { name: 'example', owner: OWNER, ...records }, 'prepare_update_failed', message)
    }
  })

  test('an invalid registration id is rejected with status 500', async () => {
    const path = '/v1/ens/register/prepare-register'
    await assertRejected(path, {}, 'missing_parameter', /^registration_id is required/)
    for (const registration_id of ['an-id', 'x'.repeat(5000), 'a\u0000b', 5, null, '']) {
      await assertRejected(path, { registration_id }, 'prepare_register_failed')
    }
  })

  test('below_usd must be above zero and at most a billion', async () => {
    for (const below_usd of [0, -1, 'much', 1e10]) {
      await assertRejected(
        '/v1/ens/premium',
        { name: 'example', below_usd },
        'invalid_parameter',
        /^below_usd must be /,
      )
    }
  })

  test('whatever a field contains, the error is one the contract lists for the endpoint', async () => {
    const values = [5, -1, 1.5, true, null, [], {}, [[]], '', ' ', 'x', '0x', 'a\u0000b', '💥', 'x'.repeat(70)]
    for (const { endpoint } of doors.routes) {
      const codes = [...endpoint.errors, ...(endpoint.failsAs ? [endpoint.failsAs] : [])].map(failureCode)
      for (const field of Object.keys(endpoint.input.shape)) {
        for (const value of values) {
          const { status, body } = await doors.ask(endpoint.path, { ...VALID_INPUTS[endpoint.path], [field]: value })
          const what = `${endpoint.path} ${field} ${JSON.stringify(value)}: ${status} ${body.error}`
          assert.ok(codes.includes(body.error as (typeof codes)[number]), what)
        }
      }
    }
  })

  test('each path accepts only its own method', async () => {
    for (const path of Object.keys(VALID_INPUTS)) {
      const wrong = POST_PATHS.includes(path) ? ['GET', 'PUT', 'DELETE'] : ['POST', 'PUT', 'DELETE']
      for (const method of wrong) {
        const { status, headers, body } = await doors.door.get(path, { method })
        assert.deepEqual([status, (body as Body).error], [405, 'method_not_allowed'], `${method} ${path}`)
        const allowed = headers.get('allow')?.split(', ') ?? []
        assert.ok(
          allowed.includes(POST_PATHS.includes(path) ? 'POST' : 'GET') && !allowed.includes(method),
          allowed.join(),
        )
      }
    }
  })

  test('every endpoint of the contract is served, and its examples match its schemas', () => {
    assert.deepEqual(doors.routes.map(({ endpoint }) => endpoint.path).sort(), Object.keys(VALID_INPUTS).sort())
    for (const { endpoint } of doors.routes) {
      assert.equal(endpoint.method, POST_PATHS.includes(endpoint.path) ? 'POST' : 'GET')
      assert.deepEqual(endpoint.output.parse(endpoint.example.output), endpoint.example.output, endpoint.name)
      assert.doesNotThrow(() => endpoint.input.parse(endpoint.example.input), endpoint.name)
    }
  })
})
