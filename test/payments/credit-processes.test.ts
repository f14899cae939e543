import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { manualClock } from '../../src/kernel/clock.ts'
import { hashCreditToken } from '../../src/payments/credit-token.ts'
import { bearer, newPaymentToken } from '../support/credit-shop.ts'
import type { Reply } from '../support/door.ts'
import { type PaidChains, startPaidChains } from '../support/paid-chains.ts'
import { type PaidProcess, startPaidProcess } from '../support/paid-processes.ts'
import type { CreditPoint, HoldPoint, ServerPlan } from '../support/paid-server.ts'
import { PAY_TO } from '../support/paid-shop.ts'
import { fundedWallet, payMpp, payX402 } from '../support/paid-wallets.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
/** Longer than any lease. */
const LEASE_MS = 120_000
const DOLLARS = 1_000_000n

type World = {
  readonly folder: string
  readonly chains: PaidChains
  start(plan?: Partial<ServerPlan>): Promise<PaidProcess>
  /** The token of a new credit of this many dollars. */
  buy(shop: PaidProcess, amount: number): Promise<string>
  sums(shop: PaidProcess, token: string): Promise<Record<string, string>>
  /** The same once nothing is reserved: a draw is confirmed after its answer was delivered. */
  settled(shop: PaidProcess, token: string): Promise<Record<string, string>>
  end(): Promise<void>
}

async function startWorld(): Promise<World> {
  const clock = manualClock(NOW)
  const folder = mkdtempSync(join(tmpdir(), 'onoma-credit-'))
  const chains = await startPaidChains(clock)
  const running: PaidProcess[] = []
  return {
    folder,
    chains,
    async start(plan = {}) {
      const shop = await startPaidProcess({ folder, urls: chains.urls, now: NOW, ledgerNow: NOW, waitMs: 5, ...plan })
      running.push(shop)
      return shop
    },
    async buy(shop, amount) {
      const wallet = fundedWallet(chains, BigInt(amount) * DOLLARS)
      const payment = await payMpp(await shop.post('/v1/credit', { amount }), wallet, clock)
      const reply = await shop.post('/v1/credit', { amount }, payment)
      assert.equal(reply.status, 200, reply.text)
      return (reply.body as { token: string }).token
    },
    sums: sumsOf,
    async settled(shop, token) {
      for (let look = 0; ; look++) {
        const sums = await sumsOf(shop, token)
        if (sums['reserved'] === '0.00' || look === 1000) return sums
      }
    },
    async end() {
      await Promise.all(running.map((shop) => shop.kill()))
      await chains.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

async function sumsOf(shop: PaidProcess, token: string): Promise<Record<string, string>> {
  const reply = await shop.get('/v1/credit', bearer(token))
  assert.equal(reply.status, 200, reply.text)
  return reply.body as Record<string, string>
}

const addsUp = ({ bought, balance, spent, reserved }: Record<string, string>): void => {
  const parts = [balance, spent, reserved].map(Number)
  assert.ok(parts.every((part) => part >= 0))
  assert.equal(
    parts.reduce((sum, part) => sum + Math.round(part * 1e6), 0),
    Math.round(Number(bought) * 1e6),
  )
}

describe('three processes with one ledger', () => {
  let world: World
  let shops: PaidProcess[]
  before(async () => {
    world = await startWorld()
    shops = await Promise.all([world.start({ flaky: 3 }), world.start({ flaky: 3 }), world.start({ fails: ['fails'] })])
  })
  after(() => world.end())

  test('a hundred requests at once draw no more than the credit has', async () => {
    const token = await world.buy(shops[0]!, 1)
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, at) => shops[at % 3]!.get(`/v1/goods/at once ${at}?tier=full`, bearer(token))),
    )
    assert.equal(replies.filter(({ status }) => status === 200).length, 12)
    assert.equal(replies.filter(({ status }) => status === 402).length, 88)
    const sums = await world.settled(shops[1]!, token)
    assert.deepEqual([sums['balance'], sums['spent'], sums['reserved']], ['0.04', '0.96', '0.00'])
    assert.equal(shops.flatMap((shop) => shop.runs).filter((item) => item.startsWith('at once')).length, 12)
  })

  test('a hundred requests at once with one Idempotency-Key are drawn and worked on once', async () => {
    const token = await world.buy(shops[0]!, 1)
    const headers = { ...bearer(token), 'idempotency-key': 'only-one' }
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, at) => shops[at % 3]!.get('/v1/goods/keyed', headers)),
    )
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
    assert.equal(shops.flatMap((shop) => shop.runs).filter((item) => item === 'keyed').length, 1)
    assert.equal((await world.sums(shops[2]!, token))['spent'], '0.02')
  })

  test('what fails in between is not drawn, however the requests interleave', async () => {
    const token = await world.buy(shops[0]!, 1)
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, at) => {
        const item = ['flaky', 'plain', 'fails'][at % 3]!
        return shops[at % 3]!.get(`/v1/goods/${item} ${at % 7}`, bearer(token))
      }),
    )
    const sold = replies.filter(({ status, text }) => status === 200 && !text.includes('"error"')).length
    assert.ok(sold > 0 && sold <= 50)
    const sums = await world.settled(shops[0]!, token)
    addsUp(sums)
    assert.equal(Math.round(Number(sums['spent']) * 100), sold * 2)
    assert.equal(sums['reserved'], '0.00')
  })
})

