import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { manualClock } from '../../src/kernel/clock.ts'
import { sqliteLedger } from '../../src/payments/sources/sqlite-ledger.ts'
import type { Reply } from '../support/door.ts'
import { CUT, type Line, type PaidChains, startPaidChains } from '../support/paid-chains.ts'
import { type PaidProcess, startPaidProcess } from '../support/paid-processes.ts'
import type { HoldPoint, ServerPlan } from '../support/paid-server.ts'
import { PAY_TO, QUICK } from '../support/paid-shop.ts'
import { emptyOnBase, emptyOnTempo, fundedWallet, paidBy, payMpp, payX402 } from '../support/paid-wallets.ts'
import type { PaymentHeaders, Wallet } from '../support/paid-wallets.ts'
import { hasReceipt } from '../support/paid-world.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
/** Longer than anybody may hold a payment. */
const LEASE_MS = 120_000
const isBroadcast = (method: string) => method.startsWith('eth_sendRaw')

/** How a payment is used after the crash: first for the same request, first for another, or only when it has expired. */
const USES = [
  ['x402', 'same first'],
  ['MPP', 'same first'],
  ['x402', 'other first'],
  ['MPP', 'other first'],
  ['MPP', 'after its end'],
] as const

type Paid = {
  readonly crash: Crash
  readonly scheme: 'x402' | 'MPP'
  readonly use: (typeof USES)[number][1]
  readonly path: string
  readonly wallet: Wallet
  readonly headers: PaymentHeaders
  /** Requests that were answered with the goods, and the token that came with the first answer. */
  readonly answered: Set<string>
  token?: string
}

type Crash = {
  readonly name: string
  readonly holdAt?: HoldPoint
  readonly fails?: boolean
  /** Its answer carries `error`. */
  readonly errs?: boolean
}

/** In one process all at once: each payment is held at a point of its own when the process ends. */
const AT_ONCE: readonly Crash[] = [
  { name: 'before the ledger is asked', holdAt: 'before find' },
  { name: 'after the ledger was asked', holdAt: 'after find' },
  { name: 'before the check', holdAt: 'before verify' },
  { name: 'before the claim', holdAt: 'before claim' },
  { name: 'after the claim', holdAt: 'after claim' },
  { name: 'in the work', holdAt: 'in work' },
  { name: 'after the work', holdAt: 'before compute' },
  { name: 'after the answer was saved', holdAt: 'after compute' },
  { name: 'after the money has moved', holdAt: 'after taking' },
  { name: 'before it is written down', holdAt: 'before settle' },
  { name: 'before the answer is given out', holdAt: 'after settle' },
  { name: 'before the delivery is written down', holdAt: 'before delivered' },
  { name: 'after the answer was given out' },
  { name: 'before a payment is let go of, whose work has failed', holdAt: 'before release', fails: true },
  { name: 'after a payment is let go of, whose work has failed', holdAt: 'after release', fails: true },
  { name: 'before a payment is released, whose answer carries error', holdAt: 'before release', errs: true },
  { name: 'after a payment is released, whose answer carries error', holdAt: 'after release', errs: true },
  { name: 'after an answer that carries error was given out', errs: true },
]
/** Of the two x402 payments only the first gets so far: the settlement key sends one after the other. */
const NOT_SENT: Crash = { name: 'before the node has the transaction' }
const SENT: Crash = { name: 'after the node has the transaction' }
/** Only x402 has transactions of ours; the others wait behind the first in the settlement key's queue. */
const WRITTEN_DOWN: readonly Crash[] = [
  { name: 'before the transaction is written down', holdAt: 'before sending' },
  { name: 'after the transaction is written down', holdAt: 'after sending' },
]
/** All transactions get through, and nobody ever hears of it. */
const LOST: readonly Crash[] = [
  { name: 'before an unknown outcome is left to others', holdAt: 'before yield' },
  { name: 'after an unknown outcome is left to others', holdAt: 'after yield' },
]
/** Their payers have emptied their wallets when they are to be charged. */
const EMPTIED: readonly Crash[] = [
  { name: 'before a payment is let go of, which cannot be taken', holdAt: 'before release' },
  { name: 'after a payment is let go of, which cannot be taken', holdAt: 'after release' },
]
const CRASHES = [...AT_ONCE, ...WRITTEN_DOWN, NOT_SENT, SENT, ...LOST, ...EMPTIED]
const SENT_AT_ONCE = 4
/** Payments that have moved money when their process ends. */
const CHARGED = new Set([
  'after taking',
  'before settle',
  'after settle',
  'before delivered',
  undefined,
  'before yield',
  'after yield',
])

const lost: Line = async ({ method }, ask) => {
  const answer = await ask()
  if (isBroadcast(method) || (method === 'eth_getTransactionReceipt' && answer !== null)) throw CUT
  return answer
}

