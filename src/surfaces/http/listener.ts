import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import { sleep } from '../../kernel/sleep.ts'

export type ListenerOptions = {
  readonly host: string
  readonly port: number
  readonly log: Log
  readonly metrics: Pick<Metrics, 'refusedConnection'>
  /** Lowered by tests. Operators who need other limits set them in a proxy. */
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
  /** Interval of the check for slow connections. */
  readonly checkMs: number
}

const LIMITS: ListenerLimits = {
  headerBytes: 16 * 1024,
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  connections: 10_000,
  checkMs: 2_000,
}

/** No endpoint accepts a larger body. */
const MAX_BODY_BYTES = 1024 * 1024

export type Listener = {
  readonly host: string
  readonly port: number
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
  { host, port, log, metrics, limits: given }: ListenerOptions,
): Promise<Listener> {
  const limits = { ...LIMITS, ...given }
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.checkMs,
      noDelay: true,
      // The door refuses such a request with an error in JSON; Node would send an empty 400.
      requireHostHeader: false,
      // RFC 9110, 7.8: an Upgrade to a protocol that is not supported is ignored, and the request served as HTTP/1.1.
      shouldUpgradeCallback: () => false,
    },
    (request, response) => {
      silent.delete(request.socket)
      door.handle(request, response)
    },
  )
  // Connections without a request so far: Node counts them as busy, so a stop would wait for them.
  const silent = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.maxConnections = limits.connections
  server.maxHeadersCount = 100
  server.on('drop', () => metrics.refusedConnection('too_many_connections'))
  // A client that sends `Expect: 100-continue` with a body that is too large gets the error before it sends the body.
  server.on('checkContinue', (request, response) => {
    if (Number(request.headers['content-length'] ?? 0) <= MAX_BODY_BYTES) response.writeContinue()
    door.handle(request, response)
  })
  // An unknown expectation may be ignored (RFC 9110, 10.1.1); without this listener Node answers 417 without a body.
  server.on('checkExpectation', (request, response) => door.handle(request, response))
  server.on('connect', (_request, socket) => refuse(socket as Socket, CONNECT_REFUSED))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const code = error.code ?? ''
    if (CONNECTION_LOST.has(code)) {
      socket.destroy()
      return
    }
    const refusal = REFUSALS[code] ?? UNREADABLE
    // A client that closes its side in the middle of a request is not counted as refused, but may still read the answer.
    if (code !== 'HPE_INVALID_EOF_STATE') {
      metrics.refusedConnection(refusal.reason)
      refusals.set(socket, Number(refusal.status.slice(0, 3)))
    }
    refuse(socket, refusal)
  })
  await started(server, host, port)
  server.on('error', (error) => log.error({ error }, 'The listener failed.'))
  const address = server.address() as AddressInfo
  return { host, port: address.port, stop: (options) => stop(server, silent, () => door.drain(), options) }
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

async function stop(
  server: Server,
  silent: ReadonlySet<Socket>,
  drain: () => void,
  { lingerMs = 300, graceMs = 10_000 } = {},
): Promise<void> {
  drain()
  if (lingerMs > 0) await sleep(lingerMs)
  const force = setTimeout(() => server.closeAllConnections(), graceMs)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  for (const socket of silent) if (socket.bytesRead === 0) socket.destroy()
  await closed
  clearTimeout(force)
}

type Refusal = { readonly status: string; readonly reason: string; readonly message: string; readonly allow?: boolean }

const UNREADABLE: Refusal = {
  status: '400 Bad Request',
  reason: 'unreadable',
  message: 'The request is not valid HTTP.',
}
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    reason: 'headers_too_large',
    message: 'The address and headers together are larger than 16 KiB.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    reason: 'too_slow',
    message: 'The request took too long to arrive.',
  },
}
const CONNECT_REFUSED: Refusal = {
  status: '405 Method Not Allowed',
  reason: 'connect',
  message: 'CONNECT is not allowed here.',
  allow: true,
}

/** The connection is gone: no answer can be sent. */
const CONNECTION_LOST: ReadonlySet<string> = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'])

const refusals = new WeakMap<Socket, number>()

/** The status a connection was refused with while one of its requests was being read, such as 408. */
export const refusalStatus = (socket: Socket): number | undefined => refusals.get(socket)

/** Answers on the socket itself: Node never hands these requests to the door. */
function refuse(socket: Socket, { status, message, allow }: Refusal): void {
  socket.on('error', () => socket.destroy())
  // Do not write into an answer that has already begun; `_httpMessage` is where Node keeps it.
  const underWay = (socket as Socket & { _httpMessage?: { headersSent: boolean } | null })._httpMessage?.headersSent
  if (!socket.writable || underWay) {
    socket.destroy()
    return
  }
  const code = allow ? 'method_not_allowed' : 'invalid_request'
  const body = JSON.stringify({ error: code, message })
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...(allow ? ['Allow: GET, HEAD, POST, OPTIONS'] : []),
      'Access-Control-Allow-Origin: *',
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  // Cut a client that keeps sending.
  setTimeout(() => socket.destroy(), 1_000).unref()
}
