import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { serializeErc6492Signature } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { deployWallet } from '../../../../sandbox/money/contract-wallet.ts'
import { type BaseChain, startBaseChain } from '../../../../sandbox/money/base-chain.ts'
import { systemClock } from '../../../kernel/clock.ts'
import type { Hex } from '../../scheme.ts'
import { cancel, refused, unknownOutcome } from './chain.fixture.ts'
import {
  createWallet,
  NEVER_ABORTED,
  openScheme,
  parsePayment,
  PRICE,
  signAuthorization,
  v1Headers,
  v2Headers,
} from './x402.fixture.ts'

let chain: BaseChain
before(async () => {
  chain = await startBaseChain()
})
after(() => chain.stop())

const DAY_MS = 24 * 60 * 60 * 1000

async function contractWallet(isCheat = false): Promise<{ owner: PrivateKeyAccount; address: Hex }> {
  const owner = privateKeyToAccount(generatePrivateKey())
  const address = await deployWallet(chain, owner.address, isCheat)
  await chain.fund(address, 2n * PRICE)
  return { owner, address }
}
const sign = ({ owner, address }: Awaited<ReturnType<typeof contractWallet>>) =>
  signAuthorization(owner, { from: address })
const wrap = (signature: Hex): Hex =>
  serializeErc6492Signature({ address: `0x${'fa'.repeat(20)}`, data: '0x1234', signature })

