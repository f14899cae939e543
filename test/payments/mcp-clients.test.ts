import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { parsePaymentRequired } from '@x402/core/schemas'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { x402Client } from '@x402/fetch'
import { tempo } from 'mppx/client'
import { McpClient } from 'mppx/mcp/client'
import { type Account, createClient, http } from 'viem'
import { tempo as tempoChain } from 'viem/tempo/chains'
import { ACCESS_KEYS, authorize, ROOT_ACCOUNTS } from '../../src/payments/sources/mpp/accounts.fixture.ts'
import { MPP_RECEIPT, type ToolResult, X402_RECEIPT } from '../support/mcp-payments.ts'
import { PAY_TO, QUICK } from '../support/paid-shop.ts'
import { fundedWallet } from '../support/paid-wallets.ts'
import { type PaidWorld, startPaidWorld } from '../support/paid-world.ts'

const WHO = { name: 'test', version: '1.0.0' }

/** The part of a client that both generations of the SDK have. */
type ToolClient = {
  listTools(): Promise<unknown>
  callTool(params: { name: string; arguments: object; _meta?: object }): Promise<unknown>
  close(): Promise<void>
}

/** Both generations of the official SDK, and the newest revision of the protocol. */
const CLIENTS: Readonly<Record<string, (url: URL) => Promise<ToolClient>>> = {
  'SDK 1': async (url) => {
    const client = new Client1(WHO)
    await client.connect(new Transport1(url))
    return client as unknown as ToolClient
  },
  'SDK 2': async (url) => {
    const client = new Client2(WHO, { supportedProtocolVersions: ['2025-11-25'] })
    await client.connect(new Transport2(url))
    return client as unknown as ToolClient
  },
  'SDK 2 with revision 2026-07-28': async (url) => {
    const client = new Client2(WHO, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    await client.connect(new Transport2(url))
    return client as unknown as ToolClient
  },
}

for (const [name, connect] of Object.entries(CLIENTS)) {
  describe(`stock clients pay for tools: ${name}`, () => {
    let world: PaidWorld
    let client: ToolClient
    before(async () => {
      world = await startPaidWorld({ now: Date.now() })
    })
    after(() => world.stop())

    /** A new client that has listed the tools: from then on it checks results against their output schemas. */
    const open = async () => {
      client = await connect(new URL('/mcp', world.shop.url))
      await client.listTools()
      return client
    }
    const call = async (item: string, _meta?: object) =>
      (await client.callTool({ name: 'goods', arguments: { item }, ...(_meta && { _meta }) })) as ToolResult

    /** Replaces `callTool` of the client by one that pays. */
    const payBy = (account: Account, mode?: 'push') =>
      McpClient.wrap(client as unknown as Parameters<typeof McpClient.wrap>[0], {
        methods: [
          tempo.charge({
            account,
            ...(mode && { mode }),
            getClient: () => createClient({ chain: tempoChain, transport: http(world.chains.urls.tempo) }),
          }),
        ],
      })

    test('who does not pay is told the price, what it buys, how to pay and where to send that', async () => {
      await open()
      const { isError, content, structuredContent } = await call('unpaid')
      assert.deepEqual([isError, structuredContent], [true, undefined])
      const told = JSON.parse(content[0].text) as Record<string, unknown>
      assert.deepEqual([told['error'], told['priceUsd'], told['buys']], ['payment_required', '0.02', 'Buy a thing'])
      assert.match(String(told['message']), /goods costs \$0\.02\. Call it again with the same arguments/)
      const ways = told['waysToPay'] as { protocol: string; send: string }[]
      assert.deepEqual(
        ways.map(({ protocol }) => protocol),
        ['x402', 'MPP'],
      )
      assert.match(ways[0]!.send, /^params\._meta\["x402\/payment"\]/)
      assert.match(ways[1]!.send, /^params\._meta\["org\.paymentauth\/credential"\]/)
      await client.close()
    })

    test('x402 (@x402/core, @x402/evm) pays in band, and reads the receipt', async () => {
      await open()
      const wallet = fundedWallet(world.chains)
      const asked = parsePaymentRequired(JSON.parse((await call('x402')).content[0].text))
      assert.ok(asked.success)
      const payer = new x402Client().register('eip155:8453', new ExactEvmScheme(wallet.account))
      const payload = await payer.createPaymentPayload(asked.data as Parameters<typeof payer.createPaymentPayload>[0])
      const { isError, structuredContent, _meta } = await call('x402', { 'x402/payment': payload })
      assert.equal(isError, undefined)
      assert.equal(structuredContent!['item'], 'x402')
      const { success, network, payer: from } = _meta![X402_RECEIPT] as Record<string, unknown>
      assert.deepEqual(
        [success, network, String(from).toLowerCase()],
        [true, 'eip155:8453', wallet.address.toLowerCase()],
      )
      assert.equal(world.paidBy(wallet), QUICK)
      await client.close()
    })

    for (const [kind, accountOf] of Object.entries({ ...ROOT_ACCOUNTS, ...ACCESS_KEYS })) {
      test(`mppx/mcp/client pays with an account of the kind ${kind}, again and again`, async () => {
        await open()
        const account = accountOf()
        const { tempo: chain } = world.chains
        chain.fund(account.address, 1_000_000n)
        if ('accessKeyAddress' in account) await authorize(chain, account)
        payBy(account)
        for (const item of [`${kind} 1`, `${kind} 2`]) {
          const before = chain.balanceOf(PAY_TO)
          const { isError, structuredContent, _meta } = await call(item)
          assert.equal(isError, undefined)
          assert.equal(structuredContent!['item'], item)
          const { status, method, challengeId } = _meta![MPP_RECEIPT] as Record<string, unknown>
          assert.deepEqual([status, method, typeof challengeId], ['success', 'tempo', 'string'])
          assert.equal(chain.balanceOf(PAY_TO) - before, QUICK)
        }
        await client.close()
      })
    }

    test('mppx/mcp/client pushes: it sends the transfer itself and names it', async () => {
      await open()
      const account = ROOT_ACCOUNTS.P256()
      world.chains.tempo.fund(account.address, 1_000_000n)
      payBy(account, 'push')
      assert.equal((await call('pushed')).structuredContent!['item'], 'pushed')
      await client.close()
    })

    test('mppx/mcp/client pays nothing for invalid arguments', async () => {
      await open()
      const account = ROOT_ACCOUNTS.secp256k1()
      world.chains.tempo.fund(account.address, 1_000_000n)
      payBy(account)
      const before = world.chains.tempo.balanceOf(account.address)
      const { isError, content } = await call('x'.repeat(41))
      assert.equal(isError, true)
      assert.match(content[0].text, /invalid_parameter/)
      assert.equal(world.chains.tempo.balanceOf(account.address), before)
      await client.close()
    })
  })
}
