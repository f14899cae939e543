import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import { serve } from '../../kernel/upstream/loopback.fixture.ts'

/** Scripted nodes on loopback that record each request. */
export type JsonRpcRequest = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }
export type Posted = JsonRpcRequest | readonly JsonRpcRequest[]

export type FakeNode = {
  readonly port: number
  readonly url: string
  /** The request bodies, one per HTTP request. */
  readonly posts: Posted[]
  /** The methods in them, a list per HTTP request. */
  methods(): string[][]
}

type Listener = (posted: Posted, response: ServerResponse, request: IncomingMessage) => void

export async function serveNode(t: TestContext, listener: Listener): Promise<FakeNode> {
  const posts: Posted[] = []
  const port = await serve(t, (request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const posted = JSON.parse(Buffer.concat(pieces).toString()) as Posted
      posts.push(posted)
      listener(posted, response, request)
    })
  })
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    posts,
    methods: () => posts.map((posted) => [posted].flat().map(({ method }) => method)),
  }
}

/** The answer to one call: `{ result }` or `{ error }`. */
export type AnswerCall = (call: JsonRpcRequest) => object

export const envelope = (call: JsonRpcRequest, answer: AnswerCall): object => ({
  jsonrpc: '2.0',
  id: call.id,
  ...answer(call),
})

/** Supports single calls and batches. */
export const honest =
  (answer: AnswerCall): Listener =>
  (posted, response) => {
    const said = 'method' in posted ? envelope(posted, answer) : posted.map((call) => envelope(call, answer))
    response.setHeader('content-type', 'application/json').end(JSON.stringify(said))
  }

/** Serves mainnet; answers every other call with its method and first parameter. */
export const echo: AnswerCall = ({ method, params }) => ({
  result: method === 'eth_chainId' ? '0x1' : `${method} ${String(params[0])}`,
})
