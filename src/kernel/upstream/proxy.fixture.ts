import { createServer, type IncomingMessage, request as forward } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { CERTIFICATE, KEY, openForTest } from './loopback.fixture.ts'
import type { ProxySettings } from './proxy.ts'

type Options = {
  /** `user:password` that the proxy wants. */
  readonly wants?: string
  /** Answers CONNECT with this status. */
  readonly refuses?: number
  /** Ports that are led to others, such as 80 to that of a test server. */
  readonly ports?: Readonly<Record<number, number>>
  /** Whether clients reach it over TLS, as `upstream.test`. */
  readonly tls?: boolean
}

/** A real HTTP proxy on loopback that leads every host to loopback. `asked` has what it was asked for. */
export async function serveProxy(t: TestContext, { wants, refuses, ports = {}, tls = false }: Options = {}) {
  const asked: string[] = []
  const portBehind = (port: number): number => ports[port] ?? port
  const sockets = new Set<Socket>()
  const mayPass = ({ headers }: IncomingMessage): boolean =>
    wants === undefined || headers['proxy-authorization'] === `Basic ${Buffer.from(wants).toString('base64')}`
  const server = tls ? createTlsServer({ key: KEY, cert: CERTIFICATE }) : createServer()
  server.on('request', (incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`)
    if (!mayPass(incoming)) return response.writeHead(407, { 'proxy-authenticate': 'Basic' }).end()
    const { port: asWritten, pathname, search } = new URL(incoming.url!)
    const port = portBehind(Number(asWritten || 80))
    const { 'proxy-authorization': _, ...headers } = incoming.headers
    const sent = { host: '127.0.0.1', port, path: pathname + search, method: incoming.method, headers }
    return incoming.pipe(
      forward(sent, (reply) => reply.pipe(response.writeHead(reply.statusCode!, reply.headers))).on('error', () =>
        response.destroy(),
      ),
    )
  })
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    asked.push(`CONNECT ${incoming.url}`)
    socket.on('error', () => {})
    const status = mayPass(incoming) ? (refuses ?? 200) : 407
    if (status !== 200) return socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`)
    const target = connect(portBehind(Number(incoming.url!.split(':').at(-1))), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(target).pipe(socket)
    })
    sockets.add(target)
    target.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    return socket.on('close', () => target.destroy())
  })
  const port = await openForTest(t, server, sockets)
  return { asked, sockets, port, url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}` }
}

export const proxies = (url: string, except = ''): ProxySettings => ({ https: url, http: url, except })