const DRAW_POINTS: readonly CreditPoint[] = ['before draw', 'after draw', 'before confirm', 'after confirm']
const BACK_POINTS: readonly CreditPoint[] = ['before giveBack', 'after giveBack']
/** Before any money moved, and after. */
const UNPAID_POINTS: readonly HoldPoint[] = [
  'after claim',
  'before attach',
  'after attach',
  'before compute',
  'after compute',
]
const PAID_POINTS: readonly HoldPoint[] = ['after taking', 'before settle', 'after settle', 'before delivered']

type Drawn = {
  readonly point: CreditPoint | 'in work'
  readonly key: string | undefined
  readonly path: string
  readonly token: string
  /** Bodies that the client got. */
  readonly answers: string[]
}
type Bought = {
  readonly point: HoldPoint
  readonly amount: number
  readonly headers: Record<string, string>
  readonly answers: string[]
}

// Several processes, one after the other, on whatever machine this is.
describe('credit: kill -9 at every step', { timeout: 120_000 }, () => {
  const clock = manualClock(NOW)
  let world: World
  const drawn: Drawn[] = []
  const bought: Bought[] = []
  const headersOf = ({ token, key }: Drawn) => ({
    ...bearer(token),
    ...(key !== undefined && { 'idempotency-key': key }),
  })

  async function draw(shop: PaidProcess, each: Drawn): Promise<Reply> {
    const reply = await shop.get(each.path, headersOf(each))
    if (reply.status === 200) each.answers.push(reply.text)
    return reply
  }
  async function buy(shop: PaidProcess, { amount, headers, answers }: Bought): Promise<Reply> {
    const reply = await shop.post('/v1/credit', { amount }, headers)
    if (reply.status === 200) answers.push((reply.body as { token: string }).token)
    return reply
  }
  const earned = () => world.chains.base.balanceOf(PAY_TO) + world.chains.tempo.balanceOf(PAY_TO)
  let credits = 0

  before(async () => {
    world = await startWorld()
    const first = await world.start()
    for (const key of [undefined, 'key']) {
      for (const point of [...DRAW_POINTS, 'in work' as const, ...BACK_POINTS]) {
        const isFailing = BACK_POINTS.some((one) => one === point)
        const path = `/v1/goods/${isFailing ? 'fails' : point === 'in work' ? 'stuck' : 'plain'} ${drawn.length}`
        drawn.push({ point, key, path, token: await world.buy(first, 1), answers: [] })
        credits++
      }
    }
    await first.kill()
    const points = [...UNPAID_POINTS, ...PAID_POINTS]
    const second = await world.start({
      holds: { stuck: 'in work' },
      fails: ['fails'],
      holdsDraws: Object.fromEntries(
        drawn.flatMap(({ point, token }) => (point === 'in work' ? [] : [[hashCreditToken(token), point]])),
      ),
      holdsPurchases: Object.fromEntries(points.map((point, at) => [String(BigInt(at + 2) * DOLLARS), point])),
    })
    for (const [at, point] of points.entries()) {
      const amount = at + 2
      const wallet = fundedWallet(world.chains, BigInt(amount) * DOLLARS)
      const payment = await (at % 2 === 0 ? payX402 : payMpp)(
        await second.post('/v1/credit', { amount }),
        wallet,
        clock,
      )
      bought.push({ point, amount, headers: { ...payment, 'payment-token': newPaymentToken() }, answers: [] })
    }
    const replies = Promise.allSettled([
      ...drawn.map((each) => draw(second, each)),
      ...bought.map((each) => buy(second, each)),
    ])
    await second.held(drawn.length + bought.length)
    await second.kill()
    await replies
  })
  after(() => world.end())

  test('nothing is charged without an answer, also before any lease has ended', async () => {
    const shop = await world.start()
    for (const each of drawn) {
      const sums = await world.sums(shop, each.token)
      addsUp(sums)
      const isLate = each.point === 'after confirm'
      assert.equal(sums['spent'], isLate ? '0.02' : '0.00', `${each.point} ${each.key}`)
      // Without a key the answer comes first; with one it can be fetched.
      if (isLate && each.key === undefined) assert.equal(each.answers.length, 1)
    }
    await shop.kill()
  })

  test('who repeats a request with its key gets one answer for one draw; without a key all but what was delivered is given back', async () => {
    const shop = await world.start({ ledgerNow: NOW + LEASE_MS, fails: ['fails'] })
    for (const each of drawn.filter(({ key }) => key !== undefined)) {
      const isFailing = BACK_POINTS.some((one) => one === each.point)
      for (let time = 0; time < 2; time++) {
        assert.equal((await draw(shop, each)).status, isFailing ? 404 : 200, `${each.point} ${each.key}`)
      }
      assert.equal(new Set(each.answers).size, isFailing ? 0 : 1)
      assert.equal((await world.sums(shop, each.token))['spent'], isFailing ? '0.00' : '0.02')
    }
    for (const each of drawn.filter(({ key }) => key === undefined)) {
      // A draw of the whole dollar needs whatever a crash has left reserved.
      const whole = Math.floor((each.point === 'after confirm' ? 98 : 100) / 8)
      const replies = await Promise.all(
        Array.from({ length: 13 }, (_, at) => shop.get(`/v1/goods/rest ${at}?tier=full`, bearer(each.token))),
      )
      assert.equal(replies.filter(({ status }) => status === 200).length, whole, each.point)
      addsUp(await world.sums(shop, each.token))
    }
    await shop.kill()
  })

  test('who paid for credit gets its token, is charged once, and gets the same token again', async () => {
    const before = earned()
    const recovering = await world.start({ ledgerNow: NOW + 2 * LEASE_MS })
    await recovering.recover()
    await recovering.kill()
    const shop = await world.start({ ledgerNow: NOW + 3 * LEASE_MS })
    for (const each of bought) {
      for (let time = 0; time < 2; time++) {
        const reply = await buy(shop, each)
        assert.equal(reply.status, 200, `${each.point} ${reply.text}`)
      }
      assert.equal(new Set(each.answers).size, 1, each.point)
      const sums = await world.sums(shop, each.answers[0]!)
      assert.equal(sums['balance'], `${each.amount}.00`, each.point)
      const [name] = Object.keys(each.headers)
      if (name === 'authorization') continue
      const stranger = await shop.post(
        '/v1/credit',
        { amount: each.amount },
        { ...each.headers, 'payment-token': newPaymentToken() },
      )
      assert.equal(stranger.status, 402, each.point)
    }
    const unpaid = bought.filter(({ point }) => UNPAID_POINTS.includes(point))
    assert.equal(
      earned() - before,
      unpaid.reduce((sum, { amount }) => sum + BigInt(amount) * DOLLARS, 0n),
    )
    const all = bought.reduce((sum, { amount }) => sum + amount, credits)
    assert.equal(earned(), BigInt(all) * DOLLARS)
    await shop.kill()
  })

  test('no token is in the file of the ledger', () => {
    for (const name of ['payments.sqlite', 'payments.sqlite-wal']) {
      const bytes = readFileSync(join(world.folder, name)).toString('latin1')
      assert.ok(!bytes.includes('onoma_credit_'), name)
      for (const { token } of drawn) assert.ok(!bytes.includes(token.slice(13)), name)
    }
  })
})
