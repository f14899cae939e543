import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { ApiError, UpstreamError } from '../../src/kernel/errors.ts'
import type { Reply } from '../support/door.ts'
import { faultyLedger } from '../support/faulty-ledger.ts'
import { CUT, type Line } from '../support/paid-chains.ts'
import { openShop, PAY_TO, QUICK } from '../support/paid-shop.ts'
import { emptyOnBase, emptyOnTempo, fromBase64, PAYERS, payMpp, payX402 } from '../support/paid-wallets.ts'
import { hasReceipt, insist, mustBeRefused, type PaidWorld, startPaidWorld } from '../support/paid-world.ts'

/** Both chains; the two versions of x402 differ in words only. */
const CHAINS = [
  ['x402', payX402],
  ['MPP', payMpp],
] as const

const PATH = '/v1/goods/a'
const forever = () => new Promise<never>(() => {})
const isBroadcast = (method: string) => method.startsWith('eth_sendRawTransaction')

async function open(t: TestContext, options: Parameters<typeof startPaidWorld>[0] = {}): Promise<PaidWorld> {
  const world = await startPaidWorld(options)
  t.after(world.stop)
  return world
}

/** For those who do not want to wait for nodes that do not answer. */
const IMPATIENT = { nodeMs: 600, confirmTimeoutMs: 400 }

/** "Send the same request again", and never 402: who is told to pay pays twice. */
function mustBeAsked(reply: Reply): void {
  assert.equal(reply.status, 503, reply.text)
  assert.match(reply.text, /service_unavailable.*the same request/)
  assert.ok(reply.headers.has('retry-after') && !hasReceipt(reply))
}

