import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test, type TestContext } from 'node:test'
import { dispatch } from '../../src/app/cli.ts'
import { bearer, newPaymentToken } from '../support/credit-shop.ts'
import { type LivePayments, startLivePayments } from '../support/live-payments.ts'
import { fundedWallet, payMpp, payX402, type Payer } from '../support/paid-wallets.ts'

const PATH = '/v1/sandbox/echo?say=hi'
const PAY_TO = '0x52908400098527886E0F7030069857D2E4169EE7'
const [OLD_KEY, NEW_KEY] = [
  'the old secret of this service that is long enough',
  'the new secret of this service that is long enough',
]

async function start(t: TestContext, keys?: string): Promise<LivePayments & { folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-credit-'))
  const shop = await startLivePayments(t, { folder, ...(keys !== undefined && { keys }) })
  t.after(() => rmSync(folder, { recursive: true }))
  await shop.open()
  return { ...shop, folder }
}

async function buy(shop: LivePayments, amount: number, payer: Payer) {
  const wallet = fundedWallet(shop.chains, BigInt(amount) * 1_000_000n)
  const payment = await payer(await shop.post('/v1/credit', { amount }), wallet, shop.clock)
  const headers = { ...payment, 'payment-token': newPaymentToken() }
  const reply = await shop.post('/v1/credit', { amount }, headers)
  assert.equal(reply.status, 200, reply.text)
  return { headers, text: reply.text, token: (reply.body as { token: string }).token }
}

/** A draw is confirmed after its answer was delivered. */
const untilConfirmed = (shop: LivePayments, token: string) =>
  shop.until(async () => {
    const { body } = await shop.get('/v1/credit', bearer(token))
    return (body as { reserved: string }).reserved === '0.00' ? true : undefined
  })

async function report(folder: string, ...options: string[]) {
  const written = { stdout: '', stderr: '' }
  const to = (name: keyof typeof written) => ({ write: (text: string) => void (written[name] += text) })
  const io = { stdout: to('stdout'), stderr: to('stderr'), signal: new AbortController().signal }
  const code = await dispatch(['payments', 'report', ...options], { ...io, env: { ONOMA_DATA_DIR: folder } })
  assert.equal(code, 0, written.stderr)
  return written
}

