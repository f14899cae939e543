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

suite('the node of the sandbox', () => {
  let chain: Chain
  let client: ReturnType<typeof clientFor>

  before(async () => {
    chain = await startChain()
    client = clientFor(chain.url)
  })
  after(() => chain.stop())

  test('it is mainnet, and it is now', async () => {
    assert.equal(await client.getChainId(), 1)
    const { timestamp } = await client.getBlock()
    assert.ok(Math.abs(Number(timestamp) - systemClock.now() / 1000) < 60)
  })

  test('the well-known keys are those of the accounts, and the wallet has ether', async () => {
    for (const { address, privateKey } of [WALLET, NEIGHBOUR, ADMIN]) {
      assert.equal(privateKeyToAccount(privateKey).address, address)
    }
    assert.ok((await client.getBalance({ address: chain.wallet.address })) > 9_000n * 10n ** 18n)
  })

  test('questions over HTTP are counted, a batch as one, and can be made to fail', async () => {
    const post = (body: unknown) => fetch(chain.url, { method: 'POST', body: JSON.stringify(body) })
    const ask = (id: number, method: string, params: readonly unknown[] = []) => ({
      jsonrpc: '2.0',
      id,
      method,
      params,
    })
    const before = chain.posts()
    const batch = await post([
      ask(1, 'eth_chainId'),
      ask(2, 'eth_call', [{ to: MAINNET.controller, data: '0x' }, 'latest']),
      ask(3, 'no_such'),
    ])
    const [first, second, third] = (await batch.json()) as Record<'id' | 'result' | 'error', unknown>[]
    assert.deepEqual(first, { jsonrpc: '2.0', id: 1, result: '0x1' })
    assert.equal((second!.error as { code: number }).code, 3)
    assert.equal((second!.error as { data: string }).data, '0x')
    assert.equal(third!.id, 3)
    assert.equal(chain.posts(), before + 1)
    chain.behave({ kind: 'broken', status: 502 })
    try {
      const { status, body } = await post(ask(1, 'eth_chainId'))
      await body?.cancel()
      assert.equal(status, 502)
    } finally {
      chain.behave({ kind: 'ok' })
    }
  })

  test('a transaction waits for its block where that is asked for, and one that fails says so in its receipt', async (t) => {
    const account = privateKeyToAccount(WALLET.privateKey)
    const wallet = createWalletClient({ account, chain: mainnet, transport: http(chain.url) })
    // A controller takes no ether without words; the gas is given, or the wallet would find out before it sends.
    const doom = { to: MAINNET.controller, value: 1n, gas: 100_000n } as const
    const statusOf = async (hash: `0x${string}`) => (await client.getTransactionReceipt({ hash })).status
    assert.equal(await statusOf(await wallet.sendTransaction(doom)), 'reverted')
    t.after(() => chain.setAutomine(true))
    await chain.setAutomine(false)
    const fine = await wallet.sendTransaction({ to: NEIGHBOUR.address, value: 1n })
    const doomed = await wallet.sendTransaction(doom)
    assert.equal((await client.getTransaction({ hash: fine })).blockNumber, null)
    await assert.rejects(client.getTransactionReceipt({ hash: fine }), { name: 'TransactionReceiptNotFoundError' })
    await chain.mine()
    assert.equal(await statusOf(fine), 'success')
    assert.equal(await statusOf(doomed), 'reverted')
  })
})

test('where blocks come by themselves, a transaction waits for the next one', async () => {
  const chain = await startChain({ blockSeconds: 0.2 })
  try {
    const hash = await chain.rpc('eth_sendTransaction', [{ from: WALLET.address, to: NEIGHBOUR.address }])
    const isMined = async () => (await chain.rpc('eth_getTransactionReceipt', [hash])) !== null
    assert.equal(await isMined(), false)
    // Without blocks this never ends, and the test runs out of time.
    while (!(await isMined())) await new Promise(setImmediate)
  } finally {
    await chain.stop()
  }
})

test('a chain lives by the clock it is given, and two do not know of each other', async (t) => {
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
