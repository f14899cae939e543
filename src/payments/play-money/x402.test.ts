import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { privateKeyToAccount } from 'viem/accounts'
import { systemClock } from '../../kernel/clock.ts'
import { createLog } from '../../kernel/log.ts'
import { createRpc } from '../sources/mpp/mpp.fixture.ts'
import { createKeySettler } from '../sources/x402/key-settler.ts'
import { BASE, BASE_USDC } from '../sources/x402/network.ts'
import {
  CHEAP_ETHER,
  NEVER_ABORTED,
  PAY_TO,
  parsePayment,
  payingFetch,
  SECRETS,
  v2Headers,
  signAuthorization,
} from '../sources/x402/x402.fixture.ts'
import { createX402 } from '../sources/x402/x402.ts'
import { createSimulatedBase } from './base.ts'

const payer = privateKeyToAccount(`0x${'44'.repeat(32)}`)

/** The scheme of x402 as in production, on the simulated chain. */
function open() {
  const chain = createSimulatedBase({ clock: systemClock, usdc: BASE_USDC.address })
  chain.fund(payer.address, 10_000_000n)
  const rpc = { ...createRpc(chain), agree: () => Promise.reject(new Error('there is only one node')) }
  const shared = { rpc, network: BASE, token: BASE_USDC }
  const log = createLog('silent', { write() {} })
  const settler = createKeySettler({
    ...shared,
    key: `0x${'55'.repeat(32)}`,
    gasCap: CHEAP_ETHER,
    clock: systemClock,
    log,
  })
  const scheme = createX402({
    ...shared,
    secrets: SECRETS,
    payTo: PAY_TO,
    clock: systemClock,
    settler,
    pollIntervalMs: 5,
  })
  return { chain, scheme }
}

suite('x402 on the simulated Base', () => {
  test('the client @x402/fetch pays', async () => {
    const { chain, scheme } = open()
    const response = await payingFetch(scheme, payer)('http://127.0.0.1/v1/intel')
    assert.equal(response.status, 200)
    assert.ok(response.headers.get('payment-response'))
    assert.equal(chain.balanceOf(PAY_TO), 50_000n)
  })

  test('fifty payments at once are all settled, each once, and each can be found again', async () => {
    const { chain, scheme } = open()
    const headers = await Promise.all(Array.from({ length: 50 }, async () => v2Headers(await signAuthorization(payer))))
    const payments = headers.map((each) => parsePayment(scheme, each))
    const settled = await Promise.all(payments.map((payment) => payment.settle(NEVER_ABORTED)))
    assert.equal(chain.balanceOf(PAY_TO), 50n * 50_000n)
    assert.equal(new Set(settled.map(({ transaction }) => transaction)).size, 50)
    const [payment] = payments
    assert.equal((await payment!.recover(NEVER_ABORTED))?.transaction, settled[0]!.transaction)
    await assert.rejects(payment!.verify(NEVER_ABORTED), /./)
  })
})
