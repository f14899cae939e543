import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { Receipt } from 'mppx'
import { keccak256, stringToBytes } from 'viem/utils'
import type { Hex } from '../../src/payments/scheme.ts'
import { memoOf, signTransfer } from '../../src/payments/sources/mpp/mpp.fixture.ts'
import { TEMPO_USDC } from '../../src/payments/sources/mpp/scheme.ts'
import { QUICK } from '../support/paid-shop.ts'
import { fundedWallet, type Wallet } from '../support/paid-wallets.ts'
import { mustBeRefused, type PaidWorld, startPaidWorld } from '../support/paid-world.ts'

/** The parameters of a challenge, read as both clients do. */
type Challenge = Record<'id' | 'realm' | 'method' | 'intent' | 'request' | 'expires' | 'opaque', string>
type Written = { challenge: object; payload: object; source: string }

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const decoded = (text: string): unknown => JSON.parse(Buffer.from(text, 'base64url').toString())
/** Members in the order of their names, as Go writes a map. */
const sorted = (value: object): object =>
  Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** The ten bytes of a memo that name the client. */
const withClient = (memo: Hex, client: string): Hex =>
  `${memo.slice(0, 32) as Hex}${keccak256(stringToBytes(client)).slice(2, 22)}${memo.slice(52)}`

/** How the clients of tempoxyz/pympp and tempoxyz/mpp-go write a credential. */
const CLIENTS: Readonly<Record<string, { write(credential: Written): string; memo(memo: Hex): Hex }>> = {
  // Members as they are set, and a client id in the memo.
  pympp: {
    write({ challenge, payload, source }) {
      const { id, realm, method, intent, request, expires, opaque } = challenge as Challenge
      return base64url({ challenge: { id, realm, method, intent, request, expires, opaque }, payload, source })
    },
    memo: (memo) => withClient(memo, 'a client in Python'),
  },
  // All members sorted; opaque is parsed into a map of texts and written anew. No client id.
  'mpp-go': {
    write({ challenge, payload, source }) {
      const { opaque, ...rest } = challenge as Challenge
      const texts = Object.entries(decoded(opaque) as object).map(([name, value]) => [name, String(value)])
      const again = base64url(sorted(Object.fromEntries(texts) as object))
      return base64url({ challenge: sorted({ ...rest, opaque: again }), payload: sorted(payload), source })
    },
    memo: (memo) => memo,
  },
}

suite('clients of other languages', () => {
  let world: PaidWorld
  before(async () => {
    world = await startPaidWorld()
  })
  after(() => world.stop())

  /** Both take nonces in sequence from lane 0, set no end, and pay fees in the token they transfer. */
  async function sign({ key }: Wallet, { id, realm, request }: Challenge, nonce: number, memo: (memo: Hex) => Hex) {
    const { amount, currency, recipient } = decoded(request) as { amount: string; currency: Hex; recipient: Hex }
    const fee = { maxFeePerGas: 24_000_000_000n, maxPriorityFeePerGas: 24_000_000_000n, gas: 100_000n }
    const fields = { nonceKey: 0n, nonce, validBefore: undefined, validAfter: undefined, feeToken: TEMPO_USDC, ...fee }
    const terms = { amount: BigInt(amount), token: currency, recipient, memo: memo(memoOf(realm, id)) }
    return signTransfer(world.clock.now(), { key, challengeId: id, realm, ...terms, fields })
  }
  const challengeAt = async (path: string): Promise<Challenge> => {
    const header = (await world.get(path, { 'accept-payment': 'tempo/charge' })).headers.get('www-authenticate')!
    return Object.fromEntries(
      [...header.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value]),
    )
  }

  for (const [name, { write, memo }] of Object.entries(CLIENTS)) {
    const send = (path: string, challenge: Challenge, payload: object, { address }: Wallet) => {
      const { description: _, ...echo } = challenge as Challenge & { description?: string }
      const credential = write({ challenge: echo, payload, source: `did:pkh:eip155:4217:${address}` })
      return world.get(path, { authorization: `Payment ${credential}` })
    }

    test(`${name}: pays three times in a row, each once`, async () => {
      const wallet = fundedWallet(world.chains)
      for (const nonce of [0, 1, 2]) {
        const path = `/v1/goods/${name} ${nonce}`
        const challenge = await challengeAt(path)
        const payload = { type: 'transaction', signature: await sign(wallet, challenge, nonce, memo) }
        const reply = await send(path, challenge, payload, wallet)
        assert.equal(reply.status, 200, reply.text)
        const { status, method, reference } = Receipt.deserialize(reply.headers.get('payment-receipt')!)
        assert.deepEqual([status, method, reference.length], ['success', 'tempo', 66])
        assert.equal((await send(path, challenge, payload, wallet)).text, reply.text)
        assert.equal(world.paidBy(wallet), BigInt(nonce + 1) * QUICK)
      }
    })

    test(`${name}: pays with the hash of a transaction it has sent`, async () => {
      const [path, wallet] = [`/v1/goods/${name} hash`, fundedWallet(world.chains)]
      const challenge = await challengeAt(path)
      const raw = await sign(wallet, challenge, 0, memo)
      const hash = await world.chains.tempo.answer('eth_sendRawTransaction', [raw])
      const reply = await send(path, challenge, { type: 'hash', hash }, wallet)
      assert.deepEqual([reply.status, world.paidBy(wallet)], [200, QUICK], reply.text)
    })

    test(`${name}: a challenge for another request, or one it changed, buys nothing`, async () => {
      const [path, wallet] = [`/v1/goods/${name} other`, fundedWallet(world.chains)]
      const challenge = await challengeAt(`${path}?tier=full`)
      const payload = { type: 'transaction', signature: await sign(wallet, challenge, 0, memo) }
      mustBeRefused(await send(path, challenge, payload, wallet), 'invalid-challenge')
      const later = { ...challenge, expires: '2027-01-01T00:00:00.000Z' }
      mustBeRefused(await send(`${path}?tier=full`, later, payload, wallet), 'invalid-challenge')
      assert.equal(world.paidBy(wallet), 0n)
    })
  }
})
