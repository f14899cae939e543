import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import { type Connections, createConnections } from './connections.ts'
import { CONNECT_REFUSED, refuse, refuseError } from './refusals.ts'
import { stopListening } from './stop-listening.ts'

export type ListenerOptions = {
  readonly host: string
  readonly port: number
  readonly log: Log
  readonly metrics: Pick<Metrics, 'refusedConnection'>
  /** Proxies have no limit of connections. None by default. */
  readonly isTrustedProxy?: (address: string) => boolean
  /** The defaults are for operators who set nothing; tests lower them. */
  readonly limits?: Partial<ListenerLimits>
}

export type ListenerLimits = {
  /** Of request line and headers together; a larger request is answered with 431. */
  readonly headerBytes: number
  /** Timeout for the headers; answered with 408. A new connection without a request is dropped after it too. */
  readonly headersMs: number
  /** Timeout for the whole request, body included. */
  readonly requestMs: number
  /** Timeout of an idle connection; longer than that of common load balancers, so that they close first. */
  readonly keepAliveMs: number
  readonly connections: number
  /** Open at a time from one IPv4 address or IPv6 /64. */
  readonly connectionsPerClient: number
  /** A connection whose client reads nothing of its answer for this long is cut. */
  readonly unreadMs: number
  /** Unread answers of all connections together; above it, those that are not being read are cut. */
  readonly unreadBytes: number
  /** Interval of the check for slow connections. */
  readonly checkMs: number
}

const LIMITS: ListenerLimits = {
  headerBytes: 16 * 1024,
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  connections: 10_000,
  connectionsPerClient: 256,
  unreadMs: 30_000,
  unreadBytes: 128 * 1024 * 1024,
  checkMs: 2_000,
}

/** No endpoint accepts a larger body. */
const MAX_BODY_BYTES = 1024 * 1024

export type Listener = {
  readonly host: string
  readonly port: number
  /** How many connections are open. */
  readonly connections: number
  /**
   * Stops without dropping a request: for `lingerMs` requests are still answered (with Connection: close), then no new
   * connections are accepted, and requests in flight may finish within `graceMs`.
   */
  stop(options?: { lingerMs?: number; graceMs?: number }): Promise<void>
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A hardened HTTP server on one address. Rejects with ListenError if it cannot listen. */
export async function listen(
  door: { handle: Handler; drain(): void },
  { host, port, log, metrics, isTrustedProxy = () => false, limits: given }: ListenerOptions,
): Promise<Listener> {
  const limits = { ...LIMITS, ...given }
  const connections = createConnections(limits, isTrustedProxy)
  /** While set, requests wait here: the listening socket is about to be closed. */
  let held: Parameters<Handler>[] | undefined
  const handle: Handler = (request, response) => {
    announceKeepAlive(response, limits.keepAliveMs)
    // Node gives a response its socket when its turn comes: this request is queued behind another of its connection.
    if (response.socket === null && !connections.admitPipelined(request, response)) return
    if (held === undefined) door.handle(request, response)
    else held.push([request, response])
  }
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      // Node would start and stop a timer for every request; `connections` closes idle connections instead.
      keepAliveTimeout: 0,
      connectionsCheckingInterval: limits.checkMs,
      noDelay: true,
      // The door refuses such a request with an error in JSON; Node would send an empty 400.
      requireHostHeader: false,
      // A request without a body needs none of a stream's events, which take an eighth of its time.
      optimizeEmptyRequests: true,
      // RFC 9110, 7.8: an Upgrade to a protocol that is not supported is ignored, and the request served as HTTP/1.1.
      shouldUpgradeCallback: () => false,
    },
    handle,
  )
  server.maxConnections = limits.connections
  server.maxHeadersCount = 100
  watchConnections(server, connections, metrics)
  // A client that sends `Expect: 100-continue` with a body that is too large gets the error before it sends the body.
  server.on('checkContinue', (request, response) => {
    if (Number(request.headers['content-length'] ?? 0) <= MAX_BODY_BYTES) response.writeContinue()
    handle(request, response)
  })
  // An unknown expectation may be ignored (RFC 9110, 10.1.1); without this listener Node answers 417 without a body.
  server.on('checkExpectation', handle)
  server.on('connect', (_request, socket) => refuse(socket as Socket, CONNECT_REFUSED))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuseError(error, socket, metrics))
  await started(server, host, port)
  server.on('error', (error) => log.error({ error }, 'The listener failed.'))
  const sweep = setInterval(() => {
    const cut = connections.check()
    for (let count = 0; count < cut; count++) metrics.refusedConnection('unread_answer')
  }, limits.checkMs)
  sweep.unref()
  server.once('close', () => clearInterval(sweep))
  const address = server.address() as AddressInfo
  return {
    host,
    port: address.port,
    get connections() {
      return connections.open.size
    },
    stop: (options) =>
      stopListening(
        {
          server,
          connections,
          drain: () => door.drain(),
          hold() {
            held = []
          },
          release() {
            const waiting = held ?? []
            held = undefined
            for (const exchange of waiting) door.handle(...exchange)
          },
        },
        options,
      ),
  }
}

/** Tells clients how long an idle connection stays open, as Node does if the timeout is its own. */
const announceKeepAlive = (response: ServerResponse & { _keepAliveTimeout?: number }, ms: number): void => {
  response._keepAliveTimeout = ms
}

function watchConnections(server: Server, connections: Connections, metrics: Pick<Metrics, 'refusedConnection'>): void {
  server.on('drop', () => metrics.refusedConnection('too_many_connections'))
  // Before Node's own listener, which creates a parser: refusing must cost less than connecting.
  const accept = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    if (connections.add(socket)) {
      for (const listener of accept) listener.call(server, socket)
      return
    }
    metrics.refusedConnection('too_many_from_client')
    socket.on('error', () => {})
    socket.resetAndDestroy()
  })
}

function started(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new ListenError(host, port, error)))
    // A long backlog lets a burst of new clients wait instead of retrying a second later; the system may cap it.
    server.listen({ host, port, backlog: 4_096 }, () => {
      server.removeAllListeners('error')
      resolve()
    })
  })
}

export class ListenError extends Error {
  override readonly name = 'ListenError'
  constructor(host: string, port: number, cause: NodeJS.ErrnoException) {
    const why: Record<string, string> = {
      EADDRINUSE: 'another program listens there',
      EACCES: 'this user may not listen there; ports below 1024 need privileges',
      EADDRNOTAVAIL: 'this machine has no such address',
    }
    super(`Cannot listen on ${host}:${port}: ${why[cause.code ?? ''] ?? cause.message}.`, { cause })
  }
}
