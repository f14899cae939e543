import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { Receipt } from 'mppx'
import { Mppx, tempo } from 'mppx/client'
import { validate } from 'mppx/discovery'
import { createClient, http } from 'viem'
import { tempo as tempoChain } from 'viem/tempo/chains'
import { payByMpp } from '../../examples/pay-mpp.ts'
import { payByX402 } from '../../examples/pay-x402.ts'
import { type SimulatedPayments, startSimulatedPayments } from '../support/simulated-payments.ts'
import { payByX402V1 } from '../support/x402-v1-client.ts'

const PRICE = 50_000n
const RECEIPTS = ['payment-response', 'x-payment-response', 'payment-receipt']
/** Headers a payment travels in; what is sent under one of them is kept, to be sent again. */
const PAYMENTS = ['payment-signature', 'x-payment', 'authorization']
const POOR_KEY = `0x${'42'.repeat(32)}` as const

suite('real clients of both protocols pay one and the same service', () => {
  let shop: SimulatedPayments
  before(async () => {
    shop = await startSimulatedPayments()
  })
  after(() => shop.stop())

  /** A fetch that remembers the payment it was given. */
  function remembering() {
    const sent: Record<string, string>[] = []
    const remember: typeof fetch = (input, init) => {
      const { headers } = new Request(input, init)
      const payment = PAYMENTS.filter((name) => headers.has(name)).map((name) => [name, headers.get(name)!])
      if (payment.length > 0) sent.push(Object.fromEntries(payment))
      return fetch(input, init)
    }
    return { sent, fetch: remember }
  }

  const x402 = (wrapped: typeof fetch) =>
    wrapFetchWithPayment(wrapped, new x402Client().register('eip155:8453', new ExactEvmScheme(shop.account)))

  const mpp = (wrapped: typeof fetch) => {
    const getClient = () => createClient({ chain: tempoChain, transport: http(shop.tempoUrl) })
    const methods = [tempo({ account: shop.account, getClient })] as const
    return Mppx.create({ polyfill: false, fetch: wrapped, methods }).fetch
  }

  const payWith = {
    'x402 v2 (@x402/fetch)': async (url: string) => {
      const { sent, fetch } = remembering()
      const response = await x402(fetch)(url)
      const receipt = decodePaymentResponseHeader(response.headers.get('payment-response')!)
      assert.equal(receipt.success, true)
      assert.equal(receipt.network, 'eip155:8453')
      assert.equal(receipt.payer?.toLowerCase(), shop.wallet.address.toLowerCase())
      return { response, sent, transaction: receipt.transaction, chain: 'x402' as const, name: 'payment-response' }
    },
    'x402 v1 (ours, from the specification)': async (url: string) => {
      const { response, payment, receipt, requirements } = await payByX402V1(url, shop.account)
      assert.equal(requirements.maxAmountRequired, String(PRICE))
      assert.equal(requirements.resource, url)
      assert.ok(receipt)
      const { success, network, payer, transaction } = receipt
      assert.deepEqual([success, network, payer.toLowerCase()], [true, 'base', shop.wallet.address.toLowerCase()])
      const sent = [{ 'x-payment': payment }]
      return { response, sent, transaction, chain: 'x402' as const, name: 'x-payment-response' }
    },
    'MPP (mppx)': async (url: string) => {
      const { sent, fetch } = remembering()
      const response = await mpp(fetch)(url)
      const { status, method, reference } = Receipt.fromResponse(response)
      assert.deepEqual([status, method], ['success', 'tempo'])
      return { response, sent, transaction: reference, chain: 'mpp' as const, name: 'payment-receipt' }
    },
  }

  for (const [client, buy] of Object.entries(payWith)) {
    test(`${client}: pays once, gets the answer and a receipt, and the books say so`, async () => {
      const before = { x402: await shop.balance('x402'), mpp: await shop.balance('mpp') }
      const { response, transaction, chain, name } = await buy(shop.echo(client))
      assert.equal(response.status, 200)
      assert.equal(((await response.json()) as { said: string }).said, client)
      assert.equal(response.headers.get('x-payments-mode'), 'simulated')
      assert.equal(response.headers.get('cache-control'), 'private')
      assert.deepEqual(
        RECEIPTS.filter((receipt) => response.headers.has(receipt)),
        [name],
      )

      const other = chain === 'x402' ? 'mpp' : 'x402'
      assert.equal(before[chain] - (await shop.balance(chain)), PRICE)
      assert.equal(await shop.balance(other), before[other])

      const [latest] = await shop.ledger()
      assert.equal(latest!.transaction, transaction)
      assert.deepEqual(
        [latest!.scheme, latest!.endpoint, latest!.usd, latest!.state],
        [chain, 'paidEcho', '0.05', 'settled'],
      )
      assert.equal(latest!.payer.toLowerCase(), shop.wallet.address.toLowerCase())
    })

    test(`${client}: the same payment again gives the same answer, and costs nothing`, async () => {
      const url = shop.echo(`${client} again`)
      const { response, sent, chain, name } = await buy(url)
      const first = await response.text()
      const [balance, entries] = [await shop.balance(chain), (await shop.ledger()).length]
      assert.equal(sent.length, 1)
      const token = { 'payment-token': response.headers.get('payment-token')! }
      const answers = await Promise.all([1, 2, 3].map(() => fetch(url, { headers: { ...sent[0]!, ...token } })))
      for (const again of answers) {
        assert.equal(again.status, 200)
        assert.equal(await again.text(), first)
        assert.equal(again.headers.get(name), response.headers.get(name))
        assert.equal(again.headers.get('x-payments-mode'), 'simulated')
      }
      assert.equal(await shop.balance(chain), balance)
      assert.equal((await shop.ledger()).length, entries)
    })

    test(`${client}: a payment that has bought one answer does not buy another`, async () => {
      const { response, sent, chain } = await buy(shop.echo(`${client} one`))
      await response.body?.cancel()
      const balance = await shop.balance(chain)
      const refused = await fetch(shop.echo(`${client} two`), { headers: sent[0]! })
      assert.equal(refused.status, 402)
      isInvitation(refused)
      assert.equal(await shop.balance(chain), balance)
    })
  }

  /** A 402 for all clients, without a receipt. */
  function isInvitation({ headers }: Response): void {
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('x-payments-mode'), 'simulated')
    assert.match(headers.get('www-authenticate')!, /^Payment /)
    for (const name of ['payment-required', 'x-payment-requirements']) assert.ok(headers.get(name), name)
    for (const name of RECEIPTS) assert.equal(headers.get(name), null)
  }

  test('who does not pay gets one 402 that all three understand, and no receipt', async () => {
    const response = await fetch(shop.echo('hello'))
    assert.equal(response.status, 402)
    isInvitation(response)
    const body = (await response.json()) as Record<string, unknown>
    assert.equal(body['error'], 'payment_required')
    assert.equal(body['x402Version'], 1)
    assert.equal(body['status'], 402)
    assert.match(String(body['message']), /\$0\.05/)
  })

  test('a wallet without money pays nothing, and gets neither answer nor receipt', async () => {
    const told: string[] = []
    const url = shop.echo('poor')
    await assert.rejects(
      payByX402({ url, key: POOR_KEY, print: (line) => void told.push(line) }),
      /402: The account has less USDC than the price/,
    )
    assert.match(told.join('\n'), /the price is \$0\.05/)
    assert.doesNotMatch(told.join('\n'), /receipt|answer/)
    await assert.rejects(payByMpp({ url, key: POOR_KEY, rpc: shop.tempoUrl, print() {} }), /InsufficientBalance/)
  })

  test('an invalid request is rejected without a charge, for every client', async () => {
    const [base, tempo] = [await shop.balance('x402'), await shop.balance('mpp')]
    const url = shop.echo('x'.repeat(201))
    for (const pay of [x402(fetch), mpp(fetch), fetch]) {
      const response = await pay(url)
      assert.equal(response.status, 400)
      assert.equal(response.headers.get('x-payments-mode'), 'simulated')
      await response.body?.cancel()
      for (const name of RECEIPTS) assert.equal(response.headers.get(name), null)
    }
    assert.deepEqual([await shop.balance('x402'), await shop.balance('mpp')], [base, tempo])
  })

  for (const [name, example] of Object.entries({ payByX402, payByMpp })) {
    test(`the example ${name} shows price and receipt, and needs nothing but the address`, async () => {
      const told: string[] = []
      const answer = await example({
        url: shop.echo(name),
        key: shop.wallet.privateKey,
        print: (line) => void told.push(line),
      })
      assert.equal((answer as { said: string }).said, name)
      const [latest] = await shop.ledger()
      const [price, wallet, receipt] = told
      assert.match(price!, /^402: the price is \$0\.05, payable to 0x[0-9a-fA-F]{40}$/)
      assert.equal(wallet, `signing with ${shop.wallet.address}`)
      assert.ok(receipt!.includes(latest!.transaction!))
    })
  }

  test('the examples run as they stand, and say when something is free', async () => {
    const run = promisify(execFile)
    for (const file of ['pay-x402.ts', 'pay-mpp.ts']) {
      const example = fileURLToPath(new URL(`../../examples/${file}`, import.meta.url))
      const env = { PATH: process.env['PATH'] }
      const { stdout } = await run(process.execPath, [example, shop.echo(file)], { env })
      assert.match(stdout, new RegExp(`answer: \\{"said":"${file}"`))
      const free = await run(process.execPath, [example, `${shop.url}/health`], { env })
      assert.match(free.stdout, /^no payment was needed\n/)
      await assert.rejects(run(process.execPath, [example], { env }), { code: 2, stderr: /usage: node/ })
    }
  })

  suite('what mppx thinks of us', () => {
    test('the OpenAPI document tells by its rules what is paid, how and how much', async () => {
      const document = (await (await fetch(`${shop.url}/openapi.json`)).json()) as Document
      assert.deepEqual(validate(document), [])
      const { get } = document.paths['/v1/sandbox/echo']!
      assert.deepEqual(
        get!['x-payment-info']!.offers.map(({ intent, method, amount }) => [intent, method, amount]),
        [
          ['charge', 'x402', '50000'],
          ['charge', 'tempo', '50000'],
        ],
      )
      assert.ok('402' in get!.responses)
      assert.ok(document['x-service-info'].categories.length > 0)
      const paid = Object.entries(document.paths).flatMap(([path, operations]) =>
        Object.entries(operations).flatMap(([method, one]) => ('x-payment-info' in one ? `${method} ${path}` : [])),
      )
      assert.deepEqual(paid.toSorted(), [
        'get /v1/intel',
        'get /v1/sandbox/echo',
        'get /v1/valuation/{domain}',
        'post /v1/credit',
        'post /v1/valuation',
      ])
    })

    test('its validator finds nothing wrong, paying included', async () => {
      // The program has no option for a node of Tempo; a configuration of its own may bring a whole client.
      const from = (name: string) => JSON.stringify(import.meta.resolve(name))
      const config = join(shop.folder, 'mppx.config.mjs')
      writeFileSync(
        config,
        `import { tempo } from ${from('mppx/client')}
         import { createClient, http } from ${from('viem')}
         import { privateKeyToAccount } from ${from('viem/accounts')}
         import { tempo as chain } from ${from('viem/tempo/chains')}
         const getClient = () => createClient({ chain, transport: http('${shop.tempoUrl}') })
         const account = privateKeyToAccount('${shop.wallet.privateKey}')
         export default { methods: [tempo({ account, getClient })] }`,
      )
      const bin = fileURLToPath(new URL('bin.js', import.meta.resolve('mppx')))
      const args = ['validate', shop.url, '-e', 'GET:/v1/sandbox/echo', '--query', 'say=hi', '--yes', '--output-json']
      const env = { PATH: process.env['PATH'], HOME: shop.folder, MPPX_CONFIG: config, NO_UPDATE_NOTIFIER: '1' }
      const before = await shop.balance('mpp')
      const { stdout } = await promisify(execFile)(process.execPath, [bin, ...args], { env, maxBuffer: 2 ** 26 })
      const report = JSON.parse(stdout.slice(stdout.indexOf('{\n  "url"'))) as Report
      const checks = [
        ...report.discovery.checks,
        ...report.endpoints.flatMap(({ challenge, errorHandling, payment }) => [
          ...challenge,
          ...errorHandling,
          ...payment,
        ]),
      ]
      const complaints = checks.filter(({ severity }) => severity !== 'pass')
      // Its realm has no port; ours has where the address has one, as on this machine.
      const known = new Set(['llms.txt found and nonempty', 'Realm matches server hostname'])
      assert.deepEqual(
        complaints.filter(({ label }) => !known.has(label)),
        [],
      )
      assert.equal(report.summary.failed, 0)
      assert.ok(report.summary.passed >= 15)
      assert.equal(before - (await shop.balance('mpp')), PRICE)
    })
  })
})

type Operation = { responses: object; 'x-payment-info'?: { offers: Record<'intent' | 'method' | 'amount', string>[] } }
type Document = { paths: Record<string, Record<string, Operation>>; 'x-service-info': { categories: string[] } }
type Check = { label: string; severity: string; detail?: string }
type Report = {
  discovery: { checks: Check[] }
  endpoints: { challenge: Check[]; errorHandling: Check[]; payment: Check[] }[]
  summary: { passed: number; failed: number }
}
