import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { manualClock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import { failing } from '../../kernel/upstream/loopback.fixture.ts'
import type { ComparableQuery } from './agreement.ts'
import { type AnswerCall, honest, serveNode } from './node.fixture.ts'
import { createEthereumRpc, type RpcOutcome } from './rpc.ts'
import { rpcFor } from './rpc.fixture.ts'

type BlockWord = { readonly block: number; readonly word: string }

const query: ComparableQuery<BlockWord> = {
  calls: (block) => [{ method: 'say', params: [block] }],
  read([outcome]: RpcOutcome[]) {
    if (!outcome?.ok) throw new UpstreamError('unavailable', 'no such block')
    const [block = '', word = ''] = String(outcome.result).split(' ')
    return { block: Number(block), word }
  },
  blockNumber: ({ block }) => block,
  isSame: (first, second) => first.block === second.block && first.word === second.word,
}

/** A node at block `head` with a word for each block; a later block is an error. */
const node =
  (head: number, wordAt: (block: number) => string = (block) => `word-${block}`): AnswerCall =>
  ({ method, params }) => {
    if (method === 'eth_chainId') return { result: '0x1' }
    const block = params[0] === 'latest' ? head : Number(params[0])
    return block <= head ? { result: `${block} ${wordAt(block)}` } : { error: { code: -32_000, message: 'no header' } }
  }
const down: AnswerCall = () => ({ error: { code: -32_005, message: 'slow down' } })
const lie = () => 'lie'

async function rpcOver(t: TestContext, ...answers: AnswerCall[]) {
  const nodes = await Promise.all(answers.map((answer) => serveNode(t, honest(answer))))
  const rpc = rpcFor(
    t,
    nodes.map(({ url }) => url),
  )
  return {
    ...rpc,
    /** The blocks each node was asked about. */
    blocks: () =>
      nodes.map(({ posts }) =>
        posts.flatMap((posted) => [posted].flat().flatMap(({ method, params }) => (method === 'say' ? params : []))),
      ),
  }
}

const agreed = (block: number) => ({ kind: 'agreed', answer: { block, word: `word-${block}` } })

suite('agreement of two nodes', () => {
  test('takes one round trip if both are at the same block', async (t) => {
    const { agree, blocks } = await rpcOver(t, node(7), node(7), node(7))
    assert.deepEqual(await agree(query), agreed(7))
    assert.deepEqual(blocks(), [['latest'], ['latest'], []])
  })

  test('is reached at the older of two blocks: the newer node is asked again for that block', async (t) => {
    for (const [first, second] of [
      [12, 10],
      [10, 12],
      [10, 15],
    ] as const) {
      const { agree, blocks } = await rpcOver(t, node(first), node(second))
      assert.deepEqual(await agree(query), agreed(10))
      const again = [['latest'], ['latest', '0xa']]
      assert.deepEqual(blocks(), first < second ? again : again.toReversed())
    }
  })

  test('fails if the heads are too far apart', async (t) => {
    const { agree, blocks } = await rpcOver(t, node(10), node(16))
    assert.deepEqual(await agree(query), { kind: 'disagreement' })
    assert.deepEqual(blocks(), [['latest'], ['latest']])
  })

  test('fails if the answers differ, and the log names the nodes', async (t) => {
    for (const [first, second] of [
      [node(7), node(7, lie)],
      [node(7, lie), node(8)],
      [node(7, lie), node(6)],
    ] as const) {
      const { agree, lines, stats } = await rpcOver(t, first, second)
      assert.deepEqual(await agree(query), { kind: 'disagreement' })
      const warnings = lines.filter((line) => line.includes('disagree'))
      assert.equal(warnings.length, 1)
      assert.match(warnings[0]!, /"nodes":\["Ethereum node 1 of 2","Ethereum node 2 of 2"\]/)
      // It is unknown which of them is wrong.
      assert.deepEqual(
        stats().map(({ state }) => state),
        ['ready', 'ready'],
      )
    }
  })

  test('is reached with a third node if the first two differ or one fails', async (t) => {
    for (const [first, second, third] of [
      [node(7, lie), node(7), node(7)],
      [node(7), node(7, lie), node(7)],
      [node(7), node(9, lie), node(8)],
      [down, node(7), node(7)],
      [node(7), down, node(8)],
    ] as const) {
      const { agree } = await rpcOver(t, first, second, third)
      assert.deepEqual(await agree(query), agreed(7))
    }
  })

  test('needs two answers: a single one is reported as such', async (t) => {
    for (const answers of [
      [down, node(7)],
      [node(7), down],
      [down, node(7), down],
    ]) {
      assert.deepEqual(await (await rpcOver(t, ...answers)).agree(query), { kind: 'alone' })
    }
    const forgetful: AnswerCall = (asked) => (asked.params[0] === '0x7' ? down(asked) : node(8)(asked))
    assert.deepEqual(await (await rpcOver(t, node(7), forgetful)).agree(query), { kind: 'alone' })
    await assert.rejects((await rpcOver(t, down, down)).agree(query), failing('rate_limited'))
  })

  test('is the answer of the only node if no other is configured', async (t) => {
    const { agree, blocks } = await rpcOver(t, node(7, lie))
    assert.deepEqual(await agree(query), { kind: 'agreed', answer: { block: 7, word: 'lie' } })
    assert.deepEqual(blocks(), [['latest']])
    await assert.rejects(rpcFor(t, []).agree(query), failing('not_configured'))
    await assert.rejects((await rpcOver(t, down)).agree(query), failing('rate_limited'))
  })

  test('never counts a node of another chain', async (t) => {
    const foreign: AnswerCall = (asked) => (asked.method === 'eth_chainId' ? { result: '0xaa36a7' } : node(7)(asked))
    const { agree } = await rpcOver(t, foreign, node(7))
    assert.deepEqual(await agree(query), { kind: 'alone' })
    assert.deepEqual(await agree(query), { kind: 'alone' })
  })

  test('waits 1.5 s for a hanging node that a third can replace, otherwise half of the timeout', async () => {
    const clock = manualClock()
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    const timeoutsGiven = async (count: number) => {
      const given: (number | undefined)[] = []
      const hang = async ({ timeoutMs }: { timeoutMs?: number | undefined }): Promise<never> => {
        given.push(timeoutMs)
        throw new UpstreamError('timeout', 'it did not answer')
      }
      const urls = Array.from({ length: count }, (_, at) => `https://node-${at}.example/`)
      const { agree } = createEthereumRpc({ upstream: { request: hang }, urls, chainId: 1, clock, log })
      await assert.rejects(agree(query), failing('timeout'))
      return given
    }
    assert.deepEqual(await timeoutsGiven(2), [4000, 4000])
    assert.deepEqual(await timeoutsGiven(3), [1500, 1500, 4000])
  })

  test("rejects with the signal's reason if the caller aborts", async (t) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const silent = await serveNode(t, () => resolve())
    const { agree } = rpcFor(t, [silent.url, silent.url])
    const controller = new AbortController()
    const asking = agree(query, controller.signal)
    await promise
    const reason = new UpstreamError('timeout', 'changed my mind')
    controller.abort(reason)
    await assert.rejects(asking, (error) => error === reason)
  })
})
