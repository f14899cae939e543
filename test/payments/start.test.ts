import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test, type TestContext } from 'node:test'
import { ConfigError, loadConfig } from '../../src/app/settings/config.ts'
import { startService } from '../../src/app/service.ts'
import { openPayments } from '../../src/app/wiring/payments.ts'
import { route } from '../../src/kernel/endpoint.ts'
import { secureRandom } from '../../src/kernel/random.ts'
import { paidEcho } from '../../src/payments/contract.ts'
import { startDoor } from '../support/door.ts'
import { openapiDocument } from '../../src/surfaces/openapi/document.ts'
import { ALONE, quiet } from '../support/simulated-payments.ts'
import { startLivePayments } from '../support/live-payments.ts'
import { fundedWallet, newWallet, payMpp, payX402 } from '../support/paid-wallets.ts'

const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7'
const PATH = '/v1/sandbox/echo?say=hi'

const newFolder = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-start-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

suite('a service that cannot take money yet', () => {
  test('starts and answers where it is free while every node is down; where it is paid it says why', async (t) => {
    const config = loadConfig({
      ...ALONE,
      ONOMA_DATA_DIR: newFolder(t),
      ONOMA_PAY_TO: RECIPIENT,
      ONOMA_X402_RPC_URLS: 'https://base.invalid/secret-of-the-node',
      ONOMA_X402_SETTLEMENT_KEY: newWallet().key,
      ONOMA_MPP_RPC_URLS: 'https://tempo.invalid/secret-of-the-node',
    })
    const service = await startService(config, { log: quiet })
    try {
      assert.equal((await fetch(`${service.url}/health`)).status, 200)
      const paid = await fetch(`${service.url}/v1/valuation/example.com`)
      const { error, message } = (await paid.json()) as { error: string; message: string }
      assert.equal(paid.status, 503, message)
      assert.equal(error, 'service_unavailable')
      assert.match(message, /x402: .*Base node cannot be checked/)
      assert.match(message, /MPP: .*Tempo node cannot be used/)
      assert.doesNotMatch(message, /secret-of-the-node/)
      assert.match(paid.headers.get('retry-after')!, /^\d+$/)
      assert.equal(paid.headers.get('payment-required'), null)
      // Parameters are checked before payments are.
      assert.equal((await fetch(`${service.url}/v1/valuation/-`)).status, 400)
    } finally {
      await service.stop({ lingerMs: 0, graceMs: 0 })
    }
  })

  test('starts although a node never answers: a paid request waits for the first check, but not for long', async (t) => {
    const shop = await startLivePayments(t, { folder: newFolder(t), schemes: ['x402'] })
    const asked = Promise.withResolvers<void>()
    shop.onLine(() => {
      asked.resolve()
      return new Promise(() => {})
    })
    // Waits of a second and more end only with `passTime`.
    await shop.open()
    await asked.promise
    assert.equal((await shop.get('/v1/sandbox/nothing')).status, 404)
    const paid = shop.get(PATH)
    shop.passTime()
    const { status, headers, text } = await paid
    assert.equal(status, 503, text)
    assert.match(text, /(x402|Payment ledger): It is still being checked\./)
    assert.equal(headers.get('retry-after'), '1')
    assert.equal((await shop.get(PATH)).status, 503)
  })

  test('does not start with a wrong setting', async (t) => {
    const config = loadConfig({
      ...ALONE,
      ONOMA_DATA_DIR: newFolder(t),
      ONOMA_PAY_TO: RECIPIENT,
      ONOMA_X402_RPC_URLS: 'http://base.invalid',
      ONOMA_X402_SETTLEMENT_KEY: newWallet().key,
    })
    await assert.rejects(startService(config, { log: quiet }), (error) => {
      assert.ok(error instanceof ConfigError)
      assert.match(error.message, /must begin with https/)
      return true
    })
  })

  test('offers the scheme that is ready, and the other as soon as it is', async (t) => {
    const shop = await startLivePayments(t, { folder: newFolder(t) })
    shop.onLine(({ chain }, ask) => (chain === 'tempo' ? shop.cut() : ask()))
    await shop.open()
    const first = await shop.get(PATH)
    assert.equal(first.status, 402)
    assert.ok(first.headers.has('payment-required'))
    assert.equal(first.headers.get('www-authenticate'), null)
    assert.doesNotMatch(first.text, /MPP/)
    const paid = await shop.get(PATH, await payX402(first, fundedWallet(shop.chains), shop.clock))
    assert.equal(paid.status, 200, paid.text)
    shop.onLine()
    shop.passTime()
    const both = async () => {
      const offered = await shop.get(PATH)
      return offered.headers.has('www-authenticate') ? offered : undefined
    }
    const second = await shop.until(both)
    assert.ok(second.headers.has('payment-required'))
    const byMpp = await shop.get(PATH, await payMpp(second, fundedWallet(shop.chains), shop.clock))
    assert.equal(byMpp.status, 200, byMpp.text)
  })

  const DOWN = Symbol('the connection breaks')
  for (const [what, scheme, bad, value, reason] of [
    ['the Base node is down', 'x402', /./, DOWN, /x402: .*Base node cannot be checked/],
    ['the Tempo node is down', 'mpp', /./, DOWN, /MPP: .*Tempo node cannot be used/],
    ['the key has no gas', 'x402', /^eth_getBalance$/, '0x0', /x402: The settlement key has 0 wei/],
    ['the Base node serves another chain', 'x402', /^eth_chainId$/, '0x1', /x402: .*serves chain 1/],
    ['the Tempo node serves another chain', 'mpp', /^eth_chainId$/, '0x1', /MPP: .*another chain/],
  ] as const) {
    test(`${what}: paid endpoints are 503 with that reason, and come back by themselves`, async (t) => {
      const shop = await startLivePayments(t, { folder: newFolder(t), schemes: [scheme] })
      shop.onLine(({ method }, ask) => (!bad.test(method) ? ask() : value === DOWN ? shop.cut() : value))
      await shop.open()
      const refused = await shop.get(PATH)
      assert.equal(refused.status, 503, refused.text)
      assert.match((refused.body as { message: string }).message, reason)
      assert.equal(refused.headers.get('retry-after'), '10')
      shop.passTime()
      assert.equal((await shop.get(PATH)).status, 503)
      shop.onLine()
      shop.passTime()
      const offered = await shop.until(() => shop.offer(PATH))
      const pay = scheme === 'x402' ? payX402 : payMpp
      const paid = await shop.get(PATH, await pay(offered, fundedWallet(shop.chains), shop.clock))
      assert.equal(paid.status, 200, paid.text)
    })
  }

  test('a recipient that belongs to another ledger takes no money, until its ledger is back', async (t) => {
    const folder = newFolder(t)
    const file = join(folder, 'payments.sqlite')
    const first = await startLivePayments(t, { folder })
    await first.open()
    await first.until(() => first.offer(PATH))
    await first.close()
    renameSync(file, `${file}.away`)
    const shop = await startLivePayments(t, { folder, like: first })
    await shop.open()
    const refused = await shop.get(PATH)
    assert.equal(refused.status, 503, refused.text)
    assert.match((refused.body as { message: string }).message, /Payment ledger/)
    await shop.close()
    renameSync(`${file}.away`, file)
    const again = await startLivePayments(t, { folder, like: first })
    await again.open()
    const paid = await again.get(PATH, await payX402(await again.get(PATH), fundedWallet(first.chains), first.clock))
    assert.equal(paid.status, 200, paid.text)
  })

  test('over plain HTTP only x402 is offered: somebody on the way could change a challenge', async (t) => {
    const { config, outbound, clock, metrics } = await startLivePayments(t, { folder: newFolder(t) })
    const warnings: string[] = []
    const log = { ...quiet, warn: (_facts: object, sentence: string) => void warnings.push(sentence) }
    const payments = await openPayments({ config, outbound, clock, metrics, random: secureRandom, log })
    const checkout = payments.checkout('http://names.example')!
    const door = await startDoor([route(paidEcho, () => ({ said: 'hi', at: '2026-11-15T12:00:00.000Z' }))], {
      checkout,
    })
    t.after(async () => {
      await door.stop()
      await payments.close()
    })
    const offered = await door.get(PATH)
    assert.deepEqual([offered.status, offered.headers.has('payment-required')], [402, true])
    assert.equal(offered.headers.get('www-authenticate'), null)
    assert.match(warnings.join('\n'), /MPP is not offered over plain HTTP/)
  })

  test('a damaged ledger is left unchanged, and is used once it is restored', async (t) => {
    const folder = newFolder(t)
    const file = join(folder, 'payments.sqlite')
    writeFileSync(file, 'damaged')
    const shop = await startLivePayments(t, { folder })
    await shop.open()
    const refused = await shop.get(PATH)
    assert.equal(refused.status, 503)
    assert.match((refused.body as { message: string }).message, /ledger/)
    assert.ok(!refused.text.includes(folder), 'the path is for the log only')
    assert.equal(readFileSync(file, 'utf8'), 'damaged')
    renameSync(file, `${file}.away`)
    shop.passTime()
    const offered = await shop.until(() => shop.offer(PATH))
    const paid = await shop.get(PATH, await payX402(offered, fundedWallet(shop.chains), shop.clock))
    assert.equal(paid.status, 200, paid.text)
  })

  test('a ledger that another process has locked is used once it is free', async (t) => {
    const folder = newFolder(t)
    const first = await startLivePayments(t, { folder, schemes: ['x402'] })
    await first.open()
    await first.until(() => first.offer(PATH))
    await first.close()
    const holder = new DatabaseSync(join(folder, 'payments.sqlite'))
    t.after(() => holder.isOpen && holder.close())
    holder.exec('BEGIN IMMEDIATE')
    const shop = await startLivePayments(t, { folder, schemes: ['x402'] })
    await shop.open()
    const refused = await shop.get(PATH)
    assert.equal(refused.status, 503)
    assert.match((refused.body as { message: string }).message, /Payment ledger: It cannot be used/)
    holder.exec('ROLLBACK')
    holder.close()
    await shop.until(() => shop.offer(PATH))
  })

  test('what was bought before is delivered again while the node is down, and never answered with 402', async (t) => {
    const folder = newFolder(t)
    const before = await startLivePayments(t, { folder })
    await before.open()
    const wallet = fundedWallet(before.chains)
    const headers = await payX402(await before.get(PATH), wallet, before.clock)
    const other = await payX402(await before.get(PATH), wallet, before.clock)
    const token = { 'payment-token': 'a'.repeat(43) }
    const bought = await before.get(PATH, { ...headers, ...token })
    assert.equal(bought.status, 200)
    await before.close()

    const again = await startLivePayments(t, { folder, like: before })
    again.onLine(({ chain }, ask) => (chain === 'base' ? again.cut() : ask()))
    await again.open()
    const repeated = await again.get(PATH, { ...headers, ...token })
    assert.deepEqual([repeated.status, repeated.text], [200, bought.text])
    // A 402 would make the client sign and pay again, although this one can still be taken.
    const waiting = await again.get(PATH, other)
    assert.equal(waiting.status, 503)
    assert.match((waiting.body as { message: string }).message, /x402/)
  })
})