suite('a wallet that is a contract', () => {
  for (const [what, change] of [
    ['with the signature of its owner', (signature) => signature],
    ['with a signature of its own format', (signature) => `${signature}${'ab'.repeat(600)}`],
    ['with a signature in the wrapper of ERC-6492, though it is deployed', wrap],
  ] as readonly (readonly [string, (signature: Hex) => Hex])[]) {
    for (const write of [v1Headers, v2Headers]) {
      test(`pays ${what}, in ${write.name}`, async (t) => {
        const { scheme } = await openScheme(t, chain)
        const wallet = await contractWallet()
        const { authorization, signature } = await sign(wallet)
        const payment = parsePayment(scheme, write({ authorization, signature: change(signature) }))
        assert.equal(await payment.isSigned(), false)
        await payment.verify(NEVER_ABORTED)
        const settlement = await payment.settle(NEVER_ABORTED)
        assert.equal(await chain.balanceOf(wallet.address), PRICE)
        assert.deepEqual(await payment.recover(NEVER_ABORTED), settlement)
        const other = await openScheme(t, chain)
        assert.deepEqual(await other.scheme.restore(payment.stored).settle(NEVER_ABORTED), settlement)
        assert.equal(await chain.balanceOf(wallet.address), PRICE)
      })
    }
  }

  test('is refused with the signature of somebody else, before any work', async (t) => {
    const { scheme } = await openScheme(t, chain)
    const { address } = await contractWallet()
    const payment = parsePayment(scheme, v2Headers(await sign({ address, owner: await createWallet(chain) })))
    await assert.rejects(payment.verify(NEVER_ABORTED), refused('verification-failed', /does not take the signature/))
  })

  test('that signs only while gas is free is found out before it costs any', async (t) => {
    const { scheme, settler } = await openScheme(t, chain)
    const payment = parsePayment(scheme, v2Headers(await sign(await contractWallet(true))))
    await assert.rejects(payment.verify(NEVER_ABORTED), refused('verification-failed'))
    await assert.rejects(payment.settle(NEVER_ABORTED), refused('verification-failed'))
    assert.equal(await chain.rpc('eth_getTransactionCount', [settler.address, 'pending']), '0x0')
  })

  test('that changes its owner during the work pays nothing, and is not accepted for a day', async (t) => {
    let now = systemClock.now()
    const { scheme, settler } = await openScheme(t, chain, { clock: { ...systemClock, now: () => now } })
    const wallet = await contractWallet()
    const before = parsePayment(scheme, v2Headers(await sign(wallet)))
    await before.verify(NEVER_ABORTED)
    const next = await createWallet(chain, 0n)
    await chain.rpc('hardhat_setStorageAt', [
      wallet.address,
      '0x0',
      `0x${next.address.slice(2).toLowerCase().padStart(64, '0')}`,
    ])
    await assert.rejects(before.settle(NEVER_ABORTED), refused('verification-failed'))
    assert.equal(await chain.rpc('eth_getTransactionCount', [settler.address, 'pending']), '0x0')
    const pay = async () => {
      const validBefore = BigInt(Math.floor(now / 1000)) + 300n
      const payload = await signAuthorization(next, { from: wallet.address, validBefore })
      return parsePayment(scheme, v2Headers(payload)).verify(NEVER_ABORTED)
    }
    await assert.rejects(pay(), refused('verification-failed', /a day later/))
    now += DAY_MS
    await pay()
  })

  test('that cancels its payment during the work is not accepted for a day', async (t) => {
    const { scheme } = await openScheme(t, chain)
    const wallet = await contractWallet()
    const signed = await sign(wallet)
    const payment = parsePayment(scheme, v2Headers(signed))
    await payment.verify(NEVER_ABORTED)
    await cancel(chain, wallet.owner, signed.authorization.nonce, wallet.address)
    await assert.rejects(payment.settle(NEVER_ABORTED), refused('verification-failed', /cancelled/))
    const next = parsePayment(scheme, v2Headers(await sign(wallet)))
    await assert.rejects(next.verify(NEVER_ABORTED), refused('verification-failed', /a day later/))
  })

  test('whose transfer would fail now is left open if it may have been sent before', async (t) => {
    const { scheme } = await openScheme(t, chain)
    const wallet = await contractWallet()
    const { stored } = parsePayment(scheme, v2Headers(await sign(wallet)))
    await chain.rpc('hardhat_setStorageAt', [wallet.address, '0x0', `0x${'11'.repeat(20).padStart(64, '0')}`])
    const again = scheme.restore(stored)
    assert.equal(await again.recover(NEVER_ABORTED), null)
    await assert.rejects(again.settle(NEVER_ABORTED), unknownOutcome)
  })

  test('that is not deployed yet is told to be', async (t) => {
    const { scheme } = await openScheme(t, chain)
    const owner = await createWallet(chain)
    const from: Hex = `0x${'5d'.repeat(20)}`
    await chain.fund(from, PRICE)
    const { authorization, signature } = await signAuthorization(owner, { from })
    const payment = parsePayment(scheme, v2Headers({ authorization, signature: wrap(signature) }))
    await assert.rejects(payment.verify(NEVER_ABORTED), refused('verification-failed', /deploy the wallet first/))
  })
})

suite('an account that delegates to a contract (EIP-7702)', () => {
  const delegate = async (account: PrivateKeyAccount, to: Hex) =>
    chain.rpc('hardhat_setCode', [account.address, `0xef0100${to.slice(2)}`])

  test('pays with its own signature if the contract accepts that', async (t) => {
    const { scheme } = await openScheme(t, chain)
    const account = await createWallet(chain)
    await delegate(account, (await contractWallet()).address)
    const payment = parsePayment(scheme, v2Headers(await signAuthorization(account)))
    await payment.verify(NEVER_ABORTED)
    await payment.settle(NEVER_ABORTED)
    assert.equal(await chain.balanceOf(account.address), 0n)
  })

  test('is refused before the work if the contract does not', async (t) => {
    const { scheme } = await openScheme(t, chain)
    const account = await createWallet(chain)
    await delegate(account, chain.usdc)
    const payment = parsePayment(scheme, v2Headers(await signAuthorization(account)))
    assert.equal(await payment.isSigned(), true)
    await assert.rejects(payment.verify(NEVER_ABORTED), refused('verification-failed'))
  })
})
