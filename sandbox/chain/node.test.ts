import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { createPublicClient, createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { mainnet } from 'viem/chains'
import { manualClock, systemClock } from '../../src/kernel/clock.ts'
import { ADMIN, NEIGHBOUR, WALLET } from './accounts.ts'
import { MAINNET } from './addresses.ts'
import { type Chain, startChain } from './start.ts'

const DAY = 86_400
const clientFor = (url: string) => createPublicClient({ chain: mainnet, transport: http(url) })

suite('the Ethereum node of the sandbox', () => {
  let chain: Chain
  let client: ReturnType<typeof clientFor>

  before(async () => {
    chain = await startChain()
    client = clientFor(chain.url)
  })
  after(() => chain.stop())

  test('the chain ID is that of mainnet, and the time is the current time', async () => {
    assert.equal(await client.getChainId(), 1)
    const { timestamp } = await client.getBlock()
    assert.ok(Math.abs(Number(timestamp) - systemClock.now() / 1000) < 60)
  })

  test('the private keys match the addresses, and the wallet has ether', async () => {
    for (const { address, privateKey } of [WALLET, NEIGHBOUR, ADMIN]) {
      assert.equal(privateKeyToAccount(privateKey).address, address)
    }
    assert.ok((await client.getBalance({ address: chain.wallet.address })) > 9_000n * 10n ** 18n)
  })

  test('HTTP requests are counted, a batch as one, and can be scripted to fail', async () => {
    const post = (body: unknown) => fetch(chain.url, { method: 'POST', body: JSON.stringify(body) })
    const rpcRequest = (id: number, method: string, params: readonly unknown[] = []) => ({
      jsonrpc: '2.0',
      id,
      method,
      params,
    })
    const before = chain.posts()
    const batch = await post([
      rpcRequest(1, 'eth_chainId'),
      rpcRequest(2, 'eth_call', [{ to: MAINNET.controller, data: '0x' }, 'latest']),
      rpcRequest(3, 'no_such'),
    ])
    const [first, second, third] = (await batch.json()) as Record<'id' | 'result' | 'error', unknown>[]
    assert.deepEqual(first, { jsonrpc: '2.0', id: 1, result: '0x1' })
    assert.equal((second!.error as { code: number }).code, 3)
    assert.equal((second!.error as { data: string }).data, '0x')
    assert.equal(third!.id, 3)
    assert.equal(chain.posts(), before + 1)
    chain.behave({ kind: 'broken', status: 502 })
    try {
      const { status, body } = await post(rpcRequest(1, 'eth_chainId'))
      await body?.cancel()
      assert.equal(status, 502)
    } finally {
      chain.behave({ kind: 'ok' })
    }
  })

  test('without automine a transaction stays pending until a block is mined, and a failed one has a receipt that says so', async (t) => {
    const account = privateKeyToAccount(WALLET.privateKey)
    const wallet = createWalletClient({ account, chain: mainnet, transport: http(chain.url) })
    // A controller rejects plain ether. The explicit gas skips the estimate, which would fail before sending.
    const failing = { to: MAINNET.controller, value: 1n, gas: 100_000n } as const
    const statusOf = async (hash: `0x${string}`) => (await client.getTransactionReceipt({ hash })).status
    assert.equal(await statusOf(await wallet.sendTransaction(failing)), 'reverted')
    t.after(() => chain.setAutomine(true))
    await chain.setAutomine(false)
    const succeeding = await wallet.sendTransaction({ to: NEIGHBOUR.address, value: 1n })
    const failed = await wallet.sendTransaction(failing)
    assert.equal((await client.getTransaction({ hash: succeeding })).blockNumber, null)
    await assert.rejects(client.getTransactionReceipt({ hash: succeeding }), {
      name: 'TransactionReceiptNotFoundError',
    })
    await chain.mine()
    assert.equal(await statusOf(succeeding), 'success')
    assert.equal(await statusOf(failed), 'reverted')
  })
})

test('with a block interval a transaction stays pending until the next block', async () => {
  const chain = await startChain({ blockSeconds: 0.2 })
  try {
    const hash = await chain.rpc('eth_sendTransaction', [{ from: WALLET.address, to: NEIGHBOUR.address }])
    const isMined = async () => (await chain.rpc('eth_getTransactionReceipt', [hash])) !== null
    assert.equal(await isMined(), false)
    // Without blocks this loops until the test times out.
    while (!(await isMined())) await new Promise(setImmediate)
  } finally {
    await chain.stop()
  }
})

test('a chain starts at the time of its clock, and two chains are independent', async (t) => {
  const clock = manualClock()
  const first = await startChain({ clock })
  t.after(() => first.stop())
  const second = await startChain({ clock })
  t.after(() => second.stop())
  assert.deepEqual(first.names, second.names)
  const timeOf = async ({ url }: Chain) => Number((await clientFor(url).getBlock()).timestamp)
  assert.equal(await timeOf(first), clock.now() / 1000)
  await first.increaseTime(40 * DAY)
  assert.ok((await timeOf(first)) >= clock.now() / 1000 + 40 * DAY)
  assert.equal(await timeOf(second), clock.now() / 1000)
})
