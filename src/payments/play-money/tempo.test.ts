import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { privateKeyToAccount } from 'viem/accounts'
import { Secp256k1, Transaction } from 'viem/tempo'
import { encodeFunctionData, keccak256, parseAbi } from 'viem/utils'
import { manualClock } from '../../kernel/clock.ts'
import type { Hex } from '../scheme.ts'
import { createSimulatedTempo } from './tempo.ts'

const TOKEN: Hex = '0x20C000000000000000000000b9537d11c60E8b50'
const ABI = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function transferWithMemo(address to, uint256 amount, bytes32 memo)',
])
const NONCES = parseAbi(['function getNonce(address account, uint256 nonceKey) view returns (uint64)'])
const NONCE_MANAGER = '0x4E4F4E4345000000000000000000000000000000'
const KEYS = ['11', '22', '33'].map((byte): Hex => `0x${byte.repeat(32)}`)
const ADDRESSES = KEYS.map((key) => privateKeyToAccount(key).address)
const MEMO: Hex = `0x${'ab'.repeat(32)}`

const transferCall = (to: Hex, amount: bigint) => ({
  to: TOKEN,
  data: encodeFunctionData({ abi: ABI, functionName: 'transferWithMemo', args: [to, amount, MEMO] }),
})

function open() {
  const clock = manualClock(Date.UTC(2026, 10, 15))
  const chain = createSimulatedTempo({ clock, token: TOKEN, capacity: 50 })
  const now = () => Math.floor(clock.now() / 1000)
  const sign = async (fields: object, key = KEYS[0]!): Promise<Hex> => {
    const transaction = {
      type: 'tempo',
      chainId: 4217,
      calls: [transferCall(ADDRESSES[1]!, 5n)],
      gas: 100_000n,
      maxFeePerGas: 20_000_000_000n,
      nonceKey: 2n ** 256n - 1n,
      validBefore: now() + 25,
      ...fields,
    }
    const signature = Secp256k1.sign({
      payload: keccak256(await Transaction.serialize(transaction as never)),
      privateKey: key,
    })
    const signed = { ...transaction, signature: { type: 'secp256k1', signature } }
    return await Transaction.serialize(signed as never)
  }
  const send = (raw: Hex) => chain.answer('eth_sendRawTransactionSync', [raw]) as Promise<Record<string, unknown>>
  return { clock, chain, now, sign, send }
}

