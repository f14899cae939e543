import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ExactEvmSchemeV1 } from '@x402/evm/v1'
import { decodePaymentResponseHeader, x402Client, x402HTTPClient } from '@x402/fetch'
import { encodeFunctionData, parseAbi } from 'viem'
import { ADMIN } from '../../../../sandbox/chain/accounts.ts'
import { send } from '../../../../sandbox/chain/send.ts'
import { type BaseChain, startBaseChain } from '../../../../sandbox/money/base-chain.ts'
import { type Clock, systemClock } from '../../../kernel/clock.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import { type Hex, PaymentRefused, type Settlement } from '../../scheme.ts'
import { BASE_USDC } from './network.ts'
import {
  base64,
  v1Headers,
  GWEI,
  NEVER_ABORTED,
  OFFER,
  openScheme,
  PAY_TO,
  pairs,
  payingFetch,
  parsePayment,
  PRICE,
  v2Headers,
  signAuthorization,
  createWallet,
} from './x402.fixture.ts'

let chain: BaseChain
before(async () => {
  chain = await startBaseChain()
})
after(() => chain.stop())

const ABI = parseAbi([
  'function blacklist(address account)',
  'function pause()',
  'function unpause()',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
])
const asAdmin = (data: Hex) => send(chain.rpc, { from: ADMIN.address, to: BASE_USDC.address, data })
const till = () => chain.balanceOf(PAY_TO)

const refused =
  (problem: string, message = /./) =>
  (error: unknown) => {
    assert.ok(error instanceof PaymentRefused, String(error))
    assert.equal(error.problem, problem, error.message)
    assert.match(error.message, message)
    return true
  }
const unknown = (error: unknown) => {
  assert.ok(error instanceof UpstreamError, String(error))
  return true
}
const receiptIn = ({ headers }: Settlement) => {
  const [[name, value]] = pairs(headers) as [[string, string]]
  return { name, ...decodePaymentResponseHeader(value) }
}

/** A clock that is wrong by so many seconds. */
const wrongBy = (seconds: number): Clock => ({ ...systemClock, now: () => systemClock.now() + seconds * 1000 })

/** Hands an authorization in by somebody else's hand. */
async function handIn(payload: Awaited<ReturnType<typeof signAuthorization>>): Promise<void> {
  const { from, to, value, validAfter, validBefore, nonce } = payload.authorization
  const args = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, payload.signature] as const
  await asAdmin(encodeFunctionData({ abi: ABI, functionName: 'transferWithAuthorization', args }))
}

suite('paying on a real chain', () => {
  test('@x402/fetch pays what we ask, without ether of its own, and can read the receipt', async (t) => {
    const { scheme } = await openScheme(t, chain)
    const account = await createWallet(chain, 70_000n)
    const had = await till()
    const response = await payingFetch(scheme, account)('https://api.example.com/v1/intel')
    assert.equal(response.status, 200)
    const receipt = decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')
    assert.deepEqual(
      [receipt.success, receipt.network, receipt.payer],
      [true, 'eip155:8453', account.address.toLowerCase()],
    )
    assert.ok(await chain.rpc('eth_getTransactionReceipt', [receipt.transaction]))
    assert.deepEqual([await till(), await chain.balanceOf(account.address)], [had + 50_000n, 20_000n])
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
        await asAdmin(encodeFunctionData({ abi: ABI, functionName: 'blacklist', args: [account.address] }))
        return v2Headers(await signAuthorization(account))
      },
    ],
    [
      'used before',
      'invalid-challenge',
      /used or cancelled/,
      async () => {
        const payload = await signAuthorization(await createWallet(chain, 2n * PRICE))
        await handIn(payload)
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
        await cancel(account, payload.authorization.nonce)
        return v2Headers(payload)
      },
    ],
  ]
  for (const [what, problem, message, attack] of attacks) {
    test(what, async (t) => {
      const { scheme } = await openScheme(t, chain)
      const payment = parsePayment(scheme, await attack())
      const had = await till()
      await assert.rejects(payment.verify(NEVER_ABORTED), refused(problem, message))
      // Settled all the same, it takes nothing that was not taken before.
      await payment.settle(NEVER_ABORTED).catch(refused('verification-failed'))
      assert.equal(await till(), had)
    })
  }

  test('a wrong signature is found out without asking anybody', async (t) => {
    const { scheme } = await openScheme(t, chain)
    const [payer, thief] = await Promise.all([createWallet(chain), createWallet(chain)])
    const payment = parsePayment(scheme, v2Headers(await signAuthorization(thief, { from: payer.address })))
    const posts = chain.posts()
    await assert.rejects(payment.verify(NEVER_ABORTED), PaymentRefused)
    await assert.rejects(payment.settle(NEVER_ABORTED), PaymentRefused)
    assert.equal(chain.posts(), posts)
  })

  for (const [what, at, times, problem] of [
    ['expired', 0, { validBefore: -1n }, 'payment-expired'],
    ['about to expire', 296, {}, 'payment-expired'],
    ['not valid yet', 0, { validAfter: 60n }, 'verification-failed'],
    ['of a client ten minutes behind', 600, {}, 'payment-expired'],
    ['of a client more than ten minutes ahead', -605, {}, 'verification-failed'],
  ] as const) {
    test(`a payment ${what}`, async (t) => {
      const { scheme } = await openScheme(t, chain, { clock: wrongBy(at) })
      const now = BigInt(Math.floor(Date.now() / 1000))
      const changes = Object.fromEntries(Object.entries(times).map(([name, offset]) => [name, now + offset]))
      const payment = parsePayment(scheme, v2Headers(await signAuthorization(await createWallet(chain), changes)))
      await assert.rejects(payment.verify(NEVER_ABORTED), refused(problem))
    })
  }

  test('everybody, while USDC is paused', async (t) => {
    const { scheme } = await openScheme(t, chain)
    const payment = parsePayment(scheme, v2Headers(await signAuthorization(await createWallet(chain))))
    await asAdmin(encodeFunctionData({ abi: ABI, functionName: 'pause' }))
    try {
      await assert.rejects(payment.verify(NEVER_ABORTED), refused('verification-failed', /paused/))
    } finally {
      await asAdmin(encodeFunctionData({ abi: ABI, functionName: 'unpause' }))
    }
    await payment.verify(NEVER_ABORTED)
  })
})

