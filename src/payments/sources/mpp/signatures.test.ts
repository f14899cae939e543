import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Account } from 'viem/tempo'
import { type Hex, PaymentRefused } from '../../scheme.ts'
import { ACCESS_KEYS, accessKeyRoot, authorize, credentialBy, paymentBy, ROOT_ACCOUNTS } from './accounts.fixture.ts'
import { createTestScheme, headersOf, KEY, neverAborted, OFFER, RECIPIENT, refused } from './mpp.fixture.ts'

const STRANGER: Hex = `0x${'77'.repeat(32)}`

/** The last bytes of a signed transaction are those of its signature. */
const changed = (raw: Hex, at: number): Hex => {
  const index = raw.length - 2 * at
  const byte = Number.parseInt(raw.slice(index, index + 2), 16) ^ 1
  return `${raw.slice(0, index) as Hex}${byte.toString(16).padStart(2, '0')}${raw.slice(index + 2)}`
}

suite('signatures of Tempo', () => {
  for (const [kind, accountOf] of Object.entries(ROOT_ACCOUNTS)) {
    test(`${kind}: pays, is counted as signed, and asks nobody before its signature is right`, async () => {
      const world = createTestScheme()
      const account = accountOf()
      world.chain.fund(account.address, 60_000n)
      const payment = await paymentBy(world, account)
      assert.equal(await payment.isSigned(), true)
      await payment.verify(neverAborted())
      await payment.settle(neverAborted())
      assert.equal(world.chain.balanceOf(RECIPIENT), 50_000n)
    })

    test(`${kind}: a touched signature, or one for another payer, is refused without asking a node`, async () => {
      const world = createTestScheme()
      const credential = await credentialBy(world, accountOf())
      const read = (over: object) => world.scheme.parse(headersOf({ ...credential, ...over }), OFFER)!
      const forged = async (over: object) => {
        try {
          const payment = read(over)
          assert.equal(await payment.isSigned(), false)
          await payment.verify(neverAborted())
        } catch (error) {
          assert.ok(error instanceof PaymentRefused, String(error))
          return
        }
        assert.fail('a forged signature was accepted')
      }
      const raw = credential.payload.signature
      for (const at of [3, 20, 40, 60, 64])
        await forged({ payload: { type: 'transaction', signature: changed(raw, at) } })
      await forged({ source: `did:pkh:eip155:4217:${Account.fromSecp256k1(STRANGER).address}` })
      assert.deepEqual(world.requests, [])
    })
  }

  test('a P256 signature over the SHA-256 of the hash (WebCrypto) is valid, too', async () => {
    const world = createTestScheme()
    const { WebCryptoP256 } = await import('viem/tempo')
    const account = Account.fromWebCryptoP256(await WebCryptoP256.createKeyPair())
    world.chain.fund(account.address, 60_000n)
    const payment = await paymentBy(world, account)
    await payment.verify(neverAborted())
    await payment.settle(neverAborted())
    assert.equal(world.chain.balanceOf(RECIPIENT), 50_000n)
  })

  for (const [kind, accountOf] of Object.entries(ACCESS_KEYS)) {
    test(`${kind}: pays once its account has authorized it, and not after it was revoked`, async () => {
      const world = createTestScheme()
      const account = accountOf()
      world.chain.fund(account.address, 200_000n)
      const unknown = await paymentBy(world, account)
      await assert.rejects(unknown.verify(neverAborted()), refused('verification-failed', /access key/))
      await authorize(world.chain, account, world.clock.now())
      const payment = await paymentBy(world, account)
      assert.equal(payment.payer, accessKeyRoot().address.toLowerCase())
      await payment.verify(neverAborted())
      await payment.settle(neverAborted())
      assert.equal(world.chain.balanceOf(RECIPIENT), 50_000n)
      world.chain.revokeKey(account.address, account.accessKeyAddress)
      const revoked = await paymentBy(world, account)
      await assert.rejects(revoked.verify(neverAborted()), refused('verification-failed', /access key/))
    })

    test(`${kind}: can be authorized by the payment itself`, async () => {
      const world = createTestScheme()
      const account = accountOf()
      world.chain.fund(account.address, 200_000n)
      const permit = (expiry?: number) =>
        accessKeyRoot().signKeyAuthorization(account, { chainId: 4217n, ...(expiry !== undefined && { expiry }) })
      const payment = await paymentBy(world, account, { fields: { keyAuthorization: await permit() } })
      await payment.verify(neverAborted())
      await payment.settle(neverAborted())
      assert.equal(world.chain.balanceOf(RECIPIENT), 50_000n)
      const ended = Math.floor(world.clock.now() / 1000)
      const expired = await paymentBy(world, account, { fields: { keyAuthorization: await permit(ended) } })
      await assert.rejects(expired.verify(neverAborted()), refused('verification-failed', /access key/))
    })
  }

  test('an access key that somebody else authorized, or for another account, is refused without asking a node', async () => {
    const world = createTestScheme()
    const account = ACCESS_KEYS['P256 access key']()
    const stranger = Account.fromSecp256k1(STRANGER)
    const permit = await stranger.signKeyAuthorization(account, { chainId: 4217n })
    const elsewhere = await accessKeyRoot().signKeyAuthorization(account, { chainId: 1n })
    for (const keyAuthorization of [permit, elsewhere]) {
      const payment = await paymentBy(world, account, { fields: { keyAuthorization } })
      await assert.rejects(payment.verify(neverAborted()), refused('verification-failed', /not signed by the payer/))
    }
    const credential = await credentialBy(world, account)
    const victim = Account.fromSecp256k1(KEY).address
    const stolen = world.scheme.parse(headersOf({ ...credential, source: `did:pkh:eip155:4217:${victim}` }), OFFER)!
    await assert.rejects(stolen.verify(neverAborted()), refused('verification-failed', /not signed by the payer/))
    assert.deepEqual(world.requests, [])
  })

  test('a node that does not tell whether an access key is authorized is a failure of the node', async () => {
    const world = createTestScheme()
    const account = ACCESS_KEYS['secp256k1 access key']()
    world.chain.fund(account.address, 60_000n)
    await authorize(world.chain, account, world.clock.now())
    world.intercept(async (call, ask) => {
      const [request] = call.params as [{ to?: string }]
      return request.to?.startsWith('0xaaaaaaaa') ? { ok: true, result: '0x' } : ask()
    })
    const payment = await paymentBy(world, account)
    await assert.rejects(payment.verify(neverAborted()), { name: 'UpstreamError' })
  })

  test('signatures of the old access keys and of multisig are refused', async () => {
    const world = createTestScheme()
    const credential = await credentialBy(world, ACCESS_KEYS['P256 access key']())
    const raw = credential.payload.signature
    for (const type of ['03', '05']) {
      const signature = raw.replace(/04(?=[\da-f]{40}01[\da-f]{258}$)/, type)
      assert.notEqual(signature, raw)
      const headers = headersOf({ ...credential, payload: { type: 'transaction', signature } })
      assert.throws(() => world.scheme.parse(headers, OFFER), refused('verification-failed', /not signed by/))
    }
  })
})
