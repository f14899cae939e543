import assert from 'node:assert/strict'
import { after, before, suite, test, type TestContext } from 'node:test'
import { encodeFunctionData, parseAbi, serializeErc6492Signature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type BaseChain, startBaseChain } from '../../../../sandbox/money/base-chain.ts'
import { deployWalletFactory } from '../../../../sandbox/money/contract-wallet.ts'
import type { Hex } from '../../scheme.ts'
import { refused } from './chain.fixture.ts'
import {
  CHEAP_ETHER,
  NEVER_ABORTED,
  openScheme,
  parsePayment,
  PRICE,
  signAuthorization,
  v2Headers,
} from './x402.fixture.ts'

let chain: BaseChain
let factory: Awaited<ReturnType<typeof deployWalletFactory>>
before(async () => {
  chain = await startBaseChain()
  factory = await deployWalletFactory(chain)
})
after(() => chain.stop())

const codeOf = (address: Hex) => chain.rpc('eth_getCode', [address, 'latest'])
const sentBy = (address: Hex) => chain.rpc('eth_getTransactionCount', [address, 'pending'])

/** A wallet with money at its future address, and how its owner pays. */
async function newWallet() {
  const owner = privateKeyToAccount(generatePrivateKey())
  const salt = generatePrivateKey()
  const address = await factory.addressOf(owner.address, salt)
  await chain.fund(address, PRICE)
  const create = factory.encode('create', [owner.address, salt])
  type Wrapper = { readonly to?: Hex; readonly data?: Hex; readonly signer?: typeof owner; readonly from?: Hex }
  const pay = async ({ to = factory.address, data = create, signer = owner, from = address }: Wrapper = {}) => {
    const { authorization, signature } = await signAuthorization(signer, { from })
    return v2Headers({ authorization, signature: serializeErc6492Signature({ address: to, data, signature }) })
  }
  return { owner, salt, address, create, pay }
}

const open = (t: TestContext, options: Parameters<typeof openScheme>[2] = {}) =>
  openScheme(t, chain, { walletFactories: [factory.address], ...options })

suite('a contract wallet that is not deployed yet', () => {
  test('is deployed with its payment, in one transaction', async (t) => {
    const { scheme, settler } = await open(t)
    const wallet = await newWallet()
    const payment = parsePayment(scheme, await wallet.pay())
    assert.deepEqual(await payment.verify(NEVER_ABORTED), { balance: PRICE })
    assert.equal(await codeOf(wallet.address), '0x', 'the trial changes nothing')
    const settlement = await payment.settle(NEVER_ABORTED)
    assert.notEqual(await codeOf(wallet.address), '0x')
    assert.deepEqual([await chain.balanceOf(wallet.address), await sentBy(settler.address)], [0n, '0x1'])
    // After a restart, and for a second process, it is the same settlement.
    const other = await open(t)
    const restored = other.scheme.restore(payment.stored)
    assert.deepEqual(await restored.recover(NEVER_ABORTED), settlement)
    assert.deepEqual(await restored.settle(NEVER_ABORTED), settlement)
  })

  test('pays as any other once somebody has deployed it', async (t) => {
    const { scheme } = await open(t)
    const wallet = await newWallet()
    const payment = parsePayment(scheme, await wallet.pay())
    await payment.verify(NEVER_ABORTED)
    await chain.rpc('eth_sendTransaction', [{ from: await admin(), to: factory.address, data: wallet.create }])
    await payment.settle(NEVER_ABORTED)
    assert.equal(await chain.balanceOf(wallet.address), 0n)
  })

  const refusedFirst = async (t: TestContext, headers: Record<string, string>, options = {}) => {
    const { scheme, settler } = await open(t, options)
    const payment = parsePayment(scheme, headers)
    await assert.rejects(payment.verify(NEVER_ABORTED), refused('verification-failed', /deploy the wallet first/))
    await assert.rejects(payment.settle(NEVER_ABORTED), refused('verification-failed'))
    assert.equal(await sentBy(settler.address), '0x0', 'it has cost no gas')
  }

  test('is told to be deployed first if its factory is not on the list', async (t) => {
    const { pay } = await newWallet()
    await refusedFirst(t, await pay(), { walletFactories: [] })
    const stranger = await deployWalletFactory(chain)
    await refusedFirst(t, await pay({ to: stranger.address }))
    await refusedFirst(t, await pay({ to: chain.usdc }))
  })

  test('is refused if the factory burns the gas of a real transaction', async (t) => {
    const { owner, salt, pay } = await newWallet()
    await refusedFirst(t, await pay({ data: factory.encode('createAndBurn', [owner.address, salt]) }))
  })

  test('is refused if the factory deploys another address than the payer, or nothing', async (t) => {
    const { owner, pay } = await newWallet()
    await refusedFirst(t, await pay({ data: factory.encode('create', [owner.address, generatePrivateKey()]) }))
    await refusedFirst(t, await pay({ data: '0x12345678' }))
  })

  test('is refused with the signature of somebody else, and with one for another wallet', async (t) => {
    const [victim, thief] = [await newWallet(), await newWallet()]
    await refusedFirst(t, await victim.pay({ signer: thief.owner }))
    await refusedFirst(t, await thief.pay({ from: victim.address }))
  })

  test('gains nothing from a factory that calls somebody with our gas', async (t) => {
    const { scheme, settler } = await open(t)
    await chain.fund(settler.address, 5n * PRICE)
    const { owner, salt, address, pay } = await newWallet()
    // Asks the token for the money of the settlement key, which signs the transaction.
    const steal = encodeFunctionData({
      abi: parseAbi(['function transferFrom(address from, address to, uint256 value)']),
      args: [settler.address, owner.address, 5n * PRICE],
    })
    const data = factory.encode('createAndCall', [owner.address, salt, chain.usdc, steal])
    const payment = parsePayment(scheme, await pay({ data }))
    await payment.verify(NEVER_ABORTED)
    await payment.settle(NEVER_ABORTED)
    assert.deepEqual([await chain.balanceOf(settler.address), await chain.balanceOf(address)], [5n * PRICE, 0n])
  })

  test('is told to be deployed first where the price covers a transfer and not the deployment', async (t) => {
    const { pay } = await newWallet()
    const { baseFeePerGas } = (await chain.rpc('eth_getBlockByNumber', ['latest', false])) as { baseFeePerGas: Hex }
    // At the price of gas now, the payment covers twice the gas of a transfer.
    const most = Number(BigInt(baseFeePerGas) * 210_000n)
    const gasCap = { ...CHEAP_ETHER, maxEtherUsd: Math.floor((0.05 * 1e18) / most) }
    const { scheme } = await open(t, { gasCap })
    const payment = parsePayment(scheme, await pay())
    await assert.rejects(payment.verify(NEVER_ABORTED), refused('verification-failed', /does not cover the deployment/))
  })
})

const admin = async (): Promise<Hex> => ((await chain.rpc('eth_accounts')) as [Hex])[0]
