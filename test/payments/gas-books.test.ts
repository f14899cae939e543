import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { encodeFunctionData, type Hex, keccak256, parseAbi } from 'viem'
import { startBaseChain } from '../../sandbox/money/base-chain.ts'
import { reportPayments } from '../../src/app/commands/payments-report.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { sleep } from '../../src/kernel/sleep.ts'
import { sqliteLedger } from '../../src/payments/sources/sqlite-ledger.ts'
import { readPayments } from '../../src/payments/sources/sqlite/report.ts'
import { startLivePayments } from '../support/live-payments.ts'
import { openShop } from '../support/paid-shop.ts'
import { newWallet, payX402 } from '../support/paid-wallets.ts'
import { insist, startPaidWorld } from '../support/paid-world.ts'

const ETHER = 10n ** 18n
const ECHO = '/v1/sandbox/echo?say=hi'
const PRICE = 50_000n
const ALWAYS = { from: 0, to: Number.MAX_SAFE_INTEGER }

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-gas-books-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

const linesOf = (folder: string) => [...readPayments(join(folder, 'payments.sqlite'), ALWAYS)]
const gasOf = (folder: string) => linesOf(folder).reduce((sum, { gasWei }) => sum + BigInt(gasWei ?? 0), 0n)

test('the gas of the report is what the settlement key has spent on the chain, failed transactions included', async (t) => {
  const folder = newFolder(t)
  const clock = manualClock(Date.UTC(2026, 10, 15, 12))
  const chain = await startBaseChain({ clock })
  t.after(() => chain.stop())
  // The gas of a test chain costs more than Base's.
  const env = { ONOMA_X402_MAX_GAS_SHARE: '1', ONOMA_X402_MAX_ETHER_USD: '1' }
  const shop = await startLivePayments(t, { folder, schemes: ['x402'], env, baseUrl: chain.url, clock })
  await chain.fuel(shop.settler, 10n * ETHER)
  const spent = async () => 10n * ETHER - BigInt((await chain.rpc('eth_getBalance', [shop.settler, 'latest'])) as Hex)
  await shop.open()
  const pay = async () => {
    const wallet = newWallet()
    await chain.fund(wallet.address, PRICE)
    return { wallet, headers: await payX402(await shop.get(ECHO), wallet, shop.clock) }
  }
  for (let sale = 0; sale < 3; sale++) assert.equal((await shop.get(ECHO, (await pay()).headers)).status, 200)

  // The fourth payer moves the money away in the block of the settlement, which fails and costs gas all the same.
  const { wallet, headers } = await pay()
  await chain.fuel(wallet.address, ETHER)
  await chain.setAutomine(false)
  const refused = shop.get(ECHO, headers)
  while ((await chain.rpc('eth_getTransactionCount', [shop.settler, 'pending'])) !== '0x4') await sleep(5)
  const data = encodeFunctionData({
    abi: parseAbi(['function transfer(address to, uint256 value)']),
    args: [shop.settler, PRICE],
  })
  const fees = { gas: 100_000n, maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 11n }
  const first = { type: 'eip1559', chainId: 8453, nonce: 0, to: chain.usdc, data, ...fees } as const
  await chain.rpc('eth_sendRawTransaction', [await wallet.account.signTransaction(first)])
  await chain.mine()
  assert.equal((await refused).status, 402)

  await shop.close()
  assert.equal(gasOf(folder), await spent())
  const lines = linesOf(folder).map(({ state, micros, gasWei }) => [state, micros, gasWei !== null])
  assert.deepEqual(lines, [...Array.from({ length: 3 }, () => ['settled', PRICE, true]), ['gas', 0n, true]])
  let said = ''
  const stderr = { write: (text: string) => void (said += text) }
  await reportPayments({ ...ALWAYS, csv: true }, { config: { dataDir: folder }, stdout: { write() {} }, stderr })
  assert.match(
    said,
    /^3 payments settled, \$0\.15\. Gas: \d+ wei, \d+ of them for transactions that settled nothing\.\n$/,
  )
})

test('gas of replaced transactions is in the report, once for each nonce, also after the process has ended', async (t) => {
  const folder = newFolder(t)
  const world = await startPaidWorld()
  const { clock, chains } = world
  const ledger = sqliteLedger({ folder, clock })
  const { key } = newWallet()
  const options = { urls: chains.urls, clock, ledger, key, confirmTimeoutMs: 50 }
  const shop = await openShop(options)
  t.after(async () => {
    await Promise.all([shop.stop(), world.stop()])
    ledger.close()
  })
  const path = '/v1/goods/a?tier=full'
  const pay = async () => {
    const wallet = newWallet()
    chains.base.fund(wallet.address, 80_000n)
    const headers = await payX402(await shop.get(path), wallet, clock)
    return () => shop.get(path, headers)
  }
  // One is stuck and expires: an empty transaction replaces it. One is stuck and is replaced with a higher fee.
  const [gone, slow] = [await pay(), await pay()]
  chains.base.holdBack(true)
  assert.equal((await gone()).status, 503)
  chains.base.setBaseFee(20_000_000n)
  chains.base.holdBack(false)
  clock.advance(200_000)
  const late = await pay()
  assert.equal((await insist(late)).status, 200)
  chains.base.holdBack(true)
  clock.advance(1_000)
  assert.equal((await slow()).status, 503)
  clock.advance(31_000)
  const next = await pay()
  assert.equal((await next()).status, 503)
  chains.base.holdBack(false)
  assert.equal((await insist(next)).status, 200)

  const sent = chains.asked.filter(({ method }) => method === 'eth_sendRawTransaction')
  const hashes = new Set(sent.map(({ params }) => keccak256(params[0] as Hex)))
  let expected = 0n
  for (const hash of hashes) {
    const receipt = (await chains.base.answer('eth_getTransactionReceipt', [hash])) as Record<string, Hex> | null
    if (receipt) expected += BigInt(receipt['gasUsed']!) * BigInt(receipt['effectiveGasPrice']!)
  }
  assert.ok((await ledger.unpriced(100)).length > 0, 'nobody has waited for some of them')
  // Another process finds them in the ledger.
  clock.advance(600_001)
  const restarted = await openShop(options)
  t.after(restarted.stop)
  await restarted.priceTransactions()
  assert.deepEqual(await ledger.unpriced(100), [])
  assert.equal(gasOf(folder), expected)
})