// A dozen processes, one after the other, on whatever machine this is.
describe('kill -9 at every step', { timeout: 180_000 }, () => {
  const clock = manualClock(NOW)
  const folder = mkdtempSync(join(tmpdir(), 'onoma-crash-'))
  const paid: Paid[] = []
  const running = new Set<PaidProcess>()
  let chains: PaidChains
  let errorAnswers = 0

  async function start(plan: Partial<ServerPlan> = {}): Promise<PaidProcess> {
    const shop = await startPaidProcess({ folder, urls: chains.urls, now: clock.now(), ledgerNow: NOW, ...plan })
    running.add(shop)
    return shop
  }

  async function use(shop: PaidProcess, paid: Paid, path: string): Promise<Reply> {
    const { headers, answered, token } = paid
    const reply = await shop.get(path, { ...headers, ...(token !== undefined && { 'payment-token': token }) })
    const given = reply.headers.get('payment-token')
    if (given !== null) paid.token = given
    if (reply.status === 200 && reply.text.includes('"error"')) {
      assert.ok(!hasReceipt(reply), path)
      errorAnswers++
    } else if (reply.status === 200) answered.add(path)
    return reply
  }

  /** Payments in all uses for each of the crashes; then the process ends. */
  async function crash(
    crashes: readonly Crash[],
    hasCome: (shop: PaidProcess) => Promise<void>,
    { uses = USES, ...times }: { uses?: readonly (typeof USES)[number][]; confirmTimeoutMs?: number } = {},
  ): Promise<void> {
    const indexOf = (one: Crash) => String(CRASHES.indexOf(one))
    const held = crashes.flatMap((one) => (one.holdAt ? [[indexOf(one), one.holdAt] as const] : []))
    const shop = await start({
      holds: Object.fromEntries(held),
      fails: crashes.filter(({ fails }) => fails).map(indexOf),
      errors: crashes.filter(({ errs }) => errs).map(indexOf),
      ...times,
    })
    const payments = await Promise.all(
      crashes.flatMap((one) =>
        uses.map(async ([scheme, how]): Promise<Paid> => {
          const path = `/v1/goods/${indexOf(one)} ${scheme} ${how}`
          const wallet = fundedWallet(chains)
          const headers = await (scheme === 'x402' ? payX402 : payMpp)(await shop.get(path), wallet, clock)
          return { crash: one, scheme, use: how, path, wallet, headers, answered: new Set() }
        }),
      ),
    )
    paid.push(...payments)
    const replies = Promise.allSettled(payments.map((each) => use(shop, each, each.path)))
    await hasCome(shop)
    await shop.kill()
    chains.onLine()
    await replies
  }

  before(async () => {
    chains = await startPaidChains(clock)
    const answered = () => paid.filter(({ answered }) => answered.size > 0).length
    await crash(AT_ONCE, async (shop) => {
      await shop.held(AT_ONCE.filter(({ holdAt }) => holdAt).length * USES.length)
      while (answered() < 2 * USES.length || errorAnswers < USES.length) await sleep(5)
    })
    for (const one of WRITTEN_DOWN) {
      await crash([one], (shop) => shop.held(1), { uses: USES.filter(([scheme]) => scheme === 'x402') })
    }
    for (const one of [NOT_SENT, SENT]) {
      const reached = Promise.withResolvers<void>()
      let count = 0
      chains.onLine(async ({ method }, ask) => {
        const answer = one === NOT_SENT && isBroadcast(method) ? null : await ask()
        if (!isBroadcast(method)) return answer
        if (++count === SENT_AT_ONCE) reached.resolve()
        return new Promise(() => {})
      })
      await crash([one], () => reached.promise)
    }
    chains.onLine(lost)
    await crash(LOST, (shop) => shop.held(LOST.length * USES.length), { confirmTimeoutMs: 300 })
    const emptied = Promise.withResolvers<void>()
    chains.onLine(async ({ method }, ask) => {
      if (isBroadcast(method)) await emptied.promise
      return ask()
    })
    await crash(EMPTIED, async (shop) => {
      await shop.ran(EMPTIED.length * USES.length)
      await Promise.all(poor().map(empty))
      emptied.resolve()
      await shop.held(EMPTIED.length * USES.length)
    })
  })
  after(async () => {
    await Promise.all([...running].map((shop) => shop.kill()))
    await chains.stop()
    rmSync(folder, { recursive: true })
  })

  const poor = () => paid.filter(({ crash }) => EMPTIED.includes(crash))
  const rich = () => paid.filter(({ crash }) => !EMPTIED.includes(crash))
  const empty = ({ wallet, scheme }: Paid) => (scheme === 'x402' ? emptyOnBase : emptyOnTempo)(chains, wallet, clock)
  const of = (use: Paid['use']) => rich().filter((each) => each.use === use)
  const isCharged = ({ wallet }: Paid) => paidBy(chains, wallet) === QUICK
  const other = ({ path }: Paid) => `${path} other`
  const states = async () => {
    const ledger = sqliteLedger({ folder, clock })
    const entries = await ledger.list(1000)
    ledger.close()
    return new Map(entries.map(({ details, state }) => [details.payer, state]))
  }

  test('no payment is charged twice, and every charged payment is in the ledger with an answer', async () => {
    const books = await states()
    for (const each of rich()) {
      const charged = paidBy(chains, each.wallet)
      assert.ok(charged === 0n || charged === QUICK, each.path)
      if (charged > 0n) assert.match(books.get(each.wallet.address.toLowerCase())!, /computed|settled/, each.path)
    }
    // The test is of no use where the crashes came too early or too late.
    for (const one of CRASHES) {
      const isLate = one !== NOT_SENT && !one.errs && CHARGED.has(one.holdAt)
      const charged = paid.filter((each) => each.crash === one && isCharged(each)).length
      assert.equal(charged, isLate ? (one === SENT ? SENT_AT_ONCE : USES.length) : 0, one.name)
    }
  })

  test('a process that starts at once gives out what is paid, and asks for patience where it is not known', async () => {
    const shop = await start({ waitMs: 2 })
    const repeat = async (each: Paid) => {
      const { status, text } = await use(shop, each, each.path)
      assert.ok(status === 200 || status === 503, `${each.path}: ${text}`)
      if (status === 200) assert.ok(isCharged(each), each.path)
    }
    await Promise.all(of('same first').map(repeat))
    await shop.kill()
  })

  test('recovery can be killed at every step of its own', async () => {
    for (const [at, holdAt] of (['after claim', 'before settle', 'after settle'] as const).entries()) {
      const shop = await start({ holdsOthers: holdAt, ledgerNow: NOW + LEASE_MS + at * 10_000 })
      shop.recover().catch(() => {})
      await shop.held(1)
      await shop.kill()
    }
  })

  test('recovery closes whatever is paid, though nobody repeats a request', async () => {
    const shop = await start({ ledgerNow: NOW + 2 * LEASE_MS })
    assert.ok((await shop.recover()) > 0)
    const books = await states()
    for (const each of paid.filter(isCharged)) {
      assert.equal(books.get(each.wallet.address.toLowerCase()), 'settled', each.path)
    }
    await shop.kill()
  })

  test('who repeats a request gets its answer for one charge, and nobody gets another one for it', async () => {
    const shop = await start({ ledgerNow: NOW + 3 * LEASE_MS })
    for (const each of of('same first')) {
      assert.equal((await use(shop, each, each.path)).status, 200, each.path)
      assert.equal((await use(shop, each, other(each))).status, 402, each.path)
    }
    for (const each of of('other first')) {
      const replies = [await use(shop, each, other(each)), await use(shop, each, each.path)]
      const [low, high] = replies.map(({ status }) => status).toSorted((a, b) => a - b)
      assert.deepEqual([low, high], [200, 402], each.path)
    }
    await shop.kill()
  })

  test('a payment that ran out meanwhile was taken and is answered, or will never be taken', async () => {
    clock.advance(2 * LEASE_MS)
    const shop = await start({ ledgerNow: NOW + 5 * LEASE_MS })
    await shop.recover()
    for (const each of of('after its end')) {
      const { status } = await use(shop, each, each.path)
      assert.equal(status, isCharged(each) ? 200 : 402, each.path)
      assert.equal((await use(shop, each, other(each))).status, 402, each.path)
    }
    await shop.kill()
  })

  test('who emptied the wallet before is not charged, and gets nothing', async () => {
    const shop = await start({ ledgerNow: NOW + 6 * LEASE_MS })
    for (const each of poor()) {
      assert.equal((await use(shop, each, each.path)).status, 402, each.path)
      assert.equal((await use(shop, each, other(each))).status, 402, each.path)
    }
    await shop.kill()
  })

  test('in the end there is one charge and one answered request for each payment, or neither', () => {
    for (const each of rich()) {
      const isGone = each.use === 'after its end' && !isCharged(each)
      assert.equal(paidBy(chains, each.wallet), isGone ? 0n : QUICK, each.path)
      assert.equal(each.answered.size, isGone ? 0 : 1, each.path)
    }
    const earned = chains.base.balanceOf(PAY_TO) + chains.tempo.balanceOf(PAY_TO)
    assert.equal(earned, BigInt(paid.filter(isCharged).length) * QUICK)
  })
})
