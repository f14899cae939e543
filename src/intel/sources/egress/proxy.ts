import { once } from 'node:events'
import { lookup as systemLookup } from 'node:dns'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Random } from '../../../kernel/random.ts'
import { allowedAddresses, type HostLookup } from '../../../kernel/upstream/guard.ts'
import { createProxyRules, ProxyError, type ProxySettings } from '../../../kernel/upstream/proxy.ts'
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
  /**
   * Tries to connect under the rules that hold for the browser. Null on success, otherwise the reason. Port 80 of a host
   * behind the operator's proxy succeeds if the proxy can be reached: it connects to the host for a request only.
   */
  probe(destination: Destination): Promise<Unreached | ProxyError | null>
}

/** The operator's proxies, through which pages are reached. */
export type OperatorProxy = {
  readonly settings: ProxySettings
  /** DNS lookup of the proxies; the system's by default. */
  readonly lookup?: HostLookup | undefined
}

type Needs = Omit<Rules, 'ports' | 'findProxy'> & {
  readonly random: Random
  readonly proxy?: OperatorProxy | undefined
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
  proxy,
  ...rest
}: Needs): Promise<Egress> {
  const connector = {
    rules: { ...rest, ports, findProxy: createProxyRules(proxy?.settings) },
    connectTimeoutMs,
    // The operator named the proxy, so it may have any address.
    proxyLookup: allowedAddresses(() => true, proxy?.lookup ?? systemLookup),
  }
  // By the whole header, which contains 128 random bits.
  const passes = new Map<string, OpenPass>()
  const passOf = (request: IncomingMessage) => passes.get(request.headers['proxy-authorization'] ?? '')

  const onRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const pass = passOf(request)
    if (!pass) return void response.writeHead(407, CHALLENGE).end()
    const target = parseTarget(request.url ?? '')
    const asked = target && ({ destination: target, manner: 'request' } as const)
    const upstream = asked && (await connectFor(connector, request.socket, asked, pass))
    // Never send an error page of our own: it would be taken for the page of the site.
    if (!upstream) return void request.socket.destroy()
    forward({ request, response, target, upstream, pass })
  }

  const onConnect = async (request: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy())
    const pass = passOf(request)
    if (!pass) return void client.end(rawHead('407 Proxy Authentication Required', CHALLENGE))
    const destination = parseAuthority(request.url ?? '')
    const asked = destination && ({ destination, manner: 'tunnel' } as const)
    const upstream = asked && (await connectFor(connector, client, asked, pass))
    if (!upstream) return void client.end(rawHead('502 Bad Gateway', { connection: 'close', 'content-length': '0' }))
    tunnel({ client, upstream: upstream.socket, head, pass })
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
        const manner = destination.port === 80 ? 'request' : 'tunnel'
        const upstream = await connectTo(connector, { destination, manner }, pass)
        if (typeof upstream === 'string' || upstream instanceof ProxyError) return upstream
        upstream.socket.on('error', () => {}).destroy()
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
