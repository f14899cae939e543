import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Hex } from 'viem'

export const RPC_URL = process.env['BENCH_RPC_URL']!

/** The text records that metadata shows, with their keys on the chain. */
export const TEXTS = {
  avatar: 'avatar',
  url: 'url',
  description: 'description',
  twitter: 'com.twitter',
  github: 'com.github',
  email: 'email',
} as const

/** What a contestant returns for a name. The format of content hashes depends on its library. */
export type Metadata = {
  readonly owner: Hex
  readonly resolver: Hex
  readonly address: string
  readonly records: Readonly<Record<keyof typeof TEXTS | 'contenthash', string>>
}

/** A minimal server for `GET /metadata?name=` with responses like ours. Null means that the name is not registered. */
export function serve(lookUp: (name: string) => Promise<Metadata | null>): void {
  const respond = async (url: string): Promise<[status: number, body: object]> => {
    const name = new URL(url, 'http://127.0.0.1').searchParams.get('name')
    if (!name) return [400, { error: 'missing_parameter' }]
    const began = performance.now()
    const found = await lookUp(name)
    if (!found) return [404, { error: 'not_found' }]
    const responseMs = Math.round(performance.now() - began)
    return [200, { name, ...found, responseMs, source: 'rpc', checkedAt: new Date().toISOString() }]
  }
  const server = createServer((request, response) => {
    respond(request.url!).then(
      ([status, body]) => send(response, status, body),
      (error: unknown) => send(response, 500, { error: String(error) }),
    )
  })
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`)
  })
}

function send(response: ServerResponse, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body))
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length })
  response.end(bytes)
}
