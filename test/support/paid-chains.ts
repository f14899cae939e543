import { createServer, type Server } from 'node:http'
import type { Clock } from '../../src/kernel/clock.ts'
import type { SimulatedNode } from '../../src/payments/play-money/rpc.ts'
import { createSimulatedBase, type SimulatedBase } from '../../src/payments/play-money/base.ts'
import { RpcFault } from '../../src/payments/play-money/rpc.ts'
import { createSimulatedTempo, type SimulatedTempo } from '../../src/payments/play-money/tempo.ts'
import { TEMPO_USDC } from '../../src/payments/sources/mpp/scheme.ts'
import { BASE_USDC } from '../../src/payments/sources/x402/network.ts'
import { listenOnLoopback } from './listen-on-loopback.ts'

export type Asked = { readonly chain: 'base' | 'tempo'; readonly method: string; readonly params: readonly unknown[] }

/** What becomes of a question: ask it, tell something else, throw RpcFault, throw `CUT`, or never answer. */
export type Line = (asked: Asked, ask: () => Promise<unknown>) => unknown

/** The connection breaks before an answer. */
export const CUT = new Error('the line is cut')

/** Both chains of the simulated money, behind HTTP as nodes are, and the line to them in the test's hands. */
export type PaidChains = {
  readonly base: SimulatedBase
  readonly tempo: SimulatedTempo
  readonly urls: { readonly base: string; readonly tempo: string }
  /** Every question so far. */
  readonly asked: Asked[]
  /** From now on questions go like this; without an argument as they should. */
  onLine(line?: Line): void
  stop(): Promise<void>
}

export async function startPaidChains(clock: Clock): Promise<PaidChains> {
  const base = createSimulatedBase({ clock, usdc: BASE_USDC.address })
  const tempo = createSimulatedTempo({ clock, token: TEMPO_USDC })
  const asked: Asked[] = []
  let line: Line = (_asked, ask) => ask()
  const serve = (chain: Asked['chain'], node: SimulatedNode) =>
    startNode(async (method, params) => {
      const question = { chain, method, params }
      asked.push(question)
      return await line(question, () => node.answer(method, params))
    })
  const nodes = { base: await serve('base', base), tempo: await serve('tempo', tempo) }
  return {
    base,
    tempo,
    urls: { base: nodes.base.url, tempo: nodes.tempo.url },
    asked,
    onLine(next = (_asked, ask) => ask()) {
      line = next
    },
    async stop() {
      await Promise.all([nodes.base.stop(), nodes.tempo.stop()])
    },
  }
}

type Answer = (method: string, params: readonly unknown[]) => Promise<unknown>
type Question = { readonly id: unknown; readonly method: string; readonly params?: readonly unknown[] }

async function startNode(answer: Answer): Promise<{ url: string; stop(): Promise<void> }> {
  const one = async ({ id, method, params = [] }: Question): Promise<object> => {
    try {
      return { jsonrpc: '2.0', id, result: (await answer(method, params)) ?? null }
    } catch (error) {
      if (!(error instanceof RpcFault)) throw error
      const { code, message, data } = error
      return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } }
    }
  }
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as Question | Question[]
      const answers = Array.isArray(body) ? inTurn(body, one) : one(body)
      answers.then(
        (told) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told)),
        () => request.socket.destroy(),
      )
    })
  })
  return listenOnLoopback(server)
}

/** One after the other, as geth answers a batch. */
async function inTurn(questions: readonly Question[], one: (question: Question) => Promise<object>): Promise<object[]> {
  const answers: object[] = []
  for (const question of questions) answers.push(await one(question))
  return answers
}
