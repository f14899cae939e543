/**
 * An Ethereum node in a process of its own. First it asks a real one and remembers every answer; from then on it answers
 * from memory, as late as it is told, so that the speed of a chain is not what is measured.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Answer, createMemory, type RpcCall } from './memory.ts'

export type NodeOrder =
  | { readonly ask: 'learn'; readonly from: string }
  | { readonly ask: 'replay'; readonly latencyMs: number }
  | { readonly ask: 'counts' }

/** Since the start: requests over HTTP, calls in them, and calls that were never heard before the replay. */
export type Counts = { readonly posts: number; readonly calls: number; readonly unknown: number }

const memory = createMemory()
const counts = { posts: 0, calls: 0, unknown: 0 }
let teacher: string | undefined
let latencyMs = 0

process.on('message', (order: Partial<NodeOrder>) => {
  if (order.ask === 'learn') teacher = order.from
  else if (order.ask === 'replay') [teacher, latencyMs] = [undefined, order.latencyMs!]
  else if (order.ask !== 'counts') return
  process.send!({ ...counts } satisfies Counts)
})

const server = createServer((request, response) => {
  read(request)
    .then((body) => respondToAll(JSON.parse(body) as RpcCall | RpcCall[]))
    .then(
      (answer) => (latencyMs > 0 ? setTimeout(send, latencyMs, response, 200, answer) : send(response, 200, answer)),
      (error: unknown) => send(response, 500, String(error)),
    )
})
// Contestants are measured one after the other, and may find their connections as they left them.
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`)
})

async function respondToAll(asked: RpcCall | RpcCall[]): Promise<string> {
  const calls = Array.isArray(asked) ? asked : [asked]
  counts.posts += 1
  counts.calls += calls.length
  if (teacher !== undefined) for (const call of calls) await learn(call, teacher)
  const answers = calls.map(respond)
  return Array.isArray(asked) ? `[${answers.join()}]` : answers[0]!
}

function respond(call: RpcCall): string {
  const known = memory.recall(call)
  if (known === undefined) {
    counts.unknown += 1
    throw new Error(`This was not asked before: ${JSON.stringify(call).slice(0, 300)}`)
  }
  return `{"jsonrpc":"2.0","id":${JSON.stringify(call.id)},${known}`
}

async function learn({ method, params = [] }: RpcCall, from: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(from, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { jsonrpc: _, id: __, ...answer } = (await response.json()) as { jsonrpc: string; id: number } & Answer
  memory.learn({ method, params }, answer)
}

const read = (request: IncomingMessage): Promise<string> =>
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