describe('work that fails costs nothing, and its payment stays good', () => {
  const failures: [string, number, () => unknown][] = [
    ['a complaint about the input', 400, () => thrown(new ApiError('invalid_domain', 'No.'))],
    ['nothing found', 404, () => thrown(new ApiError('domain_not_found', 'No.'))],
    ['an upstream that fails', 500, () => thrown(new UpstreamError('timeout', 'no answer'))],
    ['a mistake of ours', 500, () => thrown(new TypeError('undefined is not a function'))],
    ['something that is no error', 500, () => thrown('a string')],
    ['an answer that is no JSON', 500, () => ({ serial: 1n })],
    ['an answer that says itself it failed', 501, () => ({ status: 501, errors: ['not_configured'] })],
    ['work that never ends', 503, forever],
  ]
  for (const [what, status, work] of failures) {
    test(what, async (t) => {
      const world = await open(t, { workTimeoutMs: 50 })
      for (const [name, payer] of PAYERS) {
        const { wallet, send } = await world.pay(payer, PATH)
        world.shop.onWork(work)
        const failed = await send()
        assert.deepEqual([name, failed.status, hasReceipt(failed)], [name, status, false])
        assert.equal(world.paidBy(wallet), 0n)
        world.shop.onWork(({ item, tier }) => ({ item, tier, serial: 1 }))
        assert.equal((await send()).status, 200, name)
        assert.equal(world.paidBy(wallet), QUICK)
      }
    })
  }

  test('a caller who goes away before the answer is there is not charged, and the work is told', async (t) => {
    const world = await open(t)
    const { wallet, headers, send } = await world.pay(payX402, PATH)
    const [begun, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    world.shop.onWork((_input, { signal }) => {
      signal.addEventListener('abort', () => told.resolve(), { once: true })
      begun.resolve()
      return forever()
    })
    const leaving = new AbortController()
    const gone = assert.rejects(world.get(PATH, headers, { signal: leaving.signal }))
    await begun.promise
    leaving.abort()
    await Promise.all([gone, told.promise])
    world.shop.onWork(({ item, tier }) => ({ item, tier, serial: 1 }))
    assert.equal((await send()).status, 200)
    assert.equal(world.paidBy(wallet), QUICK)
  })

  test('a caller who goes away while the money moves is charged, and finds the answer when they come back', async (t) => {
    const world = await open(t)
    for (const [, payer] of CHAINS) {
      const { wallet, headers, send } = await world.pay(payer, PATH)
      const leaving = new AbortController()
      world.chains.onLine(async ({ method }, ask) => {
        if (!isBroadcast(method)) return ask()
        const { signal } = world.shop.calls.at(-1)!
        leaving.abort()
        while (!signal.aborted) await new Promise(setImmediate)
        return ask()
      })
      const runs = world.runsOf('a')
      await assert.rejects(world.get(PATH, headers, { signal: leaving.signal }))
      await world.shop.calls.at(-1)!.done
      world.chains.onLine()
      assert.equal(world.paidBy(wallet), QUICK)
      assert.equal((await send()).status, 200)
      assert.deepEqual([world.paidBy(wallet), world.runsOf('a')], [QUICK, runs + 1])
    }
  })

  test('work for a disconnected caller is not waited for', { timeout: 10_000 }, async (t) => {
    const leaving = new AbortController()
    const world = await open(t, {
      ledger: (own) => faultyLedger(own, [{ at: 'after claim', how: () => leave() }]),
    })
    const leave = async () => {
      const { signal } = world.shop.calls.at(-1)!
      leaving.abort()
      while (!signal.aborted) await new Promise(setImmediate)
    }
    world.shop.onWork(forever)
    const { wallet, headers, send } = await world.pay(payX402, PATH)
    await assert.rejects(world.get(PATH, headers, { signal: leaving.signal }))
    await world.shop.calls.at(-1)!.done
    world.shop.onWork(({ item, tier }) => ({ item, tier, serial: 1 }))
    assert.equal((await send()).status, 200)
    assert.equal(world.paidBy(wallet), QUICK)
  })
})

function thrown(error: unknown): never {
  throw error
}

describe('who knows of a payment whose outcome is not known yet', () => {
  test('but does not have its signature can neither fetch its answer nor make it be forgotten', async (t) => {
    const world = await open(t, IMPATIENT)
    const { wallet, headers, send } = await world.pay(payX402, PATH)
    // It waits in the pool, for all to see.
    const pool = new Set<() => Promise<unknown>>()
    world.chains.onLine(({ method }, ask) => (isBroadcast(method) ? (pool.add(ask), `0x${'0'.repeat(64)}`) : ask()))
    mustBeAsked(await send())
    const sent = fromBase64(headers['payment-signature']!) as { payload: object }
    const forged = { ...sent, payload: { ...sent.payload, signature: `0x${'11'.repeat(64)}1b` } }
    const header = Buffer.from(JSON.stringify(forged)).toString('base64')
    mustBeRefused(await world.get(PATH, { 'payment-signature': header }), 'invalid-challenge')
    for (const broadcast of pool) await broadcast()
    world.chains.onLine()
    assert.equal(world.paidBy(wallet), QUICK)
    assert.equal((await insist(send)).status, 200)
    assert.deepEqual([world.paidBy(wallet), world.runsOf('a')], [QUICK, 1])
  })
})

const lostAfter: Line = async ({ method }, ask) => {
  const answer = await ask()
  if (isBroadcast(method)) throw CUT
  return answer
}

const hangsAfter = (): Line => {
  let isSent = false
  return async ({ method }, ask) => {
    if (isSent) return forever()
    const answer = await ask()
    isSent = isBroadcast(method)
    return isSent ? forever() : answer
  }
}

/** A node that has a receipt for everything, and changes it. */
const lyingReceipt =
  (lie: object): Line =>
  async ({ method }, ask) => {
    const answer = await ask()
    const isReceipt = method === 'eth_getTransactionReceipt' || method === 'eth_sendRawTransactionSync'
    return isReceipt && answer !== null ? { ...(answer as object), ...lie } : answer
  }

describe('nodes that fail', () => {
  const down: [string, Line][] = [
    ['down', () => Promise.reject(CUT)],
    ['too slow', forever],
    ['of another chain', ({ method }, ask) => (method === 'eth_chainId' ? '0x1' : ask())],
    ['that say nonsense', () => 'nonsense'],
    ['that say nothing', () => null],
  ]
  for (const [what, line] of down) {
    test(`${what}: a payment that cannot be checked is not worked for, and stays good`, async (t) => {
      const world = await open(t, IMPATIENT)
      for (const [, payer] of CHAINS) {
        const { wallet, headers, send } = await world.pay(payer, PATH)
        world.chains.onLine(line)
        mustBeAsked(await send())
        assert.deepEqual([world.paidBy(wallet), world.runsOf('a')], [0n, 0])
        world.chains.onLine()
        // Who serves another chain is not asked again until the service starts anew.
        const { clock, ledger, chains } = world
        const restarted = await openShop({ urls: chains.urls, clock, ledger })
        t.after(restarted.stop)
        assert.equal((await restarted.get(PATH, headers)).status, 200)
        assert.equal(world.paidBy(wallet), QUICK)
      }
    })
  }

  for (const [name, payer] of CHAINS) {
    const lost: [string, Line][] = [
      ['a broadcast that got through, but whose answer was lost', lostAfter],
      ['a broadcast that never got through', ({ method }, ask) => (isBroadcast(method) ? thrown(CUT) : ask())],
      ['a node that hangs from the broadcast on', hangsAfter()],
      ['a receipt that says success, without the transfer in it', lyingReceipt({ logs: [] })],
      ['a receipt of another transaction', lyingReceipt({ transactionHash: `0x${'7'.repeat(64)}` })],
      ['a receipt that never comes', ({ method }, ask) => (method === 'eth_getTransactionReceipt' ? null : ask())],
    ]
    for (const [what, line] of lost) {
      test(`${name}, ${what}: the caller is asked to repeat, then served, and charged once`, async (t) => {
        const world = await open(t, IMPATIENT)
        const { wallet, headers, send } = await world.pay(payer, PATH)
        let checked = false
        // Only from the settlement on: the check before it is another story.
        world.shop.onWork(({ item, tier }) => {
          checked = true
          return { item, tier, serial: 1 }
        })
        world.chains.onLine((asked, ask) => (checked ? line(asked, ask) : ask()))
        const first = await send()
        // A lost answer can be made good at once; what is not known may not be given out.
        if (first.status !== 200) mustBeAsked(first)
        mustBeRefused(await world.get('/v1/goods/other', headers), 'invalid-challenge')
        world.chains.onLine()
        const second = await insist(send)
        assert.deepEqual([second.status, hasReceipt(second)], [200, true], second.text)
        assert.deepEqual([world.paidBy(wallet), world.runsOf('a'), world.runsOf('other')], [QUICK, 1, 0])
      })
    }

    test(`${name}: while the outcome is not known the goods are not given out, however often they are asked for`, async (t) => {
      const world = await open(t)
      const { wallet, headers } = await world.pay(payer, PATH)
      world.chains.onLine(async (asked, ask) => {
        if (!isBroadcast(asked.method)) return ask()
        await ask()
        world.chains.onLine(() => Promise.reject(CUT))
        throw CUT
      })
      for (let time = 0; time < 3; time++) mustBeAsked(await world.get(PATH, headers))
      assert.deepEqual([world.paidBy(wallet), world.runsOf('a')], [QUICK, 1])
      world.chains.onLine()
      assert.equal((await world.get(PATH, headers)).status, 200)
      assert.deepEqual([world.paidBy(wallet), world.runsOf('a')], [QUICK, 1])
    })

    test(`${name}: a payer who empties the wallet during the work gets nothing`, async (t) => {
      const world = await open(t)
      const { wallet, send } = await world.pay(payer, PATH)
      world.shop.onWork(async ({ item, tier }) => {
        await (name === 'x402' ? emptyOnBase : emptyOnTempo)(world.chains, wallet, world.clock)
        return { item, tier, serial: 1 }
      })
      const before = balanceOf(world, name)
      mustBeRefused(await send(), /insufficient|verification-failed/)
      assert.equal(balanceOf(world, name), before)
      mustBeRefused(await send(), /insufficient|verification-failed|invalid-challenge/)
    })

    test(`${name}: of two copies of a request at two instances with one ledger the slower one gets the answer, too`, async (t) => {
      const world = await open(t)
      const other = await openShop({ urls: world.chains.urls, clock: world.clock, ledger: world.ledger })
      t.after(other.stop)
      const { wallet, headers, send } = await world.pay(payer, PATH)
      const [held, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      world.chains.onLine(async (_asked, ask) => {
        reached.resolve()
        await held.promise
        return ask()
      })
      const slow = send()
      await reached.promise
      world.chains.onLine()
      const quick = await other.get(PATH, headers)
      held.resolve()
      const late = await slow
      assert.deepEqual([quick.status, late.status, late.text], [200, 200, quick.text])
      assert.deepEqual([world.paidBy(wallet), world.runsOf('a'), other.runs.length], [QUICK, 0, 1])
    })
  }
})

const balanceOf = ({ chains: { base, tempo } }: PaidWorld, name: string) =>
  (name === 'x402' ? base : tempo).balanceOf(PAY_TO)
