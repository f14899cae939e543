import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { suite, test, type TestContext } from 'node:test'
import { x402Facilitator } from '@x402/core/facilitator'
import { PaymentPayloadV2Schema, PaymentRequirementsV2Schema } from '@x402/core/schemas'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { createWalletClient, http, publicActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { systemClock } from '../../../kernel/clock.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import { serve } from '../../../kernel/upstream/loopback.fixture.ts'
import { PaymentRefused } from '../../scheme.ts'
import { startChainForFile } from './chain.fixture.ts'
import { createFacilitator } from './facilitator.ts'
import { BASE, BASE_USDC } from './network.ts'
import {
  v1Headers,
  NEVER_ABORTED,
  OFFER,
  openScheme,
  PAY_TO,
  parsePayment,
  PRICE,
  SECRETS,
  v2Headers,
  signAuthorization,
  createWallet,
} from './x402.fixture.ts'
import { createX402 } from './x402.ts'

const chain = await startChainForFile()

type Question = { readonly x402Version: number; readonly paymentPayload: never; readonly paymentRequirements: never }
type Answer = { readonly status?: number; readonly body: unknown }
type Says = (path: string, question: Question, headers: IncomingHttpHeaders) => Promise<Answer> | Answer

/** A facilitator on loopback, and a till that leaves settling to it. */
async function tillWith(
  t: TestContext,
  says: Says,
  options: {
    confirmTimeoutMs?: number
    settleTimeoutMs?: number
    authenticate?: (method: 'GET' | 'POST', url: string) => Record<string, string>
  } = {},
) {
  const asked: string[] = []
  const port = await serve(t, (request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const path = request.url ?? ''
      asked.push(path)
      const question = JSON.parse(Buffer.concat(pieces).toString() || '{}') as Question
      const answer = async () => {
        const { status = 200, body } = await says(path, question, request.headers)
        if (status === 0) response.destroy()
        else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      }
      void answer()
    })
  })
  const { upstream, rpc } = await openScheme(t, chain)
  const shared = { network: BASE, token: BASE_USDC }
  const { confirmTimeoutMs = 20_000, ...limits } = options
  const facilitator = createFacilitator({ ...shared, ...limits, upstream, url: `http://127.0.0.1:${port}/x402/` })
  const needs = {
    ...shared,
    payTo: PAY_TO,
    secrets: SECRETS,
    clock: systemClock,
    rpc,
    settler: facilitator,
    confirmTimeoutMs,
    pollIntervalMs: 5,
  } as const
  return { scheme: createX402(needs), facilitator, asked }
}

/** The reference implementation with a key of its own. */
async function reference(): Promise<Says> {
  const account = privateKeyToAccount(generatePrivateKey())
  await chain.fuel(account.address, 10n ** 18n)
  const transport = http(chain.url)
  const client = createWalletClient({ account, chain: base, transport, pollingInterval: 5 }).extend(publicActions)
  const signer = toFacilitatorEvmSigner({ ...client, address: account.address } as never)
  const facilitator = new x402Facilitator().register('eip155:8453', new ExactEvmScheme(signer))
  return async (path, { paymentPayload, paymentRequirements }) => {
    if (path === '/x402/supported') return { body: facilitator.getSupported() }
    PaymentPayloadV2Schema.parse(paymentPayload)
    PaymentRequirementsV2Schema.parse(paymentRequirements)
    const body =
      path === '/x402/verify'
        ? await facilitator.verify(paymentPayload, paymentRequirements)
        : await facilitator.settle(paymentPayload, paymentRequirements)
    return { body }
  }
}

const unknown = (error: unknown) => {
  assert.ok(error instanceof UpstreamError, String(error))
  return true
}
const refused = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof PaymentRefused, String(error))
  assert.match(error.message, message)
  return true
}

suite('the reference facilitator', () => {
  test('settles payments of both versions, and the chain confirms them', async (t) => {
    const { scheme, facilitator, asked } = await tillWith(t, await reference())
    assert.equal(await facilitator.supports(NEVER_ABORTED), true)
    for (const write of [v1Headers, v2Headers]) {
      const account = await createWallet(chain, 2n * PRICE)
      const payment = parsePayment(scheme, write(await signAuthorization(account)))
      await payment.verify(NEVER_ABORTED)
      const settlement = await payment.settle(NEVER_ABORTED)
      assert.ok(await chain.rpc('eth_getTransactionReceipt', [settlement.transaction]))
      assert.equal(await chain.balanceOf(account.address), PRICE)
      assert.deepEqual(await payment.recover(NEVER_ABORTED), settlement)
      // The chain knows that it is settled; the facilitator is not asked again.
      assert.deepEqual(await payment.settle(NEVER_ABORTED), settlement)
      assert.equal(await chain.balanceOf(account.address), PRICE)
    }
    assert.deepEqual(asked.slice(0, 3), ['/x402/supported', '/x402/verify', '/x402/settle'])
    assert.equal(asked.filter((path) => path === '/x402/settle').length, 2)
  })

  test('says no to a payment from an empty purse', async (t) => {
    const { scheme } = await tillWith(t, await reference())
    const payment = parsePayment(scheme, v2Headers(await signAuthorization(await createWallet(chain, 0n))))
    await assert.rejects(payment.verify(NEVER_ABORTED), PaymentRefused)
    // Settled a second time it is sent, and the facilitator says no itself.
    await assert.rejects(payment.settle(NEVER_ABORTED), refused(/less USDC/))
    await assert.rejects(payment.settle(NEVER_ABORTED), refused(/facilitator does not take.*insufficient_balance/))
  })
})

