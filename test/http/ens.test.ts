import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { MAINNET as AT } from '../../sandbox/chain/addresses.ts'
import { type Chain as TestChain, startChain } from '../../sandbox/chain/start.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { type Ethereum, openEthereum } from '../../src/app/wiring/ethereum.ts'
import { createOutbound } from '../../src/app/wiring/outbound.ts'
import type { Chain } from '../../src/ens/chain/chain.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { type Body, type Doors, openDoors } from './ens.fixture.ts'

describe('ENS with a node', () => {
  let chain: TestChain
  let ethereum: Ethereum
  let doors: Doors
  before(async () => {
    const clock = manualClock(Date.UTC(2026, 10, 15, 12))
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    chain = await startChain({ clock })
    const config = loadConfig({ ...chain.settings, ONOMA_SANDBOX: 'on' })
    ethereum = openEthereum({ config, outbound: createOutbound({ config, clock, log }), clock, log })
    doors = await openDoors(ethereum.chain)
  })
  after(async () => {
    await doors.stop()
    await ethereum.close()
    await chain.stop()
  })

  test('results of a list are in request order, each name once; an unregistered name does not affect the others', async () => {
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

  test('metadata of an available name is 404; a name in grace or without records has metadata', async () => {
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

  test('name takes precedence over names; one of them is required', async () => {
    const both = await doors.ask('/v1/ens/metadata', { name: 'taken', names: 'wrapped' })
    assert.equal(both.body['name'], 'taken.eth')
    assert.equal((await doors.ask('/v1/ens/metadata', {})).body.error, 'missing_parameter')
  })

  test('a response says when it was read; refresh reads again', async () => {
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

  test('an available name is cached for 12 seconds, about one block', async () => {
    await doors.ask('/v1/ens/check', { name: 'brand-new' })
    doors.clock.advance(12_000)
    assert.equal((await doors.ask('/v1/ens/check', { name: 'brand-new' })).body['source'], 'rpc')
  })

  test('without a gas estimate from the node a typical value is returned', async () => {
    const real = ethereum.chain
    const others = await openDoors({
      ...real,
      simulate: async (draft, signal) => ({ ...(await real.simulate(draft, signal)), gas: null }),
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

  test('without an ETH/USD rate, dollars come from the price table or are left out', async () => {
    const real = ethereum.chain
    const withoutRate = <R extends Awaited<ReturnType<Chain['read']>>>(
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
      read: async (calls, signal) => withoutRate(calls, await real.read(calls, signal)),
      readWithGasPrice: async (calls, signal) => withoutRate(calls, await real.readWithGasPrice(calls, signal)),
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

  test('the premium response has state, curve, and when the premium falls below a threshold', async () => {
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
