import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { failing } from '../../kernel/upstream/loopback.fixture.ts'
import type { JsonRpcRequest } from '../../protocols/ethereum/node.fixture.ts'
import type { TransactionDraft } from '../chain/chain.ts'
import { chainWithNodes, OWNER, REGISTRY, rpcError, ZERO_ADDRESS } from './rpc.fixture.ts'

suite('simulate', () => {
  const unpaid: TransactionDraft = { from: OWNER, to: REGISTRY, data: '0x12', value: 0n }
  const paid: TransactionDraft = { ...unpaid, value: 16n }
  const working = {
    eth_call: { result: '0xAB' },
    eth_estimateGas: { result: '0x5208' },
    eth_gasPrice: { result: '0x7' },
  }
  const simulation = { outcome: { ok: true, data: '0xab' }, gas: 21_000n, gasPrice: 7n }
  const revert = rpcError(3, 'execution reverted', '0x08c379a0')

  test('is one request: the call, the gas price and the gas estimate', async (t) => {
    const { chain, nodes } = await chainWithNodes(t, working)
    assert.deepEqual(await chain.simulate(unpaid), simulation)
    const params = [{ from: OWNER, to: REGISTRY, data: '0x12' }, 'latest']
    assert.deepEqual(
      (nodes[0]!.posts[0] as JsonRpcRequest[]).slice(0, 3).map((request) => [request.method, request.params]),
      [
        ['eth_call', params],
        ['eth_gasPrice', []],
        ['eth_estimateGas', params],
      ],
    )
    assert.equal(nodes[0]!.posts.length, 1)
  })

  test('a payment is simulated with a balance override, and its gas estimated with and without it, in one request', async (t) => {
    const { chain, nodes } = await chainWithNodes(t, working)
    assert.deepEqual(await chain.simulate(paid), simulation)
    assert.equal(nodes[0]!.posts.length, 1)
    const [call, , overridden, plain] = nodes[0]!.posts[0] as JsonRpcRequest[]
    const transaction = { from: OWNER, to: REGISTRY, data: '0x12', value: '0x10' }
    const override = { [OWNER]: { balance: `0x${'f'.repeat(32)}` } }
    assert.deepEqual(call!.params, [transaction, 'latest', override])
    assert.deepEqual(overridden!.params, [transaction, 'latest', override])
    assert.deepEqual(plain!.params, [transaction, 'latest'])
  })

  test('without a sender the zero address is used', async (t) => {
    const { chain, nodes } = await chainWithNodes(t, working)
    await chain.simulate({ to: REGISTRY, data: '0x12', value: 16n })
    const [call] = nodes[0]!.posts[0] as JsonRpcRequest[]
    assert.equal((call!.params[0] as TransactionDraft).from, ZERO_ADDRESS)
    assert.deepEqual(Object.keys(call!.params[2] as object), [ZERO_ADDRESS])
  })

  for (const [what, error, data] of [
    ['with data', revert, '0x08c379a0'],
    ['with data and another error code', rpcError(-32_603, 'VM Exception', '0x08c379a0'), '0x08c379a0'],
    ['without data', rpcError(3, 'execution reverted'), '0x'],
    ['with a message only', rpcError(-32_000, 'execution reverted'), '0x'],
    ['by an invalid opcode', rpcError(-32_000, 'invalid opcode: INVALID'), '0x'],
    ['by running out of gas', rpcError(-32_000, 'out of gas'), '0x'],
  ] as const) {
    test(`a contract that reverts ${what} is a failed outcome, not an error`, async (t) => {
      const { chain, nodes } = await chainWithNodes(t, { ...working, eth_call: error, eth_estimateGas: error })
      const expected = { outcome: { ok: false, data }, gas: null, gasPrice: 7n }
      assert.deepEqual(await chain.simulate(unpaid), expected)
      assert.deepEqual(await chain.simulate(paid), expected)
      assert.equal(nodes[0]!.posts.length, 2)
    })
  }

  const insufficientFunds = rpcError(-32_000, 'insufficient funds for gas * price + value')
  const hasOverride = ({ params }: JsonRpcRequest) => params.length > 2

  test('if the node overrides balances in eth_call only, gas is estimated without an override, or is null', async (t) => {
    const noOverride = rpcError(-32_602, 'too many arguments, want at most 2')
    for (const [plain, gas] of [
      [{ result: '0x5208' }, 21_000n],
      [insufficientFunds, null],
    ] as const) {
      const { chain } = await chainWithNodes(t, {
        ...working,
        eth_estimateGas: (request: JsonRpcRequest) => (hasOverride(request) ? noOverride : plain),
      })
      assert.deepEqual(await chain.simulate(paid), { ...simulation, gas })
    }
  })

  for (const [what, error] of Object.entries({
    'rejects balance overrides': rpcError(-32_602, 'too many arguments, want at most 2'),
    'ignores balance overrides': insufficientFunds,
  })) {
    test(`on a node that ${what} the simulation is repeated from the zero address`, async (t) => {
      const byBalance = (request: JsonRpcRequest) =>
        (request.params[0] as TransactionDraft).from === ZERO_ADDRESS ? { result: '0xab' } : error
      const { chain, nodes } = await chainWithNodes(t, { ...working, eth_call: byBalance })
      assert.deepEqual(await chain.simulate(paid), simulation)
      assert.equal(nodes[0]!.posts.length, 2)
      const { chain: unfunded } = await chainWithNodes(t, { ...working, eth_call: error })
      await assert.rejects(unfunded.simulate(paid), failing('unavailable'))
    })
  }

  test('a node that checks the balance of an unpaid call is given an override, with the same sender', async (t) => {
    const { chain, nodes } = await chainWithNodes(t, {
      ...working,
      eth_call: (request: JsonRpcRequest) => (hasOverride(request) ? { result: '0xab' } : insufficientFunds),
    })
    assert.deepEqual(await chain.simulate(unpaid), simulation)
    const [call] = nodes[0]!.posts[1] as JsonRpcRequest[]
    assert.equal((call!.params[0] as TransactionDraft).from, OWNER)
  })

  for (const [what, response] of Object.entries({
    'is behind': rpcError(-32_000, 'missing trie node'),
    'has an error of its own': rpcError(-32_603, 'internal error'),
    'returns malformed bytes': { result: '0xa' },
  })) {
    test(`if a node ${what}, that is no revert: the next node is tried`, async (t) => {
      const { chain, nodes } = await chainWithNodes(t, { ...working, eth_call: response }, working)
      assert.deepEqual(await chain.simulate(unpaid), simulation)
      assert.equal(nodes[1]!.posts.length, 1)
      const { chain: alone } = await chainWithNodes(t, { ...working, eth_call: response })
      await assert.rejects(alone.simulate(unpaid), failing('unavailable'))
    })
  }

  test('implausible gas and gas prices are null', async (t) => {
    const absurd = { result: `0x${'f'.repeat(64)}` }
    const { chain } = await chainWithNodes(t, { ...working, eth_estimateGas: absurd, eth_gasPrice: absurd })
    assert.deepEqual(await chain.simulate(unpaid), { ...simulation, gas: null, gasPrice: null })
  })
})
