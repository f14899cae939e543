import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { decodeFunctionData, multicall3Abi } from 'viem'
import { manualClock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import type { UpstreamResponse } from '../../kernel/upstream/client.ts'
import { failing } from '../../kernel/upstream/loopback.fixture.ts'
import type { JsonRpcRequest } from '../../protocols/ethereum/node.fixture.ts'
import { createEthereumRpc } from '../../protocols/ethereum/rpc.ts'
import type { Hex } from '../../kernel/hex.ts'
import type { Chain } from '../chain/chain.ts'
import {
  aggregated,
  block,
  BLOCK_RESULTS,
  chainWithNodes,
  MULTICALL,
  OWNER,
  REGISTRY,
  rpcError,
  TX_HASH,
  word,
} from './rpc.fixture.ts'
import { rpcChain } from './rpc.ts'

suite('read', () => {
  const calls = [
    { to: REGISTRY, data: '0x0178b8bf' },
    { to: OWNER, data: '0x' },
  ] as const
  const returned = [
    { ok: true, data: word(7) },
    { ok: false, data: '0x556f1830' },
  ] as const
  const answer = { result: aggregated([...BLOCK_RESULTS, ...returned]) }

  test('all calls and their block are one request; a call that reverts does not affect the others', async (t) => {
    const { chain, nodes } = await chainWithNodes(t, { eth_call: answer })
    assert.deepEqual(await chain.read(calls), { returned, block })
    assert.deepEqual(nodes[0]!.methods(), [['eth_call', 'eth_chainId']])
    const [request] = nodes[0]!.posts[0] as JsonRpcRequest[]
    const [{ to, data }, at] = request!.params as [{ to: Hex; data: Hex }, string]
    assert.deepEqual([to, at], [MULTICALL, 'latest'])
    const { args } = decodeFunctionData({ abi: multicall3Abi, data })
    assert.deepEqual(
      (args[0] as { target: string; allowFailure: boolean; callData: Hex }[]).map((one) => [
        one.target.toLowerCase(),
        one.allowFailure,
        one.callData,
      ]),
      [
        [MULTICALL, true, '0x42cbb15c'],
        [MULTICALL, true, '0x0f28c97d'],
        [REGISTRY, true, '0x0178b8bf'],
        [OWNER, true, '0x'],
      ],
    )
  })

  test('the gas price is read in the same request', async (t) => {
    const { chain, nodes } = await chainWithNodes(t, { eth_call: answer, eth_gasPrice: { result: '0x3b9aca00' } })
    assert.deepEqual(await chain.readWithGasPrice(calls), { returned, block, gasPrice: 1_000_000_000n })
    assert.deepEqual(nodes[0]!.methods(), [['eth_call', 'eth_gasPrice', 'eth_chainId']])
  })

  test('the block is read even without a call', async (t) => {
    const { chain } = await chainWithNodes(t, { eth_call: { result: aggregated(BLOCK_RESULTS) } })
    assert.deepEqual(await chain.read([]), { returned: [], block })
  })

  for (const [what, response] of Object.entries({
    'is behind': rpcError(-32_000, 'header not found'),
    'has no Multicall3': { result: '0x' },
    'returns too few results': { result: aggregated([...BLOCK_RESULTS, returned[0]]) },
    'returns a number instead of bytes': { result: 7 },
    'reverts when asked for the block number': {
      result: aggregated([{ ok: false, data: '0x' }, BLOCK_RESULTS[1]!, ...returned]),
    },
    'returns a block number that is too short': {
      result: aggregated([{ ok: true, data: '0x01' }, BLOCK_RESULTS[1]!, ...returned]),
    },
    'returns a block number that is not a safe integer': {
      result: aggregated([{ ok: true, data: word(2n ** 53n) }, BLOCK_RESULTS[1]!, ...returned]),
    },
    'returns a timestamp after the year 9999': {
      result: aggregated([BLOCK_RESULTS[0]!, { ok: true, data: word(253_402_300_800) }, ...returned]),
    },
  })) {
    test(`if a node ${what}, its response is discarded and the next node is tried`, async (t) => {
      const { chain, nodes } = await chainWithNodes(t, { eth_call: response }, { eth_call: answer })
      assert.deepEqual(await chain.read(calls), { returned, block })
      assert.deepEqual([nodes[0]!.posts.length, nodes[1]!.posts.length], [1, 1])
      const { chain: alone } = await chainWithNodes(t, { eth_call: response })
      await assert.rejects(alone.read(calls), failing('unavailable'))
    })
  }

  test('a response without the gas price is discarded', async (t) => {
    const { chain } = await chainWithNodes(t, { eth_call: answer, eth_gasPrice: rpcError(-32_601, 'no such method') })
    await assert.rejects(chain.readWithGasPrice(calls), failing('unavailable', /gas price/))
  })
})

suite('transaction', () => {
  const receipt = {
    transactionHash: TX_HASH,
    blockNumber: '0x10',
    status: '0x1',
    gasUsed: '0x5208',
    effectiveGasPrice: '0x7',
  }
  const mined = { kind: 'mined', succeeded: true, blockNumber: 16, gasUsed: 21_000, effectiveGasPrice: 7n }
  for (const [what, first, second, expected] of [
    ['that no node knows', null, null, { kind: 'unseen' }],
    ['that is not mined yet', null, { hash: TX_HASH }, { kind: 'pending' }],
    ['that is mined', receipt, { hash: TX_HASH }, mined],
    ['that is mined and no longer indexed', receipt, null, mined],
    ['that failed', { ...receipt, status: '0x0' }, { hash: TX_HASH }, { ...mined, succeeded: false }],
  ] as const) {
    test(`the state of one ${what} is read in one request`, async (t) => {
      const { chain, nodes } = await chainWithNodes(t, {
        eth_getTransactionReceipt: { result: first },
        eth_getTransactionByHash: { result: second },
      })
      assert.deepEqual(await chain.transaction(TX_HASH), expected)
      assert.deepEqual(nodes[0]!.methods(), [['eth_getTransactionReceipt', 'eth_getTransactionByHash', 'eth_chainId']])
    })
  }

  for (const [what, response] of Object.entries({
    'returns another transaction': { result: { ...receipt, transactionHash: `0x${'cd'.repeat(32)}` } },
    'returns a receipt without status': { result: { ...receipt, status: undefined } },
    'is still indexing': rpcError(-32_000, 'transaction indexing is in progress'),
  })) {
    test(`if a node ${what}, the next node is tried`, async (t) => {
      const { chain } = await chainWithNodes(
        t,
        { eth_getTransactionReceipt: response },
        { eth_getTransactionReceipt: { result: receipt } },
      )
      assert.deepEqual(await chain.transaction(TX_HASH), mined)
    })
  }
})

test('whatever a node returns, each method resolves or rejects with an UpstreamError', async () => {
  const json = fc.jsonValue({ maxDepth: 2 })
  const value = fc.oneof(
    json,
    fc.uint8Array({ maxLength: 400 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
    fc.constantFrom(aggregated(BLOCK_RESULTS), aggregated([BLOCK_RESULTS[0]!]), `0x${'f'.repeat(64)}`),
    fc.record(
      { transactionHash: fc.constant(TX_HASH), hash: fc.constant(TX_HASH), blockNumber: json },
      { requiredKeys: [] },
    ),
  )
  const outcome = fc.oneof(
    value.map((result) => ({ result })),
    fc
      .record({ code: fc.constantFrom(3, -32_000, -32_602), message: fc.string(), data: value })
      .map((error) => ({ error })),
  )
  const reads: ((chain: Chain) => Promise<unknown>)[] = [
    (chain) => chain.read([]),
    (chain) => chain.readWithGasPrice([]),
    (chain) => chain.simulate({ to: REGISTRY, data: '0x', value: 1n }),
    (chain) => chain.transaction(TX_HASH),
  ]
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  await fc.assert(
    fc.asyncProperty(
      fc.array(outcome, { minLength: 4, maxLength: 4 }),
      fc.constantFrom(...reads),
      async (outcomes, ask) => {
        const upstream = {
          async request({ body = '' }: { body?: string | Uint8Array }): Promise<UpstreamResponse> {
            const calls = [JSON.parse(String(body)) as JsonRpcRequest | JsonRpcRequest[]].flat()
            const sent = calls.map(({ id, method }) => ({
              id,
              ...(method === 'eth_chainId' ? { result: '0x1' } : outcomes[id - 1]),
            }))
            return {
              status: 200,
              headers: {},
              body: new Uint8Array(),
              text: () => '',
              json: () => sent,
              url: '',
              elapsedMs: 0,
            }
          },
        }
        const rpc = createEthereumRpc({ upstream, urls: ['https://a.example'], chainId: 1, clock: manualClock(), log })
        try {
          await ask(rpcChain({ rpc, multicall: MULTICALL }))
        } catch (error) {
          assert.ok(error instanceof UpstreamError, String(error))
        }
      },
    ),
    { numRuns: 500 },
  )
})
