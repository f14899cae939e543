import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import fc from 'fast-check'
import { decodeFunctionData, encodeFunctionResult, multicall3Abi, numberToHex } from 'viem'
import { manualClock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import type { UpstreamResponse } from '../../kernel/upstream/client.ts'
import { failing } from '../../kernel/upstream/loopback.fixture.ts'
import { type AnswerCall, type JsonRpcRequest, honest, serveNode } from '../../protocols/ethereum/node.fixture.ts'
import { rpcFor } from '../../protocols/ethereum/rpc.fixture.ts'
import { createEthereumRpc } from '../../protocols/ethereum/rpc.ts'
import type { Hex } from '../../kernel/hex.ts'
import type { Chain, TransactionDraft, CallResult } from '../chain/chain.ts'
import { rpcChain } from './rpc.ts'

const MULTICALL: Hex = '0xca11bde05977b3631167028862be2a173976ca11'
const REGISTRY: Hex = '0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e'
const OWNER: Hex = '0x00000000000000000000000000000000000000aa'
const NOBODY: Hex = '0x0000000000000000000000000000000000000000'
const HASH: Hex = `0x${'ab'.repeat(32)}`
const word = (number: bigint | number): Hex => numberToHex(number, { size: 32 })

const aggregated = (results: readonly CallResult[]): Hex =>
  encodeFunctionResult({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    result: results.map(({ ok, data }) => ({ success: ok, returnData: data })),
  })
const BLOCK = [
  { ok: true, data: word(23_000_000) },
  { ok: true, data: word(1_790_000_000) },
]
const block = { number: 23_000_000, timestamp: 1_790_000_000 }

/** A node that answers each method with the result given, and the others, the chain among them, as mainnet would. */
const saying =
  (answers: Record<string, AnswerCall | object>): AnswerCall =>
  (asked) => {
    const answer = answers[asked.method]
    if (typeof answer === 'function') return (answer as AnswerCall)(asked)
    return answer ?? { result: '0x1' }
  }

async function chainOf(t: TestContext, ...nodes: Record<string, AnswerCall | object>[]) {
  const served = await Promise.all(nodes.map((answers) => serveNode(t, honest(saying(answers)))))
  const rpc = rpcFor(
    t,
    served.map(({ url }) => url),
  )
  return { chain: rpcChain({ rpc, multicall: MULTICALL }), nodes: served }
}

const failed = (code: number, message: string, data?: string) => ({ error: { code, message, ...(data && { data }) } })

suite('reading', () => {
  const calls = [
    { to: REGISTRY, data: '0x0178b8bf' },
    { to: OWNER, data: '0x' },
  ] as const
  const returned = [
    { ok: true, data: word(7) },
    { ok: false, data: '0x556f1830' },
  ] as const
  const answer = { result: aggregated([...BLOCK, ...returned]) }

  test('all calls and the block they are answered from are one request, and a refused call spoils nothing', async (t) => {
    const { chain, nodes } = await chainOf(t, { eth_call: answer })
    assert.deepEqual(await chain.read(calls), { returned, block })
    assert.deepEqual(nodes[0]!.methods(), [['eth_call', 'eth_chainId']])
    const [asked] = nodes[0]!.posts[0] as JsonRpcRequest[]
    const [{ to, data }, at] = asked!.params as [{ to: Hex; data: Hex }, string]
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

  test('the gas price comes in the same request', async (t) => {
    const { chain, nodes } = await chainOf(t, { eth_call: answer, eth_gasPrice: { result: '0x3b9aca00' } })
    assert.deepEqual(await chain.readWithGasPrice(calls), { returned, block, gasPrice: 1_000_000_000n })
    assert.deepEqual(nodes[0]!.methods(), [['eth_call', 'eth_gasPrice', 'eth_chainId']])
  })

  test('without a call there is still the block', async (t) => {
    const { chain } = await chainOf(t, { eth_call: { result: aggregated(BLOCK) } })
    assert.deepEqual(await chain.read([]), { returned: [], block })
  })

  for (const [what, said] of Object.entries({
    'is behind': failed(-32_000, 'header not found'),
    'has no Multicall3': { result: '0x' },
    'answers too few': { result: aggregated([...BLOCK, returned[0]]) },
    'answers no bytes': { result: 7 },
    'does not know the block': { result: aggregated([{ ok: false, data: '0x' }, BLOCK[1]!, ...returned]) },
    'knows half a block': { result: aggregated([{ ok: true, data: '0x01' }, BLOCK[1]!, ...returned]) },
    'is at a block beyond counting': {
      result: aggregated([{ ok: true, data: word(2n ** 53n) }, BLOCK[1]!, ...returned]),
    },
    'is at the end of time': {
      result: aggregated([BLOCK[0]!, { ok: true, data: word(253_402_300_800) }, ...returned]),
    },
  })) {
    test(`of a node that ${what} the next is asked, and nothing is believed`, async (t) => {
      const { chain, nodes } = await chainOf(t, { eth_call: said }, { eth_call: answer })
      assert.deepEqual(await chain.read(calls), { returned, block })
      assert.deepEqual([nodes[0]!.posts.length, nodes[1]!.posts.length], [1, 1])
      const { chain: alone } = await chainOf(t, { eth_call: said })
      await assert.rejects(alone.read(calls), failing('unavailable'))
    })
  }

  test('a node that does not tell the gas price is not believed the rest', async (t) => {
    const { chain } = await chainOf(t, { eth_call: answer, eth_gasPrice: failed(-32_601, 'no such method') })
    await assert.rejects(chain.readWithGasPrice(calls), failing('unavailable', /gas price/))
  })
})

suite('trying out', () => {
  const free: TransactionDraft = { from: OWNER, to: REGISTRY, data: '0x12', value: 0n }
  const paid: TransactionDraft = { ...free, value: 16n }
  const well = { eth_call: { result: '0xAB' }, eth_estimateGas: { result: '0x5208' }, eth_gasPrice: { result: '0x7' } }
  const trial = { outcome: { ok: true, data: '0xab' }, gas: 21_000n, gasPrice: 7n }
  const revert = failed(3, 'execution reverted', '0x08c379a0')

  test('is one request: the call, what it costs, and the price of gas', async (t) => {
    const { chain, nodes } = await chainOf(t, well)
    assert.deepEqual(await chain.simulate(free), trial)
    const params = [{ from: OWNER, to: REGISTRY, data: '0x12' }, 'latest']
    assert.deepEqual(
      (nodes[0]!.posts[0] as JsonRpcRequest[]).slice(0, 3).map((asked) => [asked.method, asked.params]),
      [
        ['eth_call', params],
        ['eth_gasPrice', []],
        ['eth_estimateGas', params],
      ],
    )
    assert.equal(nodes[0]!.posts.length, 1)
  })

  test('what is paid for is tried with a lent purse, and estimated with and without it, in one request', async (t) => {
    const { chain, nodes } = await chainOf(t, well)
    assert.deepEqual(await chain.simulate(paid), trial)
    assert.equal(nodes[0]!.posts.length, 1)
    const [call, , lent, own] = nodes[0]!.posts[0] as JsonRpcRequest[]
    const transaction = { from: OWNER, to: REGISTRY, data: '0x12', value: '0x10' }
    const purse = { [OWNER]: { balance: `0x${'f'.repeat(32)}` } }
    assert.deepEqual(call!.params, [transaction, 'latest', purse])
    assert.deepEqual(lent!.params, [transaction, 'latest', purse])
    assert.deepEqual(own!.params, [transaction, 'latest'])
  })

  test('without a sender it is nobody who sends', async (t) => {
    const { chain, nodes } = await chainOf(t, well)
    await chain.simulate({ to: REGISTRY, data: '0x12', value: 16n })
    const [call] = nodes[0]!.posts[0] as JsonRpcRequest[]
    assert.equal((call!.params[0] as TransactionDraft).from, NOBODY)
    assert.deepEqual(Object.keys(call!.params[2] as object), [NOBODY])
  })

  for (const [what, error, data] of [
    ['with bytes', revert, '0x08c379a0'],
    ['with bytes and another code', failed(-32_603, 'VM Exception', '0x08c379a0'), '0x08c379a0'],
    ['without bytes', failed(3, 'execution reverted'), '0x'],
    ['in words', failed(-32_000, 'execution reverted'), '0x'],
    ['by stopping', failed(-32_000, 'invalid opcode: INVALID'), '0x'],
    ['by running out of gas', failed(-32_000, 'out of gas'), '0x'],
  ] as const) {
    test(`a contract that refuses ${what} is an outcome, whatever its estimate`, async (t) => {
      const { chain, nodes } = await chainOf(t, { ...well, eth_call: error, eth_estimateGas: error })
      const expected = { outcome: { ok: false, data }, gas: null, gasPrice: 7n }
      assert.deepEqual(await chain.simulate(free), expected)
      assert.deepEqual(await chain.simulate(paid), expected)
      assert.equal(nodes[0]!.posts.length, 2)
    })
  }

  const lacks = failed(-32_000, 'insufficient funds for gas * price + value')
  const isLent = ({ params }: JsonRpcRequest) => params.length > 2

  test('where only the call is lent to, the gas is what the sender can say for himself, or unknown', async (t) => {
    const noLoan = failed(-32_602, 'too many arguments, want at most 2')
    for (const [own, gas] of [
      [{ result: '0x5208' }, 21_000n],
      [lacks, null],
    ] as const) {
      const { chain } = await chainOf(t, {
        ...well,
        eth_estimateGas: (asked: JsonRpcRequest) => (isLent(asked) ? noLoan : own),
      })
      assert.deepEqual(await chain.simulate(paid), { ...trial, gas })
    }
  })

  for (const [what, error] of Object.entries({
    'takes no loans': failed(-32_602, 'too many arguments, want at most 2'),
    'ignores loans': lacks,
  })) {
    test(`on a node that ${what} nobody pays, who can`, async (t) => {
      const purse = (asked: JsonRpcRequest) =>
        (asked.params[0] as TransactionDraft).from === NOBODY ? { result: '0xab' } : error
      const { chain, nodes } = await chainOf(t, { ...well, eth_call: purse })
      assert.deepEqual(await chain.simulate(paid), trial)
      assert.equal(nodes[0]!.posts.length, 2)
      const { chain: poor } = await chainOf(t, { ...well, eth_call: error })
      await assert.rejects(poor.simulate(paid), failing('unavailable'))
    })
  }

  test('a node that wants to see money where nothing is paid is lent it, and the sender stays who he is', async (t) => {
    const { chain, nodes } = await chainOf(t, {
      ...well,
      eth_call: (asked: JsonRpcRequest) => (isLent(asked) ? { result: '0xab' } : lacks),
    })
    assert.deepEqual(await chain.simulate(free), trial)
    const [call] = nodes[0]!.posts[1] as JsonRpcRequest[]
    assert.equal((call!.params[0] as TransactionDraft).from, OWNER)
  })

  for (const [what, said] of Object.entries({
    'is behind': failed(-32_000, 'missing trie node'),
    'has an error of its own': failed(-32_603, 'internal error'),
    'answers no bytes': { result: '0xa' },
  })) {
    test(`a node that ${what} has not said no: the next is asked`, async (t) => {
      const { chain, nodes } = await chainOf(t, { ...well, eth_call: said }, well)
      assert.deepEqual(await chain.simulate(free), trial)
      assert.equal(nodes[1]!.posts.length, 1)
      const { chain: alone } = await chainOf(t, { ...well, eth_call: said })
      await assert.rejects(alone.simulate(free), failing('unavailable'))
    })
  }

  test('numbers beyond reason are unknown', async (t) => {
    const absurd = { result: `0x${'f'.repeat(64)}` }
    const { chain } = await chainOf(t, { ...well, eth_estimateGas: absurd, eth_gasPrice: absurd })
    assert.deepEqual(await chain.simulate(free), { ...trial, gas: null, gasPrice: null })
  })
})

suite('a transaction', () => {
  const receipt = {
    transactionHash: HASH,
    blockNumber: '0x10',
    status: '0x1',
    gasUsed: '0x5208',
    effectiveGasPrice: '0x7',
  }
  const mined = { kind: 'mined', succeeded: true, blockNumber: 16, gasUsed: 21_000, effectiveGasPrice: 7n }
  for (const [what, first, second, expected] of [
    ['nobody has heard of', null, null, { kind: 'unseen' }],
    ['that waits', null, { hash: HASH }, { kind: 'pending' }],
    ['in a block', receipt, { hash: HASH }, mined],
    ['in a block the node knows nothing more of', receipt, null, mined],
    ['that failed', { ...receipt, status: '0x0' }, { hash: HASH }, { ...mined, succeeded: false }],
  ] as const) {
    test(`${what} is told in one request`, async (t) => {
      const { chain, nodes } = await chainOf(t, {
        eth_getTransactionReceipt: { result: first },
        eth_getTransactionByHash: { result: second },
      })
      assert.deepEqual(await chain.transaction(HASH), expected)
      assert.deepEqual(nodes[0]!.methods(), [['eth_getTransactionReceipt', 'eth_getTransactionByHash', 'eth_chainId']])
    })
  }

  for (const [what, said] of Object.entries({
    'tells of another': { result: { ...receipt, transactionHash: `0x${'cd'.repeat(32)}` } },
    'tells half of it': { result: { ...receipt, status: undefined } },
    'is still counting': failed(-32_000, 'transaction indexing is in progress'),
  })) {
    test(`of a node that ${what} the next is asked`, async (t) => {
      const { chain } = await chainOf(
        t,
        { eth_getTransactionReceipt: said },
        { eth_getTransactionReceipt: { result: receipt } },
      )
      assert.deepEqual(await chain.transaction(HASH), mined)
    })
  }
})

test('whatever a node answers, each read ends with an answer or with one of the five words', async () => {
  const json = fc.jsonValue({ maxDepth: 2 })
  const value = fc.oneof(
    json,
    fc.uint8Array({ maxLength: 400 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
    fc.constantFrom(aggregated(BLOCK), aggregated([BLOCK[0]!]), `0x${'f'.repeat(64)}`),
    fc.record({ transactionHash: fc.constant(HASH), hash: fc.constant(HASH), blockNumber: json }, { requiredKeys: [] }),
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
    (chain) => chain.transaction(HASH),
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
