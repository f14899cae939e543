import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext } from 'node:tls'
import { LRUCache } from 'lru-cache'
import { errors } from 'undici'
import type { Clock } from '../clock.ts'
import { connectToProxy, requestTunnel } from './proxy-tunnel.ts'
import { proxyFailure, type ProxyServer } from './proxy.ts'

/** Where a connection goes. */
export type Endpoint = {
  /** Protocol and host, as in `URL.origin`. */
  readonly origin: string
  readonly protocol: string
  /** With the port, unless that is the default, as in `URL.host`. */
  readonly host: string
  /** An IPv6 address has no brackets. */
  readonly hostname: string
  /** Empty for the default of the protocol. */
  readonly port: string
  /** The proxy that connects to it (CONNECT); undefined for a direct connection. */
  readonly proxy?: ProxyServer | undefined
}

export type Opened = (error: Error | null, socket: Socket | null) => void

/** TLS sessions by origin, so that a further connection needs no full handshake. */
export type TlsSessions = {
  get(key: string): Buffer | undefined
  set(key: string, session: Buffer): void
  delete(key: string): void
}

type Options = {
  readonly lookup: LookupFunction
  /** DNS lookup of a proxy. */
  readonly proxyLookup: LookupFunction
  readonly secureContext: SecureContext
  readonly sessions: TlsSessions
  readonly timeoutMs: number
  /** Protocols that are offered to a server over TLS. */
  readonly alpn?: string[]
}

/** Probes that keep an idle connection from being forgotten by a router. */
const KEEP_ALIVE_DELAY_MS = 60_000
/** HTTP/2 first: some servers choose by the order of the client. */
const PROTOCOLS = ['h2', 'http/1.1']

/**
 * Opens a TCP or TLS connection, through the endpoint's proxy if it has one, and calls back once. The socket it returns is
 * the one to the next machine: closing it closes the connection.
 */
export function openSocket(endpoint: Endpoint, options: Options, opened: Opened): Socket {
  const isTls = endpoint.protocol === 'https:'
  const { proxy } = endpoint
  const socket = proxy
    ? connectToProxy(proxy, options.proxyLookup)
    : isTls
      ? openTls(endpoint, options)
      : openTcp(endpoint, options)
  socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_DELAY_MS)
  const timer = setTimeout(() => {
    socket.destroy(new errors.ConnectTimeoutError(`${endpoint.host} did not accept a connection in time`))
  }, options.timeoutMs)
  let stop = (): void => {}
  const settle = (error: Error | null, connection: Socket): void => {
    clearTimeout(timer)
    stop()
    if (error) {
      // A session that the server cannot use must not break the next handshake too.
      if (isTls) options.sessions.delete(endpoint.origin)
      for (const one of new Set([connection, socket])) one.on('error', () => {}).destroy()
      // Until it has connected to the host, whatever fails is the proxy.
      opened(proxy && connection === socket ? proxyFailure(proxy, error) : error, null)
    } else opened(null, connection)
  }
  /** Fails when this socket does, until the next call. */
  const watch = (one: Socket): void => {
    const onError = (error: Error) => settle(error, one)
    const onClose = () => settle(new errors.SocketError('the connection was closed while it was being opened'), one)
    stop()
    stop = () => void one.off('error', onError).off('close', onClose)
    one.once('error', onError).once('close', onClose)
  }
  watch(socket)
  const isTlsToNext = proxy ? proxy.protocol === 'https:' : isTls
  socket.once(isTlsToNext ? 'secureConnect' : 'connect', () => {
    if (!proxy) return settle(null, socket)
    const port = endpoint.port || (isTls ? 443 : 80)
    const target = `${isIP(endpoint.hostname) === 6 ? `[${endpoint.hostname}]` : endpoint.hostname}:${port}`
    return requestTunnel(socket, { proxy, target }, (error) => {
      if (error || !isTls) return settle(error, socket)
      const secured = openTls(endpoint, options, socket)
      watch(secured)
      // What goes wrong below is reported by the socket above.
      socket.on('error', () => {})
      return secured.once('secureConnect', () => settle(null, secured))
    })
  })
  return socket
}

function openTls(
  { origin, hostname, port }: Endpoint,
  { lookup, secureContext, sessions, alpn = PROTOCOLS }: Options,
  tunnel?: Socket,
): Socket {
  const session = sessions.get(origin)
  const socket = connectTls({
    ...(tunnel ? { socket: tunnel } : { host: hostname, port: Number(port || 443), lookup }),
    secureContext,
    ALPNProtocols: alpn,
    ...(isIP(hostname) === 0 ? { servername: hostname } : tunnel && { host: hostname }),
    ...(session && { session }),
  })
  return socket.on('session', (received) => sessions.set(origin, received))
}

const openTcp = ({ hostname, port }: Endpoint, { lookup }: Options): Socket =>
  connectTcp({ host: hostname, port: Number(port || 80), lookup })

/** A resumed session does not check the certificate again, so it is not used for longer than this. */
const SESSION_TTL_MS = 3_600_000

export function createTlsSessions({ clock, max }: { readonly clock: Clock; readonly max: number }): TlsSessions {
  const sessions = new LRUCache<string, { readonly session: Buffer; readonly expiresAt: number }>({ max })
  return {
    get(key) {
      const { session, expiresAt = 0 } = sessions.get(key) ?? {}
      return clock.monotonic() < expiresAt ? session : undefined
    },
    set: (key, session) => void sessions.set(key, { session, expiresAt: clock.monotonic() + SESSION_TTL_MS }),
    delete: (key) => void sessions.delete(key),
  }
}
