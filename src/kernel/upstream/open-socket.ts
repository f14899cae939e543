import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext } from 'node:tls'
import { LRUCache } from 'lru-cache'
import { errors } from 'undici'
import type { Clock } from '../clock.ts'

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
  readonly secureContext: SecureContext
  readonly sessions: TlsSessions
  readonly timeoutMs: number
}

/** Probes that keep an idle connection from being forgotten by a router. */
const KEEP_ALIVE_DELAY_MS = 60_000
/** HTTP/2 first: some servers choose by the order of the client. */
const PROTOCOLS = ['h2', 'http/1.1']

/** Opens a TCP or TLS connection, and calls back once. */
export function openSocket(endpoint: Endpoint, options: Options, opened: Opened): Socket {
  const isTls = endpoint.protocol === 'https:'
  const socket = isTls ? openTls(endpoint, options) : openTcp(endpoint, options)
  socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_DELAY_MS)
  const timer = setTimeout(() => {
    socket.destroy(new errors.ConnectTimeoutError(`${endpoint.host} did not accept a connection in time`))
  }, options.timeoutMs)
  const settle = (error: Error | null): void => {
    clearTimeout(timer)
    socket
      .off('error', settle)
      .off('close', onClose)
      .off(isTls ? 'secureConnect' : 'connect', onConnect)
    if (error) {
      // A session that the server cannot use must not break the next handshake too.
      if (isTls) options.sessions.delete(endpoint.origin)
      socket.on('error', () => {}).destroy()
      opened(error, null)
    } else opened(null, socket)
  }
  const onConnect = () => settle(null)
  const onClose = () => settle(new errors.SocketError('the connection was closed while it was being opened'))
  socket
    .once('error', settle)
    .once('close', onClose)
    .once(isTls ? 'secureConnect' : 'connect', onConnect)
  return socket
}

function openTls({ origin, hostname, port }: Endpoint, { lookup, secureContext, sessions }: Options): Socket {
  const session = sessions.get(origin)
  const socket = connectTls({
    host: hostname,
    port: Number(port || 443),
    lookup,
    secureContext,
    ALPNProtocols: PROTOCOLS,
    ...(isIP(hostname) === 0 && { servername: hostname }),
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
