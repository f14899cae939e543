import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ExactEvmSchemeV1 } from '@x402/evm/v1'
import { decodePaymentResponseHeader, x402Client, x402HTTPClient } from '@x402/fetch'
import { startBaseChain } from '../../../../sandbox/money/base-chain.ts'
import type { Settlement } from '../../scheme.ts'
import { unknownOutcome, startChainForFile } from './chain.fixture.ts'
import {
  base64,
  CHEAP_ETHER,
  createWallet,
  NEVER_ABORTED,
  OFFER,
  openScheme,
  PAY_TO,
  pairs,
  parsePayment,
  payingFetch,
  PRICE,
  signAuthorization,
  v1Headers,
  v2Headers,
} from './x402.fixture.ts'

const chain = await startChainForFile()

const receiptIn = ({ headers }: Settlement) => {
  const [[name, value]] = pairs(headers) as [[string, string]]
  return { name, ...decodePaymentResponseHeader(value) }
}

suite('paying on a real chain', () => {
  test('@x402/fetch pays what we ask, without ether of its own, and can read the receipt', async (t) => {
    const { scheme } = await openScheme(t, chain)
    const account = await createWallet(chain, 70_000n)
    const had = await chain.balanceOf(PAY_TO)
    const response = await payingFetch(scheme, account)('https://api.example.com/v1/intel')
    assert.equal(response.status, 200)
    const receipt = decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')
    assert.deepEqual(
      [receipt.success, receipt.network, receipt.payer],
      [true, 'eip155:8453', account.address.toLowerCase()],
    )
    assert.ok(await chain.rpc('eth_getTransactionReceipt', [receipt.transaction]))
    assert.deepEqual([await chain.balanceOf(PAY_TO), await chain.balanceOf(account.address)], [had + 50_000n, 20_000n])
  })

  test('a client of version 1 pays from the body of the 402', async (t) => {
    const { scheme } = await openScheme(t, chain)
    const account = await createWallet(chain)
    const client = new x402HTTPClient(new x402Client().registerV1('base', new ExactEvmSchemeV1(account)))
    const { members } = scheme.challenge(OFFER, undefined)
    const required = client.getPaymentRequiredResponse(() => null, {
      error: 'payment_required',
      ...JSON.parse(`{${members}}`),
    })
    const headers = client.encodePaymentSignatureHeader(await client.createPaymentPayload(required))
    const payment = parsePayment(scheme, { 'x-payment': headers['X-PAYMENT']! })
    await payment.verify(NEVER_ABORTED)
    const { name, network, transaction } = receiptIn(await payment.settle(NEVER_ABORTED))
    assert.deepEqual([name, network], ['X-PAYMENT-RESPONSE', 'base'])
    assert.match(transaction, /^0x[0-9a-f]{64}$/)
    assert.equal(await chain.balanceOf(account.address), 0n)
  })

  test('a payment of version 1 written from the specification is taken', async (t) => {
    const { scheme } = await openScheme(t, chain)
    const account = await createWallet(chain)
    const payment = parsePayment(scheme, v1Headers(await signAuthorization(account)))
    await payment.verify(NEVER_ABORTED)
    await payment.settle(NEVER_ABORTED)
    assert.equal(await chain.balanceOf(account.address), 0n)
  })

  test('checking one takes one request to the node', async (t) => {
    const { scheme, rpc } = await openScheme(t, chain)
    await rpc.verify()
    const payment = parsePayment(scheme, v2Headers(await signAuthorization(await createWallet(chain))))
    const posts = chain.posts()
    await payment.verify(NEVER_ABORTED)
    assert.equal(chain.posts() - posts, 1)
  })

  test('50 payments at once with one settlement key all go through', async (t) => {
    // Every block is a second later than the one before: too many for a chain that others share.
    const own = await startBaseChain()
    t.after(own.stop)
    const { scheme, settler } = await openScheme(t, own)
    const accounts = await Promise.all(Array.from({ length: 50 }, () => createWallet(own)))
    const payments = await Promise.all(
      accounts.map(async (account) => parsePayment(scheme, v2Headers(await signAuthorization(account)))),
    )
    const settlements = await Promise.all(
      payments.map(async (payment) => {
        await payment.verify(NEVER_ABORTED)
        return payment.settle(NEVER_ABORTED)
      }),
    )
    assert.equal(new Set(settlements.map(({ transaction }) => transaction)).size, 50)
    assert.equal(await own.balanceOf(PAY_TO), 50n * PRICE)
    // None was sent in vain.
    assert.equal(await own.rpc('eth_getTransactionCount', [settler.address, 'latest']), '0x32')
  })

  test('blocks that come late are waited for', async (t) => {
    const own = await startBaseChain()
    t.after(own.stop)
    const { scheme, settler } = await openScheme(t, own)
    const accounts = await Promise.all([createWallet(own), createWallet(own), createWallet(own)])
    await own.setAutomine(false)
    const settled = Promise.all(
      accounts.map(async (account) =>
        parsePayment(scheme, v2Headers(await signAuthorization(account))).settle(NEVER_ABORTED),
      ),
    )
    // All three are in the pool at once: their numbers follow each other.
    while ((await own.rpc('eth_getTransactionCount', [settler.address, 'pending'])) !== '0x3');
    await own.mine()
    assert.equal((await settled).length, 3)
    assert.equal(await own.balanceOf(PAY_TO), 3n * PRICE)
  })
})

suite('gas', () => {
  test('above the cap nothing is sent, and the payment stays as good as it was', async (t) => {
    const { scheme, settler } = await openScheme(t, chain, { gasCap: { ...CHEAP_ETHER, maxGasPrice: 1n } })
    const payment = parsePayment(scheme, v2Headers(await signAuthorization(await createWallet(chain))))
    const isTooDear = (error: unknown) => unknownOutcome(error) && /gas costs more/.test(String(error))
    await assert.rejects(payment.verify(NEVER_ABORTED), isTooDear)
    await assert.rejects(payment.settle(NEVER_ABORTED), isTooDear)
    assert.equal(await chain.rpc('eth_getTransactionCount', [settler.address, 'pending']), '0x0')
    assert.equal(await payment.recover(NEVER_ABORTED), null)
    const rich = await openScheme(t, chain)
    await rich.scheme.restore(payment.stored).settle(NEVER_ABORTED)
  })

  test('a key without ether takes nothing, says so in the log, and goes on when it has some', async (t) => {
    const { scheme, settler, lines } = await openScheme(t, chain)
    await chain.fuel(settler.address, 0n)
    const payment = parsePayment(scheme, v2Headers(await signAuthorization(await createWallet(chain))))
    await assert.rejects(payment.settle(NEVER_ABORTED), unknownOutcome)
    assert.match(lines.join('\n'), /too little ether/)
    await chain.fuel(settler.address, 10n ** 18n)
    await payment.settle(NEVER_ABORTED)
  })

  test('no line of the log holds a payment', async (t) => {
    const { scheme, settler, lines } = await openScheme(t, chain)
    await chain.fuel(settler.address, 0n)
    const payload = await signAuthorization(await createWallet(chain))
    await assert.rejects(parsePayment(scheme, v2Headers(payload)).settle(NEVER_ABORTED), unknownOutcome)
    const all = lines.join('\n').toLowerCase()
    assert.ok(all.length > 0)
    for (const secret of [payload.signature, payload.authorization.nonce, base64(payload)]) {
      assert.ok(!all.includes(secret.slice(2, 40).toLowerCase()))
    }
  })
})
