import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Random } from '../../../kernel/random.ts'
import { connectFor, connectTo, type Unreached } from './connect.ts'
import { type Destination, parseAuthority, type Rules } from './destination.ts'
import { forward, parseTarget } from './forward.ts'
import { type OpenPass, openPass, type Pass, type PassLimits } from './pass.ts'
import { tunnel } from './tunnel.ts'

/** The browser's only network access: a proxy on loopback that connects to public addresses only. */
export type Egress = {
  /** URL of the proxy, for the browser. */
  readonly url: string
  /** Credentials for one capture, valid until the pass is closed. */
  admit(limits: PassLimits): Admission
  close(): Promise<void>
}

export type Admission = Pass & {
  /** Tries to connect under the rules that hold for the browser. Null on success, otherwise the reason. */
  probe(destination: Destination): Promise<Unreached | null>
}

type Needs = Omit<Rules, 'ports'> & {
  readonly random: Random
  readonly ports?: readonly number[]
  readonly connectTimeoutMs?: number
}

const CHALLENGE = { 'proxy-authenticate': 'Basic realm="egress"', connection: 'close', 'content-length': '0' }
/** For one request; pages control the length of their headers. */
const MAX_HEADER_BYTES = 64 * 1024
/** Connections from the browser, over all captures. */
const MAX_CLIENTS = 1024

export async function startEgress({
  random,
  connectTimeoutMs = 5000,
  ports = [80, 443],
  ...rest
}: Needs): Promise<Egress> {
  const connector = { rules: { ...rest, ports }, connectTimeoutMs }
  // By the whole header, which contains 128 random bits.
  const passes = new Map<string, OpenPass>()
  const passOf = (request: IncomingMessage) => passes.get(request.headers['proxy-authorization'] ?? '')

  const onRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const pass = passOf(request)
    if (!pass) return void response.writeHead(407, CHALLENGE).end()
    const target = parseTarget(request.url ?? '')
    const upstream = target && (await connectFor(connector, request.socket, target, pass))
    // Never send an error page of our own: it would be taken for the page of the site.
    if (!upstream) return void request.socket.destroy()
    forward({ request, response, target, upstream, pass })
  }

  const onConnect = async (request: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy())
    const pass = passOf(request)
    if (!pass) return void client.end(rawHead('407 Proxy Authentication Required', CHALLENGE))
    const destination = parseAuthority(request.url ?? '')
    const upstream = destination && (await connectFor(connector, client, destination, pass))
    if (!upstream) return void client.end(rawHead('502 Bad Gateway', { connection: 'close', 'content-length': '0' }))
    tunnel({ client, upstream, head, pass })
  }

  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: 10_000, requestTimeout: 30_000 })
  server.maxConnections = MAX_CLIENTS
  const sockets = new Set<Duplex>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', (request, response) => void onRequest(request, response))
  server.on('connect', (request, client, head) => void onConnect(request, client, head))
  server.on('clientError', (_error, socket) => socket.destroy())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  let closing: Promise<void> | undefined
  const close = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const pass of passes.values()) pass.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    admit(limits) {
      const pass = openPass(limits, random, () => passes.delete(header))
      const header = `Basic ${Buffer.from(`${pass.username}:${pass.password}`).toString('base64')}`
      passes.set(header, pass)
      const probe = async (destination: Destination) => {
        const upstream = await connectTo(connector, destination, pass)
        if (typeof upstream === 'string') return upstream
        upstream.on('error', () => {}).destroy()
        return null
      }
      return Object.assign(pass, { probe })
    },
    close: () => (closing ??= close()),
  }
}

const rawHead = (status: string, headers: Readonly<Record<string, string>>) =>
  `HTTP/1.1 ${status}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`
