import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { throwAwayCertificate } from '../../src/app/warm-up/certificate.ts'

type Target = {
  readonly url: string
  /** Results of JSON-RPC methods that are replaced. */
  readonly results?: Readonly<Record<string, unknown>>
}

/** Hosts with https on this machine, each in front of a server without: a reverse proxy, and nodes of chains. */
export async function startPublicHosts(targets: Readonly<Record<string, Target>>) {
  const names = Object.keys(targets)
  const { key, cert } = throwAwayCertificate(names)
  const server = createServer({ key, cert }, (request, response) => {
    const target = targets[request.headers.host?.split(':')[0] ?? '']
    const answered = target ? forward(target, request, response) : Promise.reject(new Error('unknown host'))
    answered.catch(() => response.writeHead(502).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    certificate: cert,
    /** The port on this machine, by host and port. */
    ports: Object.fromEntries(names.map((name) => [`${name}:443`, port])),
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Headers that belong to one connection, or to a body as it was sent. */
const NOT_FORWARDED = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding'])

async function forward({ url, results }: Target, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
  const headers = new Headers({ 'x-forwarded-for': request.socket.remoteAddress!, 'accept-encoding': 'identity' })
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && !NOT_FORWARDED.has(name) && name !== 'host') headers.set(name, value)
  }
  const path = results ? '' : (request.url ?? '')
  const post = request.method === 'POST' ? { body } : {}
  const answer = await fetch(url + path, { method: request.method ?? 'GET', headers, ...post })
  const text = await answer.text()
  for (const [name, value] of answer.headers) if (!NOT_FORWARDED.has(name)) response.setHeader(name, value)
  response.writeHead(answer.status).end(results ? replaced(body.toString(), text, results) : text)
}

type Asked = { readonly id: unknown; readonly method: string }

/** The answers of a node, with some results replaced. */
function replaced(asked: string, answered: string, results: Readonly<Record<string, unknown>>): string {
  const questions = [JSON.parse(asked) as Asked | Asked[]].flat()
  const parsed = JSON.parse(answered) as { id: unknown } | { id: unknown }[]
  const answers = [parsed].flat().map((answer) => {
    const { method = '' } = questions.find(({ id }) => id === answer.id) ?? {}
    return Object.hasOwn(results, method) ? { jsonrpc: '2.0', id: answer.id, result: results[method] } : answer
  })
  return JSON.stringify(Array.isArray(parsed) ? answers : answers[0])
}
