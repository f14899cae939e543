/**
 * An Ethereum node that records and replays, a child process. It first forwards to a real node and records the responses,
 * then replays them with a set latency, so that the speed of the chain is not measured.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRecording, type RpcCall, type RpcResult } from './recording.ts'

export type NodeCommand =
  | { readonly ask: 'record'; readonly from: string }
  | { readonly ask: 'replay'; readonly latencyMs: number }
  | { readonly ask: 'counts' }

/** Since the start: HTTP requests, RPC calls in them, and calls that were not recorded. */
export type Counts = { readonly posts: number; readonly calls: number; readonly unknown: number }

const recording = createRecording()
const counts = { posts: 0, calls: 0, unknown: 0 }
let upstream: string | undefined
let latencyMs = 0

process.on('message', (command: Partial<NodeCommand>) => {
  if (command.ask === 'record') upstream = command.from
  else if (command.ask === 'replay') [upstream, latencyMs] = [undefined, command.latencyMs!]
  else if (command.ask !== 'counts') return
  process.send!({ ...counts } satisfies Counts)
})

const server = createServer((request, response) => {
  readBody(request)
    .then((body) => respondToAll(JSON.parse(body) as RpcCall | RpcCall[]))
    .then(
      (answer) => (latencyMs > 0 ? setTimeout(send, latencyMs, response, 200, answer) : send(response, 200, answer)),
      (error: unknown) => send(response, 500, String(error)),
    )
})
// Contestants are measured in turns; their connections stay open meanwhile.
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`)
})

async function respondToAll(body: RpcCall | RpcCall[]): Promise<string> {
  const calls = Array.isArray(body) ? body : [body]
  counts.posts += 1
  counts.calls += calls.length
  if (upstream !== undefined) for (const call of calls) await forward(call, upstream)
  const answers = calls.map(respond)
  return Array.isArray(body) ? `[${answers.join()}]` : answers[0]!
}

function respond(call: RpcCall): string {
  const known = recording.replay(call)
  if (known === undefined) {
    counts.unknown += 1
    throw new Error(`This call was not recorded: ${JSON.stringify(call).slice(0, 300)}`)
  }
  return `{"jsonrpc":"2.0","id":${JSON.stringify(call.id)},${known}`
}

async function forward({ method, params = [] }: RpcCall, from: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(from, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { jsonrpc: _, id: __, ...result } = (await response.json()) as { jsonrpc: string; id: number } & RpcResult
  recording.record({ method, params }, result)
}

const readBody = (request: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    let body = ''
    request
      .setEncoding('latin1')
      .on('data', (text: string) => void (body += text))
      .on('end', () => resolve(body))
      .on('error', reject)
  })

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}
