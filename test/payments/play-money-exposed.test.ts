import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as httpRequest, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test, type TestContext } from 'node:test'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'
import { route } from '../../src/kernel/endpoint.ts'
import { paidEcho } from '../../src/payments/contract.ts'
import type { Checkout } from '../../src/surfaces/http/paid.ts'
import { startDoor } from '../support/door.ts'
import { callTool, errorOf } from '../support/mcp-payments.ts'
import { type SimulatedPayments, startSimulatedPayments } from '../support/simulated-payments.ts'

/** The first account of every development chain, published by Hardhat. Anybody can sign with it. */
const HARDHAT_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const SIGNS_OF_A_PROXY = [
  ['Forwarded', 'for=203.0.113.7'],
  ['X-Forwarded-For', '203.0.113.7'],
  ['X-Forwarded-Host', 'names.example'],
  ['X-Forwarded-Proto', 'https'],
  ['X-Forwarded-Port', '443'],
  ['X-Real-IP', '203.0.113.7'],
  ['Via', '1.1 edge'],
  ['CF-Connecting-IP', '203.0.113.7'],
  ['True-Client-IP', '203.0.113.7'],
  ['Fly-Client-IP', '203.0.113.7'],
  ['X-Client-IP', '203.0.113.7'],
  ['X-Envoy-External-Address', '203.0.113.7'],
  ['X-Amzn-Trace-Id', 'Root=1-5759e988-bd862e3fe1be46a994272793'],
  // A proxy may forward nothing but the name that the client asked for.
  ['Host', 'names.example'],
] as const