suite('a facilitator', () => {
  const hash = `0x${'ab'.repeat(32)}`
  const pay = async (t: TestContext, body: unknown, status = 200) => {
    const { scheme, asked } = await tillWith(t, () => ({ status, body }), {
      confirmTimeoutMs: 50,
      settleTimeoutMs: 5000,
    })
    const account = await createWallet(chain)
    return { payment: parsePayment(scheme, v2Headers(await signAuthorization(account))), account, asked }
  }

  for (const [what, body, status] of [
    ['claims a transaction that nobody sees', { success: true, transaction: hash }, 200],
    ['claims success without a transaction', { success: true, transaction: '' }, 200],
    ['waits for the chain itself', { success: false, errorReason: 'settlement_pending', transaction: hash }, 200],
    [
      'sent it and saw it fail',
      { success: false, errorReason: 'invalid_exact_evm_transaction_failed', transaction: hash },
      200,
    ],
    ['has trouble of its own', { success: false, errorReason: 'unexpected_settle_error', transaction: '' }, 200],
    ['does not know the network', { success: false, errorReason: 'invalid_network', transaction: '' }, 400],
    ['says no, but names a transaction', { success: false, errorReason: 'insufficient_funds', transaction: hash }, 200],
    ['says nothing of use', { hello: 'world' }, 200],
    ['says nothing', null, 200],
    ['is broken', { success: false, errorReason: 'insufficient_funds' }, 500],
    ['hangs up', null, 0],
  ] as const) {
    test(`that ${what} leaves the outcome open`, async (t) => {
      const { payment, account } = await pay(t, body, status)
      await assert.rejects(payment.settle(NEVER_ABORTED), unknown)
      assert.equal(await payment.recover(NEVER_ABORTED), null)
      assert.equal(await chain.balanceOf(account.address), PRICE)
    })
  }

  test('that finds the payment bad has it refused, in either step', async (t) => {
    const reason = 'invalid_exact_evm_signature'
    const { payment } = await pay(
      t,
      { isValid: false, invalidReason: reason, success: false, errorReason: reason },
      400,
    )
    await assert.rejects(payment.verify(NEVER_ABORTED), refused(/invalid_exact_evm_signature/))
    await assert.rejects(payment.settle(NEVER_ABORTED), refused(/invalid_exact_evm_signature/))
  })

  test('has its reasons passed on only where they are words', async (t) => {
    const { payment } = await pay(t, { isValid: false, invalidReason: '<script>https://x.example</script>' })
    await assert.rejects(payment.verify(NEVER_ABORTED), refused(/no reason given/))
  })

  test('that cannot check a payment makes it no bad one', async (t) => {
    for (const [body, status] of [
      [{}, 200],
      [{ isValid: 'yes' }, 200],
      [{ isValid: false }, 503],
    ] as const) {
      const { payment } = await pay(t, body, status)
      await assert.rejects(payment.verify(NEVER_ABORTED), unknown)
    }
  })

  test('is not asked about a payment that is not signed by its payer', async (t) => {
    const { scheme, asked } = await tillWith(t, () => ({ body: { isValid: true } }))
    const [payer, thief] = await Promise.all([createWallet(chain), createWallet(chain)])
    const forged = parsePayment(scheme, v2Headers(await signAuthorization(thief, { from: payer.address })))
    await assert.rejects(forged.verify(NEVER_ABORTED), PaymentRefused)
    await assert.rejects(forged.settle(NEVER_ABORTED), PaymentRefused)
    assert.deepEqual(asked, [])
  })

  test('that finds everything good does not make an empty purse full', async (t) => {
    const { scheme } = await tillWith(t, () => ({ body: { isValid: true } }))
    const payment = parsePayment(scheme, v2Headers(await signAuthorization(await createWallet(chain, 0n))))
    await assert.rejects(payment.verify(NEVER_ABORTED), refused(/less USDC/))
  })

  test('hears who asks, what is paid for and the extensions of the client, but not the resource a client names', async (t) => {
    const questions: { readonly who: string; readonly payload: Record<string, unknown> }[] = []
    const authenticate = (method: string, url: string) => ({ 'x-who': `${method} ${new URL(url).pathname}` })
    const says: Says = (_path, { paymentPayload }, headers) => {
      questions.push({ who: String(headers['x-who']), payload: paymentPayload })
      return { body: { isValid: true, kinds: [] } }
    }
    const { scheme, facilitator } = await tillWith(t, says, { authenticate })
    await facilitator.supports(NEVER_ABORTED)
    const extensions = { bazaar: { info: {} } }
    const changes = { extensions, resource: { url: 'https://elsewhere.example/' } }
    const payload = await signAuthorization(await createWallet(chain))
    await parsePayment(scheme, v2Headers(payload, changes)).verify(NEVER_ABORTED)
    const [supported, verified] = questions
    assert.deepEqual([supported?.who, verified?.who], ['GET /x402/supported', 'POST /x402/verify'])
    assert.deepEqual(verified!.payload['extensions'], extensions)
    assert.equal((verified!.payload['resource'] as { url: string }).url, OFFER.url)
  })

  test('must say that it settles what we take', async (t) => {
    for (const [kinds, expected] of [
      [[{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }], true],
      [[null, { x402Version: 2, scheme: 'exact', network: 'eip155:*' }], true],
      [[{ x402Version: 1, scheme: 'exact', network: 'base' }], false],
      [[{ x402Version: 2, scheme: 'exact', network: 'eip155:84532' }], false],
      [undefined, false],
    ] as const) {
      const { facilitator } = await tillWith(t, () => ({ body: { kinds } }))
      assert.equal(await facilitator.supports(NEVER_ABORTED), expected)
    }
  })
})
