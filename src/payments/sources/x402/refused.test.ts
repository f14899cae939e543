import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { encodeFunctionData } from 'viem'
import { PaymentRefused } from '../../scheme.ts'
import { ABI, asAdmin, cancel, clockOffBy, refused, submit, startChainForFile } from './chain.fixture.ts'
import {
  createWallet,
  NEVER_ABORTED,
  openScheme,
  PAY_TO,
  parsePayment,
  PRICE,
  signAuthorization,
  v1Headers,
  v2Headers,
} from './x402.fixture.ts'

const chain = await startChainForFile()

suite('a payment is refused before it costs anything', () => {
  const attacks: [string, string, RegExp, () => Promise<Record<string, string>>][] = [
    [
      'signed by somebody else',
      'verification-failed',
      /not signed by the account/,
      async () => {
        const [payer, thief] = await Promise.all([createWallet(chain), createWallet(chain)])
        return v2Headers(await signAuthorization(thief, { from: payer.address }))
      },
    ],
    [
      'signed for another chain',
      'verification-failed',
      /not signed/,
      async () => v2Headers(await signAuthorization(await createWallet(chain), {}, { chainId: 84_532 })),
    ],
    [
      'signed for another token',
      'verification-failed',
      /not signed/,
      async () => v2Headers(await signAuthorization(await createWallet(chain), {}, { verifyingContract: PAY_TO })),
    ],
    [
      'signed for a token of another name',
      'verification-failed',
      /not signed/,
      async () => v1Headers(await signAuthorization(await createWallet(chain), {}, { name: 'USDC' })),
    ],
    [
      'from an account with too little',
      'payment-insufficient',
      /less USDC/,
      async () => v2Headers(await signAuthorization(await createWallet(chain, PRICE - 1n))),
    ],
    [
      'from an account USDC has blocked',
      'verification-failed',
      /does not let this account pay/,
      async () => {
        const account = await createWallet(chain)
        await asAdmin(chain, encodeFunctionData({ abi: ABI, functionName: 'blacklist', args: [account.address] }))
        return v2Headers(await signAuthorization(account))
      },
    ],
    [
      'used before',
      'invalid-challenge',
      /used or cancelled/,
      async () => {
        const payload = await signAuthorization(await createWallet(chain, 2n * PRICE))
        await submit(chain, payload)
        return v2Headers(payload)
      },
    ],
    [
      'cancelled by its payer',
      'invalid-challenge',
      /used or cancelled/,
      async () => {
        const account = await createWallet(chain)
        const payload = await signAuthorization(account)
        await cancel(chain, account, payload.authorization.nonce)
        return v2Headers(payload)
      },
    ],
  ]
  for (const [what, problem, message, attack] of attacks) {
    test(what, async (t) => {
      const { scheme } = await openScheme(t, chain)
      const payment = parsePayment(scheme, await attack())
      const had = await chain.balanceOf(PAY_TO)
      await assert.rejects(payment.verify(NEVER_ABORTED), refused(problem, message))
      // Settled all the same, it takes nothing that was not taken before.
      await payment.settle(NEVER_ABORTED).catch((error: unknown) => assert.ok(error instanceof PaymentRefused))
      assert.equal(await chain.balanceOf(PAY_TO), had)
    })
  }

  test('a wrong signature takes one request to the node, and nothing is sent', async (t) => {
    const { scheme, rpc, settler } = await openScheme(t, chain)
    const [payer, thief] = await Promise.all([createWallet(chain), createWallet(chain)])
    const payment = parsePayment(scheme, v2Headers(await signAuthorization(thief, { from: payer.address })))
    await rpc.verify()
    const posts = chain.posts()
    await assert.rejects(payment.verify(NEVER_ABORTED), PaymentRefused)
    assert.equal(chain.posts() - posts, 1)
    await assert.rejects(payment.settle(NEVER_ABORTED), PaymentRefused)
    assert.equal(await chain.rpc('eth_getTransactionCount', [settler.address, 'pending']), '0x0')
  })

  for (const [what, at, times, problem] of [
    ['expired', 0, { validBefore: -1n }, 'payment-expired'],
    ['about to expire', 296, {}, 'payment-expired'],
    ['not valid yet', 0, { validAfter: 60n }, 'verification-failed'],
    ['of a client ten minutes behind', 600, {}, 'payment-expired'],
    ['of a client more than ten minutes ahead', -605, {}, 'verification-failed'],
  ] as const) {
    test(`a payment ${what}`, async (t) => {
      const { scheme } = await openScheme(t, chain, { clock: clockOffBy(at) })
      const now = BigInt(Math.floor(Date.now() / 1000))
      const changes = Object.fromEntries(Object.entries(times).map(([name, offset]) => [name, now + offset]))
      const payment = parsePayment(scheme, v2Headers(await signAuthorization(await createWallet(chain), changes)))
      await assert.rejects(payment.verify(NEVER_ABORTED), refused(problem))
    })
  }

  test('everybody, while USDC is paused', async (t) => {
    const { scheme } = await openScheme(t, chain)
    const payment = parsePayment(scheme, v2Headers(await signAuthorization(await createWallet(chain))))
    await asAdmin(chain, encodeFunctionData({ abi: ABI, functionName: 'pause' }))
    try {
      await assert.rejects(payment.verify(NEVER_ABORTED), refused('verification-failed', /paused/))
    } finally {
      await asAdmin(chain, encodeFunctionData({ abi: ABI, functionName: 'unpause' }))
    }
    await payment.verify(NEVER_ABORTED)
  })
})