suite('credit in live mode', () => {
  test('the report lists purchases and draws, and the settled lines still add up to the chains', async (t) => {
    const shop = await start(t)
    const { token } = await buy(shop, 2, payX402)
    await buy(shop, 3, payMpp)
    for (let at = 0; at < 3; at++) assert.equal((await shop.get(PATH, bearer(token))).status, 200)
    await untilConfirmed(shop, token)
    const { stdout, stderr } = await report(shop.folder, '--csv')
    const rows = stdout
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(','))
    assert.deepEqual(
      rows.map(([, endpoint, rail, amount, , , state]) => [endpoint, rail, amount, state]),
      [
        ['buyCredit', 'x402', '2.00', 'settled'],
        ['buyCredit', 'mpp', '3.00', 'settled'],
        ...Array.from({ length: 3 }, () => ['paidEcho', 'credit', '0.05', 'drawn']),
      ],
    )
    assert.equal(shop.chains.base.balanceOf(PAY_TO) + shop.chains.tempo.balanceOf(PAY_TO), 5_000_000n)
    assert.match(stderr, /^2 payments settled, \$5\.00\./)
    assert.match(stderr, /^Credit: \$5\.00 of this bought it, \$0\.15 was drawn\. \$4\.85 is not spent now\.$/m)
    assert.ok(!stdout.includes('onoma_credit_'))
    assert.match((await report(shop.folder)).stdout, /credit\s+paidEcho\s+drawn\s+3\s+0\.15/)
    assert.match(
      (await report(shop.folder, '--from', '2030-01-01')).stderr,
      /^Credit: \$0\.00 .*\$4\.85 is not spent now\.$/m,
    )
  })

  test('a payment that the chain dropped is reported as lost, and not as settled', async (t) => {
    const shop = await start(t)
    await buy(shop, 2, payX402)
    await shop.close()
    const db = new DatabaseSync(join(shop.folder, 'payments.sqlite'))
    db.exec('UPDATE payments SET lost_at = 1')
    db.close()
    const { stdout, stderr } = await report(shop.folder, '--csv')
    assert.match(stdout, /,lost\r\n$/)
    assert.match(stderr, /^0 payments settled, \$0\.00\./)
  })

  test('metrics count draws by endpoint, and show what is owed', async (t) => {
    const shop = await start(t)
    const { token } = await buy(shop, 2, payX402)
    for (let at = 0; at < 2; at++) await shop.get(PATH, bearer(token))
    await shop.get(PATH, { ...bearer(token), 'idempotency-key': 'k' })
    await shop.get(PATH, { ...bearer(token), 'idempotency-key': 'k' })
    await untilConfirmed(shop, token)
    const text = await shop.metrics.text()
    assert.match(text, /^onoma_payments_sold_total\{endpoint="buyCredit",rail="x402"\} 1$/m)
    assert.match(text, /^onoma_payments_revenue_usd_total\{endpoint="buyCredit",rail="x402"\} 2$/m)
    assert.match(text, /^onoma_payments_drawn_total\{endpoint="paidEcho"\} 3$/m)
    assert.match(text, /^onoma_payments_drawn_usd_total\{endpoint="paidEcho"\} 0\.15/m)
    assert.match(text, /^onoma_payments_credit_outstanding_usd 1\.85$/m)
    assert.match(text, /^onoma_payments_in_flight 0$/m)
    assert.ok(!text.includes(token))
  })

  test('survives a restart, and a new key: the token still works and is given out again while the old key is known', async (t) => {
    const before = await start(t, OLD_KEY)
    const bought = await buy(before, 2, payX402)
    assert.equal((await before.get(PATH, bearer(bought.token))).status, 200)
    await before.close()
    for (const keys of [`${NEW_KEY},${OLD_KEY}`, NEW_KEY]) {
      const shop = await startLivePayments(t, { folder: before.folder, like: before, keys })
      await shop.open()
      const { status, headers } = await shop.get(PATH, bearer(bought.token))
      assert.equal(status, 200)
      assert.equal(headers.get('credit-balance'), keys === NEW_KEY ? '1.85' : '1.90')
      const again = await shop.post('/v1/credit', { amount: 2 }, bought.headers)
      if (keys === NEW_KEY) assert.deepEqual([again.status, again.text.includes('onoma_credit_')], [503, false])
      else assert.deepEqual([again.status, again.text], [200, bought.text])
      await shop.close()
    }
  })

  test('pays for requests while both nodes are down, and nothing else does', async (t) => {
    const shop = await start(t)
    const { token } = await buy(shop, 1, payMpp)
    shop.onLine(() => shop.cut())
    assert.equal((await shop.get(PATH, bearer(token))).status, 200)
  })

  test('while the ledger cannot be used, credit is 503 with the reason', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'onoma-test-credit-'))
    const shop = await startLivePayments(t, { folder })
    t.after(() => rmSync(folder, { recursive: true }))
    const holder = new DatabaseSync(join(folder, 'payments.sqlite'))
    // Not a ledger: a file of another program.
    holder.exec('CREATE TABLE other (id)')
    holder.close()
    await shop.open()
    const token = bearer(`onoma_credit_${'A'.repeat(43)}`)
    for (const reply of [
      await shop.get('/v1/credit', token),
      await shop.get(PATH, token),
      await shop.post('/v1/credit', { amount: 1 }),
    ]) {
      assert.equal(reply.status, 503)
      assert.match((reply.body as { message: string }).message, /Payment ledger: It cannot be used\./)
      assert.ok(reply.headers.has('retry-after'))
    }
  })

  test('a lock of another process is waited for, and never more is drawn than paid', async (t) => {
    const shop = await start(t)
    const { token } = await buy(shop, 1, payMpp)
    const holder = new DatabaseSync(join(shop.folder, 'payments.sqlite'))
    holder.exec('BEGIN IMMEDIATE')
    const waiting = Promise.all(Array.from({ length: 30 }, () => shop.get(PATH, bearer(token))))
    for (let look = 0; look < 5; look++) assert.equal((await shop.get('/v1/credit', bearer(token))).status, 200)
    holder.exec('ROLLBACK')
    holder.close()
    const statuses = (await waiting).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 200).length, 20)
    assert.equal(statuses.filter((status) => status === 402).length, 10)
  })

  test('no token is logged, at any level', async (t) => {
    const shop = await start(t)
    const { token } = await buy(shop, 1, payX402)
    await shop.get(PATH, bearer(token))
    await shop.get(PATH, bearer(`${token.slice(0, -2)}AA`))
    assert.ok(![...shop.lines, ...shop.doorLines()].some((line) => line.includes('onoma_credit_')))
  })
})