test('the OpenAPI document lists MPP only where it is offered', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-start-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const shop = await startLivePayments(t, { folder })
  await shop.open()
  const routes = [route(paidEcho, ({ say }) => ({ said: say, at: '2026-11-15T12:00:00.000Z' }))]
  for (const [publicUrl, methods] of [
    ['https://shop.example', ['x402', 'tempo']],
    ['http://127.0.0.1:8080', ['x402', 'tempo']],
    ['http://shop.example', ['x402']],
  ] as const) {
    const waysToPay = shop.waysToPay(publicUrl)
    assert.deepEqual(
      waysToPay.map(({ method }) => method),
      methods,
    )
    const text = JSON.stringify(openapiDocument(routes, { version: '1', publicUrl, waysToPay }))
    assert.equal(text.includes('"mpp":[]'), methods.length === 2)
    assert.equal(text.includes('"method":"tempo"'), methods.length === 2)
    assert.ok(text.includes('"method":"x402"'))
  }
})

test('how long an expiring MPP transaction may be valid is a setting', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-start-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const shop = await startLivePayments(t, { folder, schemes: ['mpp'], env: { ONOMA_MPP_MAX_VALIDITY_SECONDS: '10' } })
  await shop.open()
  const reply = await shop.get(PATH, await payMpp(await shop.get(PATH), fundedWallet(shop.chains), shop.clock))
  assert.equal(reply.status, 402)
  assert.match(reply.text, /must end within 10 seconds/)
})
