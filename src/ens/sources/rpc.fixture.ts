import type { TestContext } from 'node:test'
import { encodeFunctionResult, multicall3Abi, numberToHex } from 'viem'
import { type AnswerCall, honest, serveNode } from '../../protocols/ethereum/node.fixture.ts'
import { rpcFor } from '../../protocols/ethereum/rpc.fixture.ts'
import type { Hex } from '../../kernel/hex.ts'
import type { CallResult } from '../chain/chain.ts'
import { rpcChain } from './rpc.ts'

export const MULTICALL: Hex = '0xca11bde05977b3631167028862be2a173976ca11'
export const REGISTRY: Hex = '0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e'
export const OWNER: Hex = '0x00000000000000000000000000000000000000aa'
export const ZERO_ADDRESS: Hex = '0x0000000000000000000000000000000000000000'
export const TX_HASH: Hex = `0x${'ab'.repeat(32)}`
export const word = (number: bigint | number): Hex => numberToHex(number, { size: 32 })

/** What Multicall3 returns for these results. */
export const aggregated = (results: readonly CallResult[]): Hex =>
  encodeFunctionResult({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    result: results.map(({ ok, data }) => ({ success: ok, returnData: data })),
  })

export const block = { number: 23_000_000, timestamp: 1_790_000_000 }
export const BLOCK_RESULTS = [
  { ok: true, data: word(block.number) },
  { ok: true, data: word(block.timestamp) },
]

type NodeAnswers = Record<string, AnswerCall | object>

/** Answers by method; a method that is not listed gets '0x1', which is also mainnet's chain id. */
const answerByMethod =
  (answers: NodeAnswers): AnswerCall =>
  (request) => {
    const answer = answers[request.method]
    if (typeof answer === 'function') return (answer as AnswerCall)(request)
    return answer ?? { result: '0x1' }
  }

/** The chain through one fake node for each set of answers. */
export async function chainWithNodes(t: TestContext, ...nodes: NodeAnswers[]) {
  const served = await Promise.all(nodes.map((answers) => serveNode(t, honest(answerByMethod(answers)))))
  const rpc = rpcFor(
    t,
    served.map(({ url }) => url),
  )
  return { chain: rpcChain({ rpc, multicall: MULTICALL }), nodes: served }
}

export const rpcError = (code: number, message: string, data?: string) => ({
  error: { code, message, ...(data && { data }) },
})
