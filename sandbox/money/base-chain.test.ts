import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { createPublicClient, createWalletClient, domainSeparator, http, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { manualClock } from '../../src/kernel/clock.ts'
import { ADMIN, NEIGHBOUR, WALLET } from '../chain/accounts.ts'
import { BASE_USDC, type BaseChain, startBaseChain } from './base-chain.ts'

const ABI = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function decimals() view returns (uint8)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function transfer(address to, uint256 amount) returns (bool)',
])
const token = { address: BASE_USDC, abi: ABI } as const

suite('Base in this process', () => {
  let chain: BaseChain
  before(async () => {
    chain = await startBaseChain()
  })
  after(() => chain.stop())
  const client = () => createPublicClient({ chain: base, transport: http(chain.url) })

  test('says the chain id of Base, and its time is ours', async () => {
    assert.equal(await client().getChainId(), 8453)
    const { timestamp } = await client().getBlock()
    assert.ok(Math.abs(Number(timestamp) - Date.now() / 1000) < 60)
  })

  test("has Circle's token at its address, under the name and version that wallets sign for", async () => {
    const read = (functionName: 'name' | 'version' | 'decimals' | 'DOMAIN_SEPARATOR') =>
      client().readContract({ ...token, functionName })
    assert.deepEqual(await Promise.all([read('name'), read('version'), read('decimals')]), ['USD Coin', '2', 6])
    const domain = { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: BASE_USDC } as const
    assert.equal(await read('DOMAIN_SEPARATOR'), domainSeparator({ domain }))
  })

  test('funds wallets, and what they have they can send', async () => {
    await chain.fund(WALLET.address, 70_000n)
    const account = privateKeyToAccount(WALLET.privateKey)
    const wallet = createWalletClient({ account, chain: base, transport: http(chain.url) })
    await wallet.writeContract({ ...token, functionName: 'transfer', args: [NEIGHBOUR.address, 20_000n] })
    const balances = [WALLET, NEIGHBOUR, ADMIN].map(({ address }) => chain.balanceOf(address))
    assert.deepEqual(await Promise.all(balances), [50_000n, 20_000n, 0n])
  })
})

test('with blocks that come by themselves, money is there at once all the same', async (t) => {
  const clock = manualClock(Date.UTC(2030, 5, 1))
  const chain = await startBaseChain({ clock, blockSeconds: 3600 })
  t.after(chain.stop)
  await chain.fund(NEIGHBOUR.address, 5n)
  await chain.fuel(NEIGHBOUR.address, 7n)
  assert.equal(await chain.balanceOf(NEIGHBOUR.address), 5n)
  assert.equal(await chain.rpc('eth_getBalance', [NEIGHBOUR.address, 'latest']), '0x7')
})