suite('play money never meets the public', () => {
  let shop: SimulatedPayments
  before(async () => {
    shop = await startSimulatedPayments()
  })
  after(() => shop.stop())

  /** Buys as the stock client does. */
  const buy = (url: string) =>
    wrapFetchWithPayment(
      fetch,
      new x402Client().register('eip155:8453', new ExactEvmScheme(privateKeyToAccount(HARDHAT_KEY))),
    )(url)

  test('a client on this machine buys with play money', async () => {
    const reply = await buy(shop.echo('local'))
    assert.equal(reply.status, 200, await reply.text())
  })

  for (const [name, value] of SIGNS_OF_A_PROXY) {
    test(`a remote client behind a proxy that adds ${name} cannot buy with Hardhat's key`, async (t) => {
      const proxy = await startProxy(t, shop.url, { [name]: value })
      const sold = (await shop.ledger()).length
      const reply = await buy(`${proxy}/v1/sandbox/echo?say=remote`)
      const { error, message } = (await reply.json()) as { error: string; message: string }
      assert.equal(reply.status, 503, message)
      assert.equal(error, 'service_unavailable')
      assert.match(message, /simulated.*this machine/)
      for (const header of ['x-payments-mode', 'x-payments-rpc', 'payment-required', 'www-authenticate']) {
        assert.equal(reply.headers.get(header), null)
      }
      assert.equal((await shop.ledger()).length, sold)
      // Free endpoints answer.
      const free = await fetch(`${proxy}/health`)
      assert.equal(free.status, 200, await free.text())
    })
  }

  test('a payment that was offered on this machine does not buy through the proxy', async (t) => {
    const proxy = await startProxy(t, shop.url, { 'X-Forwarded-For': '203.0.113.7' })
    const sold = (await shop.ledger()).length
    // The quote comes straight from the service, and only the paid request takes the way of a remote client.
    const client = new x402Client().register('eip155:8453', new ExactEvmScheme(privateKeyToAccount(HARDHAT_KEY)))
    let requests = 0
    const mixed: typeof fetch = (input, init) => {
      const { pathname, search } = new URL(new Request(input).url)
      const headers = new Request(input, init).headers
      return fetch(`${requests++ === 0 ? shop.url : proxy}${pathname}${search}`, { headers })
    }
    const reply = await wrapFetchWithPayment(mixed, client)(shop.echo('mixed'))
    assert.equal(reply.status, 503, await reply.text())
    assert.equal(requests, 2)
    assert.equal((await shop.ledger()).length, sold)
  })

  test("over MCP a client on this machine buys, and one behind a proxy cannot use Hardhat's key", async (t) => {
    const proxy = await startProxy(t, shop.url, { 'X-Forwarded-For': '203.0.113.7' })
    const params = { name: 'paidEcho', arguments: { say: 'agent' } }
    const sold = (await shop.ledger()).length
    const asked = await callTool(shop.url, params)
    assert.equal(asked.result!._meta!['onoma/payments-mode'], 'simulated')
    const client = new x402Client().register('eip155:8453', new ExactEvmScheme(privateKeyToAccount(HARDHAT_KEY)))
    const quote = errorOf(asked) as unknown as Parameters<typeof client.createPaymentPayload>[0]
    const _meta = { 'x402/payment': await client.createPaymentPayload(quote) }
    for (const meta of [{}, { _meta }]) {
      const refused = await callTool(proxy, { ...params, ...meta })
      const { error, message } = errorOf(refused)
      assert.equal(error, 'service_unavailable')
      assert.match(message, /simulated.*this machine/)
      assert.equal(refused.result!._meta, undefined)
    }
    assert.equal((await shop.ledger()).length, sold)
    const bought = await callTool(shop.url, { ...params, _meta })
    assert.equal(bought.result!.structuredContent!['said'], 'agent')
    assert.equal(bought.result!._meta!['onoma/payments-mode'], 'simulated')
    assert.equal((await shop.ledger()).length, sold + 1)
  })

  test('a listener that others can reach sells nothing for play money, not even to this machine by name', async () => {
    const sold: string[] = []
    const checkout: Checkout = {
      paywall: {
        serve: async ({ endpoint }) => {
          sold.push(endpoint)
          return { status: 200, headers: [], body: '{}', isSettled: true }
        },
        isSigned: async () => true,
      },
      priceOf: () => 1n as ReturnType<Checkout['priceOf']>,
      publicUrl: 'http://127.0.0.1',
      headers: [],
      isLocalOnly: true,
    }
    const door = await startDoor([route(paidEcho, () => ({ said: 'hi', at: '' }))], { checkout, host: '0.0.0.0' })
    try {
      const [address] = await publicAddresses()
      if (address !== undefined) {
        const headers = { host: '127.0.0.1' }
        assert.equal((await ask(`http://${address}:${door.port}/v1/sandbox/echo`, headers)).status, 503)
        assert.deepEqual(sold, [])
      }
      assert.equal((await ask(`http://127.0.0.1:${door.port}/v1/sandbox/echo`, {})).status, 200)
    } finally {
      await door.stop()
    }
  })
})

/** Addresses of this machine that are not loopback: a connection to one of them comes from it. */
async function publicAddresses(): Promise<string[]> {
  const { networkInterfaces } = await import('node:os')
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address)
}

async function ask(url: string, headers: OutgoingHttpHeaders): Promise<{ status: number | undefined }> {
  const sent = httpRequest(url, { headers, agent: false }).end()
  const [reply] = await once(sent, 'response')
  reply.resume()
  return { status: reply.statusCode }
}

/** A reverse proxy on this machine that adds headers, as in docs/self-hosting.md. */
async function startProxy(t: TestContext, target: string, added: OutgoingHttpHeaders): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const headers: OutgoingHttpHeaders = { ...incoming.headers, host: new URL(target).host }
    for (const [name, value] of Object.entries(added)) headers[name.toLowerCase()] = String(value)
    const onward = httpRequest(target + incoming.url, { method: incoming.method, headers, agent: false }, (reply) => {
      outgoing.writeHead(reply.statusCode!, reply.headers)
      reply.pipe(outgoing)
    })
    incoming.pipe(onward)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.after(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}
