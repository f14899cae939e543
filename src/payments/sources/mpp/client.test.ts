import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { Receipt } from 'mppx'
import { Mppx, tempo } from 'mppx/client'
import { createClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { tempo as tempoChain } from 'viem/tempo/chains'
import { systemClock } from '../../../kernel/clock.ts'
import { rpcFor } from '../../../protocols/ethereum/rpc.fixture.ts'
import { PaymentRefused, type Scheme } from '../../scheme.ts'
import { createSimulatedTempo } from '../../simulated/tempo.ts'
import { KEY, never, OFFER, PAYER, REALM, RECIPIENT, SECRET } from './mpp.fixture.ts'
import { createMpp, TEMPO_USDC } from './scheme.ts'

async function listen(t: TestContext, answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A gate without a ledger: enough to see whether a client and the scheme understand each other. */
async function shop(scheme: Scheme, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const invite = (why?: string) => {
    const { headers, members } = scheme.invite(OFFER, why)
    response.writeHead(402, ['Content-Type', 'application/json', ...headers])
    response.end(`{"error":"payment_required","message":${JSON.stringify(why ?? 'Pay.')},${members}}`)
  }
  try {
    const payment = scheme.read(request.headers, OFFER)
    if (!payment) return invite()
    await payment.verify(never())
    const { headers } = await payment.settle(never())
    response.writeHead(200, ['Content-Type', 'application/json', ...headers]).end('{"paid":true}')
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error
    invite(error.message)
  }
}

async function open(t: TestContext) {
  const chain = createSimulatedTempo({ clock: systemClock, token: TEMPO_USDC })
  const node = await listen(t, async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    response.writeHead(200, { 'content-type': 'application/json' }).end(await chain.handle(body))
  })
  const rpc = rpcFor(t, [node], { chainId: 4217 })
  const scheme = createMpp({ realm: REALM, secrets: [SECRET], recipient: RECIPIENT, rpc, clock: systemClock })
  const url = await listen(t, (request, response) => shop(scheme, request, response))
  const client = Mppx.create({
    methods: [
      tempo.charge({
        account: privateKeyToAccount(KEY),
        getClient: () => createClient({ chain: tempoChain, transport: http(node) }),
        clientId: 'the tests of onoma',
      }),
    ],
    polyfill: false,
  })
  return { chain, url, client }
}

test('the client of mppx pays by what it is told in a 402, and can read the receipt', async (t) => {
  const { chain, url, client } = await open(t)
  chain.fund(PAYER, 120_000n)
  for (const paid of [50_000n, 100_000n]) {
    const response = await client.fetch(url)
    assert.equal(response.status, 200, await response.clone().text())
    assert.deepEqual(await response.json(), { paid: true })
    const { method, reference } = Receipt.fromResponse(response)
    assert.equal(method, 'tempo')
    assert.ok(await chain.answer('eth_getTransactionReceipt', [reference]))
    assert.equal(chain.balanceOf(RECIPIENT), paid)
  }
  assert.equal(chain.balanceOf(PAYER), 20_000n)
})

test('the client of mppx is told why it gets nothing when it has no money', async (t) => {
  const { chain, url, client } = await open(t)
  // It finds out by itself, when it asks the node what the payment would take.
  await assert.rejects(client.fetch(url), /InsufficientBalance|reverted/i)
  assert.equal(chain.supply(), 0n)
})
