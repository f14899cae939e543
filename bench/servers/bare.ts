import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// The baseline: a node:http server that sends the same body and does nothing else.
const text = process.env['BENCH_BODY']!
const bytes = Buffer.from(text)
const body = process.env['BENCH_BODY_KIND'] === 'text' ? text : bytes
const server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`)
})
