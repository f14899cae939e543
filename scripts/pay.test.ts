import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type SimulatedPayments, startSimulatedPayments } from '../test/support/simulated-payments.ts'
import { pay, type PayNeeds } from './pay.ts'

const PRICE = 50_000n
/** An empty wallet, for tests of real money that never pay. */
const POOR_KEY = `0x${'42'.repeat(32)}`

suite('npm run pay', () => {
  let shop: SimulatedPayments
  before(async () => {
    shop = await startSimulatedPayments()
  })
  after(() => shop.stop())

  /** Runs the command in this process and keeps what it says. */
  async function run(args: string[], needs: PayNeeds = {}) {
    const said = { out: '', told: '' }
    const code = await pay(args, {
      env: {},
      wait: async () => {},
      out: (text) => void (said.out += text),
      print: (line) => void (said.told += `${line}\n`),
      ...needs,
    })
    return { code, ...said }
  }

  const spent = async (work: () => Promise<void>) => {
    const all = async () => (await shop.balance('x402')) + (await shop.balance('mpp'))
    const before = await all()
    await work()
    return before - (await all())
  }

  test('reports that nothing was charged if the answer has no receipt', async () => {
    const body = { domain: 'shop.example', available: false, parked: false, error: 'site_timeout' }
    const unsettled: PayNeeds['fetch'] = (url, init) =>
      'PAYMENT-SIGNATURE' in (init.headers as object) ? Promise.resolve(Response.json(body)) : fetch(url, init)
    const { code, out, told } = await run([shop.echo('hi')], { fetch: unsettled })
    assert.deepEqual([code, JSON.parse(out)], [0, body], told)
    assert.match(told, /^Nothing was charged/m)
  })

  for (const [options, scheme] of [
    [[], 'x402'],
    [['--x402'], 'x402'],
    [['--mpp'], 'mpp'],
  ] as const) {
    test(`pays by ${scheme} with ${options[0] ?? 'nothing but the address'} and shows price, receipt and transaction`, async () => {
      const paid = await spent(async () => {
        const { code, out, told } = await run([shop.echo('hi'), ...options])
        assert.equal(code, 0, told)
        assert.equal((JSON.parse(out) as { said: string }).said, 'hi')
        const [latest] = await shop.ledger()
        assert.equal(latest!.scheme, scheme)
        assert.match(told, /^price: \$0\.05, in .+ to 0x\w{40}$/m)
        assert.match(told, /^receipt: \{.*"success"|^receipt: \{.*"status":"success"/m)
        assert.ok(told.includes(`transaction: ${latest!.transaction}\n`))
      })
      assert.equal(paid, PRICE)
    })
  }

  for (const way of ['--x402', '--mpp']) {
    test(`pays for a POST with ${way}: credit, which then pays for requests`, async () => {
      const paid = await spent(async () => {
        const { code, out, told } = await run([`${shop.url}/v1/credit`, '--data', '{"amount":5}', '--max', '5', way])
        assert.equal(code, 0, told)
        const { token } = JSON.parse(out) as { token: string }
        const answer = await fetch(shop.echo('hi'), { headers: { authorization: `Bearer ${token}` } })
        assert.deepEqual([answer.status, answer.headers.get('credit-balance')], [200, '4.95'])
      })
      assert.equal(paid, 5_000_000n)
    })
  }

  test("pays with play money from the sandbox's wallet, never from a real one", async () => {
    const paid = await spent(async () => {
      const { code, told } = await run([shop.echo('hi')], { env: { PRIVATE_KEY: POOR_KEY } })
      assert.equal(code, 0)
      assert.match(told, /simulated: the sandbox's wallet pays/)
    })
    assert.equal(paid, PRICE)
  })

  test('pays nothing if the price is above --max', async () => {
    const paid = await spent(async () => {
      for (const way of ['--x402', '--mpp']) {
        const { code, out, told } = await run([shop.echo('hi'), way, '--max', '0.049999'])
        assert.deepEqual([code, out], [5, ''])
        assert.match(told, /price: \$0\.05.*\nThe price is above the maximum of \$0\.049999; nothing was paid/)
      }
      assert.equal((await run([shop.echo('hi'), '--max', '0.05'])).code, 0)
    })
    assert.equal(paid, PRICE)
  })

  for (const [what, spoil] of [
    ['the answer is lost', () => Promise.reject(new TypeError('fetch failed'))],
    [
      'it is told to repeat',
      () => Promise.resolve(Response.json({ message: 'Not known yet; send the same request again.' }, { status: 503 })),
    ],
  ] as const) {
    test(`sends the same payment again if ${what}, and is charged once`, async () => {
      const paid = await spent(async () => {
        const payments: (string | null)[] = []
        let spoiled = 0
        const { code, out, told } = await run([shop.echo(what)], {
          async fetch(url, init) {
            const payment = new Headers(init.headers).get('payment-signature')
            const response = await fetch(url, init)
            if (payment === null) return response
            payments.push(payment)
            if (spoiled++ >= 2) return response
            await response.body?.cancel()
            return spoil()
          },
        })
        assert.equal(code, 0, told)
        assert.equal((JSON.parse(out) as { said: string }).said, what)
        assert.equal(payments.length, 3)
        assert.equal(new Set(payments).size, 1)
      })
      assert.equal(paid, PRICE)
    })
  }

  test('gives up after the last attempt and reports an unknown outcome', async () => {
    let payments = 0
    const { code, told } = await run([shop.echo('gone')], {
      async fetch(url, init) {
        if (!new Headers(init.headers).has('payment-signature')) return fetch(url, init)
        payments++
        throw new TypeError('fetch failed')
      },
    })
    assert.deepEqual([code, payments], [1, 6])
    assert.match(told, /The outcome of the payment is unknown/)
  })

  test('real payments need a key, and a refused payment is not charged', async () => {
    /** The service as it would look with real money. */
    const live = async (url: string, init: RequestInit) => {
      const response = await fetch(url, init)
      const headers = new Headers(response.headers)
      headers.delete('x-payments-mode')
      return new Response(await response.text(), { status: response.status, headers })
    }
    const without = await run([shop.echo('hi')], { fetch: live })
    assert.equal(without.code, 2)
    assert.match(without.told, /price: \$0\.05.*\nSet PRIVATE_KEY/)
    const poor = await run([shop.echo('hi')], { fetch: live, env: { PRIVATE_KEY: POOR_KEY } })
    assert.equal(poor.code, 5)
    assert.match(poor.told, /402: The account has less USDC/)
    assert.doesNotMatch(poor.told + without.told, /4242|receipt/)
  })

  test('rejects a price in an unknown token', async () => {
    const accepts = [
      { scheme: 'exact', network: 'eip155:8453', amount: '1', asset: `0x${'11'.repeat(20)}`, payTo: '0x' },
    ]
    const required = Buffer.from(JSON.stringify({ x402Version: 2, accepts })).toString('base64')
    const server = createServer((_request, response) => {
      response.writeHead(402, { 'payment-required': required }).end('{}')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const unknown = await run([url])
    const other = await run([url, '--mpp'])
    server.closeAllConnections()
    server.close()
    assert.equal(unknown.code, 5)
    assert.match(unknown.told, /cannot be read: the service does not accept USDC on Base/)
    assert.equal(other.code, 5)
    assert.match(other.told, /does not accept mpp/)
  })

  test('a free endpoint and an error are reported without paying', async () => {
    const paid = await spent(async () => {
      const free = await run([`${shop.url}/health`])
      assert.equal(free.code, 0)
      assert.match(free.out, /"status":"ok"/)
      assert.match(free.told, /^This endpoint is free\.$/m)
      assert.equal((await run([`${shop.url}/v1/nothing`])).code, 3)
      assert.equal((await run([shop.echo('x'.repeat(201))])).code, 2)
    })
    assert.equal(paid, 0n)
  })

  test('prints help, and the reason if a command is invalid', async () => {
    const help = await run(['--help'])
    assert.equal(help.code, 0)
    assert.match(help.out, /^usage: npm run pay -- URL/)
    for (const [args, why] of [
      [[], /exactly one URL/],
      [['http://pay.example/'], /must begin with https/],
      [['ftp://127.0.0.1/'], /must begin with https/],
      [[shop.echo('hi'), '--mpp', '--x402'], /not both/],
      [[shop.echo('hi'), '--max', '-1'], /--max/],
      [[shop.echo('hi'), '--max', '1e3'], /--max: an amount is written like/],
      [[shop.echo('hi'), '--much'], /Unknown option/],
    ] as const) {
      const { code, out, told } = await run([...args])
      assert.deepEqual([code, out], [2, ''])
      assert.match(told, why)
      assert.match(told, /usage:/)
    }
  })

  test('as a process: only the answer is on standard output', async () => {
    const script = fileURLToPath(new URL('pay.ts', import.meta.url))
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, shop.echo('program')], {
      env: { PATH: process.env['PATH'] },
    })
    assert.deepEqual(Object.keys(JSON.parse(stdout) as object), ['said', 'at'])
    assert.match(stderr, /^transaction: 0x[0-9a-f]{64}$/m)
  })
})