async function cancel(account: Awaited<ReturnType<typeof createWallet>>, nonce: Hex): Promise<void> {
  const signature = await account.signTypedData({
    domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: BASE_USDC.address },
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: account.address, nonce },
  })
  const args = [account.address, nonce, signature] as const
  await asAdmin(encodeFunctionData({ abi: ABI, functionName: 'cancelAuthorization', args }))
}

suite('what became of a payment is told by the chain', () => {
  test('before it is taken it can be', async (t) => {
    const { scheme } = await openScheme(t, chain)
    const payment = parsePayment(scheme, v2Headers(await signAuthorization(await createWallet(chain))))
    assert.equal(await payment.recover(NEVER_ABORTED), null)
    const settlement = await payment.settle(NEVER_ABORTED)
    assert.deepEqual(await payment.recover(NEVER_ABORTED), settlement)
  })

  test('another process finds it from what was written down', async (t) => {
    const { scheme } = await openScheme(t, chain)
    const payment = parsePayment(scheme, v1Headers(await signAuthorization(await createWallet(chain))))
    const settlement = await payment.settle(NEVER_ABORTED)
    const other = await openScheme(t, chain)
    assert.deepEqual(await other.scheme.restore(payment.stored).recover(NEVER_ABORTED), settlement)
  })

  test('settled twice it is paid once', async (t) => {
    const { scheme, settler } = await openScheme(t, chain)
    const account = await createWallet(chain, 3n * PRICE)
    const payment = parsePayment(scheme, v2Headers(await signAuthorization(account)))
    const settlement = await payment.settle(NEVER_ABORTED)
    assert.deepEqual(await payment.settle(NEVER_ABORTED), settlement)
    const other = await openScheme(t, chain)
    assert.deepEqual(await other.scheme.restore(payment.stored).settle(NEVER_ABORTED), settlement)
    assert.equal(await chain.balanceOf(account.address), 2n * PRICE)
    assert.equal(await chain.rpc('eth_getTransactionCount', [settler.address, 'latest']), '0x1')
  })

  test('where somebody else handed it in first, we are paid all the same', async (t) => {
    const { scheme } = await openScheme(t, chain)
    const payload = await signAuthorization(await createWallet(chain))
    const payment = parsePayment(scheme, v2Headers(payload))
    await payment.verify(NEVER_ABORTED)
    await handIn(payload)
    const settlement = await payment.settle(NEVER_ABORTED)
    assert.deepEqual(await payment.recover(NEVER_ABORTED), settlement)
  })

  test('a nonce the payer used to pay somebody else paid nothing here', async (t) => {
    const { scheme } = await openScheme(t, chain)
    const account = await createWallet(chain, 2n * PRICE)
    const payload = await signAuthorization(account)
    const payment = parsePayment(scheme, v2Headers(payload))
    await payment.verify(NEVER_ABORTED)
    const had = await till()
    const { nonce } = payload.authorization
    await handIn(await signAuthorization(account, { nonce, to: account.address }))
    for (const look of [payment.settle, payment.recover]) {
      await assert.rejects(look(NEVER_ABORTED), refused('verification-failed', /cancelled|another/))
    }
    assert.equal(await till(), had)
  })

  test('one cancelled meanwhile was not taken', async (t) => {
    const { scheme } = await openScheme(t, chain)
    const account = await createWallet(chain)
    const payload = await signAuthorization(account)
    const payment = parsePayment(scheme, v2Headers(payload))
    await cancel(account, payload.authorization.nonce)
    await assert.rejects(payment.settle(NEVER_ABORTED), refused('verification-failed', /cancelled/))
    await assert.rejects(payment.recover(NEVER_ABORTED), refused('verification-failed', /cancelled/))
  })

  test('a purse emptied meanwhile pays nothing, and once it is full again the same payment is good', async (t) => {
    const { scheme, settler } = await openScheme(t, chain)
    const account = await createWallet(chain)
    await chain.fuel(account.address, 10n ** 18n)
    const payment = parsePayment(scheme, v2Headers(await signAuthorization(account)))
    await payment.verify(NEVER_ABORTED)
    const data = encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [ADMIN.address, PRICE] })
    await chain.rpc('hardhat_impersonateAccount', [account.address])
    await send(chain.rpc, { from: account.address, to: BASE_USDC.address, data })
    await assert.rejects(payment.settle(NEVER_ABORTED), refused('verification-failed', /nothing was charged/))
    assert.equal(await payment.recover(NEVER_ABORTED), null)
    await chain.fund(account.address, PRICE)
    await payment.settle(NEVER_ABORTED)
    assert.equal(await chain.balanceOf(account.address), 0n)
    assert.equal(await chain.rpc('eth_getTransactionCount', [settler.address, 'latest']), '0x2')
  })

  test('one that ran out is refused for good, but only once the chain has come so far', async (t) => {
    const own = await startBaseChain()
    t.after(own.stop)
    const { scheme } = await openScheme(t, own)
    const late = await openScheme(t, own, { clock: wrongBy(400) })
    const { stored } = parsePayment(scheme, v2Headers(await signAuthorization(await createWallet(own))))
    await assert.rejects(late.scheme.restore(stored).recover(NEVER_ABORTED), unknown)
    await assert.rejects(late.scheme.restore(stored).settle(NEVER_ABORTED), unknown)
    await own.increaseTime(400)
    await assert.rejects(
      late.scheme.restore(stored).recover(NEVER_ABORTED),
      refused('payment-expired', /nothing was charged/),
    )
    await assert.rejects(late.scheme.restore(stored).settle(NEVER_ABORTED), refused('payment-expired'))
    await assert.rejects(scheme.restore(stored).recover(NEVER_ABORTED), refused('payment-expired'))
  })

  test('it is found days later, among thousands of blocks', async (t) => {
    const own = await startBaseChain()
    t.after(own.stop)
    const { scheme } = await openScheme(t, own)
    await own.rpc('hardhat_mine', ['0x5000', '0x2'])
    const payment = parsePayment(
      scheme,
      v2Headers(await signAuthorization(await createWallet(own), { validBefore: 99_999_999_999n })),
    )
    const settlement = await payment.settle(NEVER_ABORTED)
    await own.rpc('hardhat_mine', ['0x5000', '0x2'])
    const posts = own.posts()
    assert.deepEqual(await payment.recover(NEVER_ABORTED), settlement)
    // Its state, a guess where to begin, the log, its receipt; not a walk through half the chain.
    assert.ok(own.posts() - posts <= 8)
  })
})

