import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { Mppx, tempo } from 'mppx/client'
import { type Account, createClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { tempo as tempoChain } from 'viem/tempo/chains'
import { systemClock } from '../../../kernel/clock.ts'
import { rpcFor } from '../../../protocols/ethereum/rpc.fixture.ts'
import { type Hex, PaymentRefused, type Scheme } from '../../scheme.ts'
import { LEDGER_ID, neverAborted, OFFER, REALM, RECIPIENT, SECRET } from './mpp.fixture.ts'
import { createMpp } from './scheme.ts'

export async function listen(
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
) {
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
    const { headers, members } = scheme.challenge(OFFER, why)
    response.writeHead(402, ['Content-Type', 'application/json', ...headers])
    response.end(`{"error":"payment_required","message":${JSON.stringify(why ?? 'Pay.')},${members}}`)
  }
  try {
    const payment = scheme.parse(request.headers, OFFER)
    if (!payment) return invite()
    await payment.verify(neverAborted())
    const { headers } = await payment.settle(neverAborted())
    response.writeHead(200, ['Content-Type', 'application/json', ...headers]).end('{"paid":true}')
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error
    invite(error.message)
  }
}

/** A shop whose money is on the chain of this node, and a client of mppx with this key or account. */
export async function startPaidServer(
  t: TestContext,
  node: string,
  payer: Hex | Account,
  { currency, mode }: { readonly currency?: Hex; readonly mode?: 'pull' | 'push' } = {},
) {
  const rpc = rpcFor(t, [node], { chainId: 4217 })
  const scheme = createMpp({
    realm: REALM,
    secrets: [SECRET],
    ledgerId: LEDGER_ID,
    recipient: RECIPIENT,
    rpc,
    clock: systemClock,
    ...(currency && { currency }),
  })
  const url = await listen(t, (request, response) => shop(scheme, request, response))
  const client = Mppx.create({
    methods: [
      tempo.charge({
        account: typeof payer === 'string' ? privateKeyToAccount(payer) : payer,
        ...(mode && { mode }),
        getClient: () => createClient({ chain: tempoChain, transport: http(node) }),
        clientId: 'the tests of onoma',
      }),
    ],
    polyfill: false,
  })
  return { url, client, scheme, rpc }
}