suite('the simulated Tempo', () => {
  test('takes a transaction once: a second time is a replay, also under another signature', async () => {
    const { chain, sign, send, clock } = open()
    chain.fund(ADDRESSES[0]!, 100n)
    const raw = await sign({})
    const receipt = await send(raw)
    assert.equal(receipt['status'], '0x1')
    assert.deepEqual(await chain.answer('eth_getTransactionReceipt', [keccak256(raw)]), receipt)
    const parity = raw.endsWith('1b') ? '00' : '01'
    for (const again of [raw, `${raw.slice(0, -2)}${parity}` as Hex]) {
      await assert.rejects(send(again), { code: -32_000, message: /replay/ })
    }
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const mirrored = (order - BigInt(`0x${raw.slice(-66, -2)}`)).toString(16).padStart(64, '0')
    const flipped: Hex = `${raw.slice(0, -66) as Hex}${mirrored}${raw.endsWith('1b') ? '1c' : '1b'}`
    await assert.rejects(send(flipped), { message: /upper half/ })
    clock.advance(25_000)
    await assert.rejects(send(raw), { message: /expired/ })
    assert.equal(chain.balanceOf(ADDRESSES[1]!), 5n)
  })

  test('refuses what the real one would: times, chain, nonce, fees', async () => {
    const { chain, sign, send, now } = open()
    chain.fund(ADDRESSES[0]!, 100n)
    const rows: [object, RegExp][] = [
      [{ validBefore: now() }, /expired/],
      [{ validBefore: now() + 31 }, /within 30s/],
      [{ validAfter: now() + 1 }, /not valid yet/],
      [{ chainId: 1 }, /chain ID/],
      [{ nonce: 1 }, /nonce == 0/],
      [{ nonceKey: 0n, nonce: 1 }, /nonce too high/],
      [{ nonceKey: 7n, nonce: 1 }, /nonce too high/],
      [{ validBefore: undefined }, /valid_before/],
      [{ gas: 20_000n }, /gas/],
      [{ maxFeePerGas: 1n }, /base fee/],
      [{ feePayerSignature: null }, /sponsors/],
    ]
    for (const [fields, message] of rows) await assert.rejects(send(await sign(fields)), { code: -32_000, message })
    await assert.rejects(send('0x76c0'), { message: /decoded/ })
    await assert.rejects(send('0x02c0'), { message: /type not supported/ })
    assert.equal(chain.balanceOf(ADDRESSES[0]!), 100n)
  })

  test('counts nonces per lane, also those of transfers that failed', async () => {
    const { chain, sign, send } = open()
    chain.fund(ADDRESSES[0]!, 7n)
    const nonceOf = async (key: bigint) => {
      const data = encodeFunctionData({ abi: NONCES, args: [ADDRESSES[0]!, key] })
      return Number(await chain.answer('eth_call', [{ to: NONCE_MANAGER, data }]))
    }
    const lane = (nonceKey: bigint, nonce: number) => sign({ nonceKey, nonce, validBefore: undefined })
    assert.equal((await send(await lane(0n, 0)))['status'], '0x1')
    assert.equal((await send(await lane(9n, 0)))['status'], '0x0', 'no money left')
    assert.equal((await send(await lane(9n, 1)))['status'], '0x0')
    assert.equal(await chain.answer('eth_getTransactionCount', [ADDRESSES[0], 'latest']), '0x1')
    assert.deepEqual([await nonceOf(0n), await nonceOf(9n), await nonceOf(8n)], [1, 2, 0])
    await assert.rejects(send(await lane(0n, 0)), { message: /nonce too low/ })
  })

  test('mines an unfunded transfer as failed, without events', async () => {
    const { chain, sign, send } = open()
    chain.fund(ADDRESSES[0]!, 9n)
    const calls = [transferCall(ADDRESSES[1]!, 5n), transferCall(ADDRESSES[1]!, 5n)]
    const receipt = await send(await sign({ calls }))
    assert.deepEqual([receipt['status'], receipt['logs']], ['0x0', []])
    assert.equal(chain.balanceOf(ADDRESSES[0]!), 9n)
    const request = { from: ADDRESSES[0], calls, validBefore: '0x0' }
    await assert.rejects(chain.answer('eth_call', [request, 'latest']), { message: /expired/ })
    const valid = { from: ADDRESSES[0], calls }
    await assert.rejects(chain.answer('eth_call', [valid]), { code: 3, message: /InsufficientBalance/ })
    await assert.rejects(chain.answer('eth_estimateGas', [valid]), { code: 3 })
  })

  test('the sum of all balances never changes', async () => {
    const { chain, sign, send } = open()
    for (const address of ADDRESSES) chain.fund(address, 1000n)
    const payment = fc.record({ from: fc.nat(2), to: fc.nat(2), amount: fc.bigInt(0n, 1500n), unique: fc.nat() })
    await fc.assert(
      fc.asyncProperty(payment, async ({ from, to, amount, unique }) => {
        const before = ADDRESSES.map(chain.balanceOf)
        const fields = { calls: [transferCall(ADDRESSES[to]!, amount)], validAfter: unique % 1_000_000 }
        const raw = await sign(fields, KEYS[from])
        const tries = await Promise.allSettled([send(raw), send(raw), send(raw)])
        const mined = tries.filter(({ status }) => status === 'fulfilled')
        assert.ok(mined.length <= 1, 'one transaction is taken at most once')
        const after = ADDRESSES.map(chain.balanceOf)
        assert.equal(
          after.reduce((a, b) => a + b),
          3000n,
        )
        assert.equal(chain.supply(), 3000n)
        const moved = mined.length === 1 && before[from]! >= amount && from !== to ? amount : 0n
        assert.equal(after[to]! - before[to]!, moved)
      }),
      { numRuns: 60 },
    )
  })
})

suite('a simulated node', () => {
  test('handles HTTP bodies: one request, a batch, and invalid ones', async () => {
    const { chain } = open()
    const ask = async (body: string) => JSON.parse(await chain.handle(body)) as unknown
    const question = { jsonrpc: '2.0', id: 7, method: 'eth_chainId', params: [] }
    const answer = { jsonrpc: '2.0', id: 7, result: '0x1079' }
    assert.deepEqual(await ask(JSON.stringify(question)), answer)
    assert.deepEqual(await ask(JSON.stringify([question, question])), [answer, answer])
    const codeOf = async (body: string) => ((await ask(body)) as { error: { code: number } }).error.code
    assert.equal(await codeOf('{'), -32_700)
    assert.equal(await codeOf('[]'), -32_600)
    assert.equal(await codeOf('7'), -32_600)
    assert.equal(await codeOf(JSON.stringify(Array.from({ length: 101 }, () => question))), -32_600)
    assert.equal(await codeOf(JSON.stringify({ ...question, method: 'eth_fillTransaction' })), -32_601)
    assert.equal(await codeOf(JSON.stringify({ ...question, method: 'constructor' })), -32_601)
    assert.equal(await codeOf(JSON.stringify({ ...question, method: 'eth_getCode', params: ['x'] })), -32_602)
    assert.equal(await codeOf(JSON.stringify({ ...question, params: {} })), -32_602)
    assert.equal(await chain.answer('web3_clientVersion'), 'onoma-simulated/1')
  })

  test('never fails with an internal error, whatever the parameters', async () => {
    const { chain } = open()
    const method = fc.constantFrom(
      'eth_call',
      'eth_sendRawTransaction',
      'eth_getLogs',
      'eth_estimateGas',
      'eth_getCode',
    )
    await fc.assert(
      fc.asyncProperty(method, fc.array(fc.jsonValue(), { maxLength: 3 }), async (name, params) => {
        const answer = await chain.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params }))
        const { error } = JSON.parse(answer) as { error?: { code: number } }
        assert.notEqual(error?.code, -32_603, answer)
      }),
    )
  })
})
