import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Receipt } from 'mppx'
import { UpstreamError } from '../../../kernel/errors.ts'
import type { Hex } from '../../scheme.ts'
import {
  challengeOf,
  createTestScheme,
  disconnect,
  type Draft,
  headersOf,
  memoOf,
  neverAborted,
  OFFER,
  PAYER,
  REALM,
  refused,
  signTransfer,
} from './mpp.fixture.ts'

type World = ReturnType<typeof createTestScheme>

async function push({ scheme, chain, clock }: World, draft: Partial<Draft> = {}, delayMs = 0) {
  const challenge = challengeOf(scheme)
  clock.advance(delayMs)
  const raw = await signTransfer(clock.now(), { challengeId: challenge.id, ...draft })
  const { transactionHash } = (await chain.answer('eth_sendRawTransactionSync', [raw])) as { transactionHash: Hex }
  return credentialOf(challenge, transactionHash)
}

const credentialOf = (challenge: unknown, hash: Hex) => ({
  challenge,
  payload: { type: 'hash', hash },
  source: `did:pkh:eip155:4217:${PAYER}`,
})

const read = ({ scheme }: Pick<World, 'scheme'>, credential: object) => scheme.parse(headersOf(credential), OFFER)!

suite('a payment that its client has sent', () => {
  test('is found on the chain, and settled without sending anything', async () => {
    const world = createTestScheme()
    const credential = await push(world)
    const payment = read(world, credential)
    assert.match(payment.paidIn!, /^0x[0-9a-f]{64}$/)
    assert.equal(await payment.isSigned(), false)
    await payment.verify(neverAborted())
    const { transaction, headers } = await payment.settle(neverAborted())
    assert.equal(transaction, credential.payload.hash)
    assert.equal(Receipt.deserialize(headers[1]!).reference, transaction)
    assert.ok(!world.requests.flat().some((method) => method.startsWith('eth_send')))
    const restored = world.scheme.restore(payment.stored)
    assert.deepEqual([restored.key, restored.proof, restored.stored], [payment.key, payment.proof, payment.stored])
    assert.deepEqual(await restored.recover(neverAborted()), await payment.recover(neverAborted()))
  })

  test('has the key of the same transfer when it is pulled: one transfer is not sold in both modes', async () => {
    const world = createTestScheme()
    const credential = await push(world)
    const signature = await signTransfer(world.clock.now(), {
      challengeId: (credential.challenge as { id: string }).id,
    })
    const pulled = read(world, { ...credential, payload: { type: 'transaction', signature } })
    const pushed = read(world, credential)
    assert.equal(pulled.key, pushed.key)
    assert.notEqual(pulled.proof, pushed.proof)
  })

  const wrong: [string, Partial<Draft>][] = [
    ['names another challenge', { memo: memoOf(REALM, 'another') }],
    ['names another server', { realm: 'other.example' }],
    ['pays too little', { amount: 49_999n }],
    ['pays too much', { amount: 50_001n }],
    ['pays somebody else', { recipient: PAYER }],
  ]
  for (const [what, draft] of wrong) {
    test(`is refused if its transaction ${what}`, async () => {
      const world = createTestScheme()
      const payment = read(world, await push(world, draft))
      const isRefused = refused('verification-failed', /does not make the payment/)
      await assert.rejects(payment.verify(neverAborted()), isRefused)
      await assert.rejects(payment.settle(neverAborted()), isRefused)
    })
  }

  test('is refused if somebody else made it, or if it failed', async () => {
    const world = createTestScheme()
    const key: Hex = `0x${'43'.repeat(32)}`
    const failed = read(world, { ...(await push(world, { amount: 2_000_000n })) })
    await assert.rejects(failed.verify(neverAborted()), refused('verification-failed', /failed on the chain/))
    const { privateKeyToAccount } = await import('viem/accounts')
    world.chain.fund(privateKeyToAccount(key).address, 60_000n)
    const foreign = read(world, await push(world, { key }))
    await assert.rejects(foreign.verify(neverAborted()), refused('verification-failed', /does not make the payment/))
  })

  test('is unknown, never refused, while no node shows it', async () => {
    const world = createTestScheme()
    const payment = read(world, credentialOf(challengeOf(world.scheme), `0x${'11'.repeat(32)}`))
    await assert.rejects(payment.verify(neverAborted()), UpstreamError)
    await assert.rejects(payment.settle(neverAborted()), UpstreamError)
    world.intercept(disconnect)
    await assert.rejects(payment.verify(neverAborted()), UpstreamError)
  })

  test('counts by the time of its block: paid in time and shown late is paid, paid late is not', async () => {
    const world = createTestScheme()
    const inTime = read(world, await push(world, {}, 4 * 60_000))
    world.clock.advance(24 * 60 * 60_000)
    await inTime.verify(neverAborted())
    const late = read(world, await push(world, {}, 6 * 60_000))
    await assert.rejects(late.verify(neverAborted()), refused('payment-expired', /after its challenge/))
    world.clock.advance(31 * 24 * 60 * 60_000)
    await assert.rejects(inTime.verify(neverAborted()), refused('payment-expired', /too long ago/))
  })
})
