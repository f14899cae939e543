import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../../src/kernel/clock.ts'
import { memoryLedger } from '../../src/payments/sources/memory-ledger.ts'
import { bearer } from '../support/credit-shop.ts'
import { startPaidChains } from '../support/paid-chains.ts'
import { ask, openShop } from '../support/paid-shop.ts'
import { fundedWallet, payMpp } from '../support/paid-wallets.ts'

const QUOTA = 5

test('requests paid with credit do not count against the rate limit; guessed tokens do, and above it they are 429', async (t) => {
  const clock = manualClock(Date.UTC(2026, 10, 15, 12))
  const chains = await startPaidChains(clock)
  const ledger = memoryLedger({ clock })
  const shop = await openShop({ urls: chains.urls, ledger, credits: ledger.credits, clock, rateLimit: QUOTA })
  t.after(async () => {
    await shop.stop()
    await chains.stop()
  })
  const post = (headers: Record<string, string> = {}) =>
    ask(
      `${shop.url}/v1/credit`,
      { 'content-type': 'application/json', ...headers },
      { method: 'POST', body: '{"amount":1}' },
    )
  const wallet = fundedWallet(chains, 1_000_000n)
  const { body } = await post(await payMpp(await post(), wallet, clock))
  const token = bearer((body as { token: string }).token)
  for (let at = 0; at < 3 * QUOTA; at++) {
    const reply = await shop.get(`/v1/goods/${at}`, token)
    assert.equal(reply.status, 200)
    // The invitation to pay was counted, and nothing else.
    assert.match(reply.headers.get('ratelimit')!, new RegExp(`;r=${QUOTA - 1};`))
  }
  const guess = bearer(`onoma_credit_${'g'.repeat(43)}`)
  for (let at = 0; at < QUOTA - 1; at++) assert.equal((await shop.get('/v1/goods/g', guess)).status, 401)
  for (let at = 0; at < 2 * QUOTA; at++) assert.equal((await shop.get('/v1/goods/g', guess)).status, 429)
  // Guesses have used up the separate limit of this address as well; a minute later both are free again.
  clock.advance(61_000)
  for (let at = 0; at < QUOTA; at++) assert.equal((await shop.get(`/v1/goods/u${at}`)).status, 402)
  assert.equal((await shop.get('/v1/goods/u')).status, 429)
  for (let at = 0; at < 2 * QUOTA; at++) assert.equal((await shop.get(`/v1/goods/p${at}`, token)).status, 200)
})