suite('gas', () => {
  test('above the cap nothing is sent, and the payment stays as good as it was', async (t) => {
    const { scheme, settler } = await openScheme(t, chain, { maxGasPrice: 1n })
    const payment = parsePayment(scheme, v2Headers(await signAuthorization(await createWallet(chain))))
    await payment.verify(NEVER_ABORTED)
    await assert.rejects(
      payment.settle(NEVER_ABORTED),
      (error: unknown) => unknown(error) && /gas costs more/.test(String(error)),
    )
    assert.equal(await chain.rpc('eth_getTransactionCount', [settler.address, 'pending']), '0x0')
    assert.equal(await payment.recover(NEVER_ABORTED), null)
    const rich = await openScheme(t, chain, { maxGasPrice: 1000n * GWEI })
    await rich.scheme.restore(payment.stored).settle(NEVER_ABORTED)
  })

  test('a key without ether takes nothing, says so in the log, and goes on when it has some', async (t) => {
    const { scheme, settler, lines } = await openScheme(t, chain)
    await chain.fuel(settler.address, 0n)
    const payment = parsePayment(scheme, v2Headers(await signAuthorization(await createWallet(chain))))
    await assert.rejects(payment.settle(NEVER_ABORTED), unknown)
    assert.match(lines.join('\n'), /too little ether/)
    await chain.fuel(settler.address, 10n ** 18n)
    await payment.settle(NEVER_ABORTED)
  })

  test('no line of the log holds a payment', async (t) => {
    const { scheme, settler, lines } = await openScheme(t, chain)
    await chain.fuel(settler.address, 0n)
    const payload = await signAuthorization(await createWallet(chain))
    await assert.rejects(parsePayment(scheme, v2Headers(payload)).settle(NEVER_ABORTED), unknown)
    const all = lines.join('\n').toLowerCase()
    assert.ok(all.length > 0)
    for (const secret of [payload.signature, payload.authorization.nonce, base64(payload)]) {
      assert.ok(!all.includes(secret.slice(2, 40).toLowerCase()))
    }
  })
})
