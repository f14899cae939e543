import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { parse } from 'yaml'
import { type LivePayments, startLivePayments } from '../support/live-payments.ts'
import { fundedWallet, newWallet, payMpp, payX402 } from '../support/paid-wallets.ts'

const PATH = '/v1/sandbox/echo?say=hi'
const ALERTS = new URL('../../deploy/alerts/payments.yml', import.meta.url)

async function start(t: TestContext): Promise<LivePayments> {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-metrics-'))
  const shop = await startLivePayments(t, { folder })
  t.after(() => rmSync(folder, { recursive: true }))
  await shop.open()
  return shop
}

/** The samples of our own metrics about payments, by name and labels. */
async function samples({ metrics }: LivePayments): Promise<Map<string, number>> {
  const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith('onoma_payments_'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

suite('metrics of payments', () => {
  test('count what is sold and earned by endpoint and rail, and what gas costs', async (t) => {
    const shop = await start(t)
    const wallet = fundedWallet(shop.chains)
    const payment = await payX402(await shop.get(PATH), wallet, shop.clock)
    const byX402 = { ...payment, 'payment-token': 'a'.repeat(43) }
    const byMpp = await payMpp(await shop.get(PATH), wallet, shop.clock)
    // Repeated: delivered again, and counted once.
    for (const headers of [byX402, byX402, byMpp]) assert.equal((await shop.get(PATH, headers)).status, 200)
    const found = await samples(shop)
    for (const rail of ['x402', 'mpp']) {
      assert.equal(found.get(`onoma_payments_sold_total{endpoint="paidEcho",rail="${rail}"}`), 1)
      assert.equal(found.get(`onoma_payments_revenue_usd_total{endpoint="paidEcho",rail="${rail}"}`), 0.05)
    }
    const receipts = shop.chains.asked.filter(({ chain }) => chain === 'base')
    assert.ok(receipts.some(({ method }) => method === 'eth_getTransactionReceipt'))
    const spent = found.get('onoma_payments_gas_ether_total')!
    assert.ok(spent > 0)
    shop.passTime()
    const left = await shop.until(async () => {
      const now = (await samples(shop)).get('onoma_payments_settlement_key_ether')!
      return now < found.get('onoma_payments_settlement_key_ether')! ? now : undefined
    })
    // What the meter counted is what the key has lost.
    assert.ok(Math.abs(found.get('onoma_payments_settlement_key_ether')! - left - spent) < 1e-9)
    assert.equal(found.get('onoma_payments_in_flight'), 0)
    assert.equal(found.get('onoma_payments_unsettled'), 0)
    assert.equal(found.get('onoma_payments_oldest_unsettled_seconds'), 0)
    for (const part of ['ledger', 'x402', 'mpp']) assert.equal(found.get(`onoma_payments_ready{part="${part}"}`), 1)
  })

  test('count refused payments by reason, and never name a payer', async (t) => {
    const shop = await start(t)
    const poor = newWallet()
    const headers = await payX402(await shop.get(PATH), poor, shop.clock)
    assert.equal((await shop.get(PATH, headers)).status, 402)
    assert.equal((await shop.get(PATH, { 'payment-signature': 'e30=' })).status >= 400, true)
    const rich = fundedWallet(shop.chains)
    assert.equal((await shop.get(PATH, await payX402(await shop.get(PATH), rich, shop.clock))).status, 200)
    const text = await shop.metrics.text()
    assert.match(text, /^onoma_payments_refused_total\{reason="payment-insufficient"\} 1$/m)
    for (const { address } of [poor, rich]) assert.ok(!text.toLowerCase().includes(address.slice(2).toLowerCase()))
  })

  test('show a payment whose outcome is open, its age, and that it was sold once it is found', async (t) => {
    const shop = await start(t)
    const headers = await payX402(await shop.get(PATH), fundedWallet(shop.chains), shop.clock)
    // The transaction is mined, and the answer to it is lost.
    let inFlight: number | undefined
    shop.onLine(async ({ method }, ask) => {
      if (inFlight !== undefined) return shop.cut()
      const told = await ask()
      if (method !== 'eth_sendRawTransaction') return told
      inFlight = (await samples(shop)).get('onoma_payments_in_flight')
      return shop.cut()
    })
    assert.equal((await shop.get(PATH, headers)).status, 503)
    assert.equal(inFlight, 1)
    shop.clock.advance(120_000)
    const open = await samples(shop)
    assert.equal(open.get('onoma_payments_unsettled'), 1)
    assert.equal(open.get('onoma_payments_oldest_unsettled_seconds'), 120)
    assert.equal(open.get('onoma_payments_in_flight'), 0)
    shop.onLine()
    const sold = () =>
      samples(shop).then((now) => now.get('onoma_payments_sold_total{endpoint="paidEcho",rail="x402"}'))
    assert.equal(await shop.until(sold), 1)
    assert.equal((await samples(shop)).get('onoma_payments_unsettled'), 0)
  })

  test('are those that the alert rules use', async (t) => {
    const shop = await start(t)
    const { groups } = parse(readFileSync(ALERTS, 'utf8')) as {
      groups: { name: string; rules: { alert: string; expr: string; for: string; annotations: object }[] }[]
    }
    const served = new Set([...(await shop.metrics.text()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))
    const rules = groups.flatMap((group) => group.rules)
    assert.ok(rules.length >= 5)
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
    for (const { alert, expr, annotations, for: duration } of rules) {
      const names = expr.match(/onoma_\w+/g) ?? []
      assert.ok(names.length > 0, alert)
      for (const name of names) assert.ok(served.has(name), `${alert} uses ${name}, which is not served`)
      assert.match(duration, /^\d+m$/)
      assert.deepEqual(Object.keys(annotations), ['summary', 'action'])
    }
  })
})
