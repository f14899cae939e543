import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'

export type ListenerOptions = {
  readonly host: string
  readonly port: number
  readonly log: Log
  readonly metrics: Pick<Metrics, 'refusedConnection'>
  /** Tests may lower these; operators have a proxy for finer settings. */
  readonly limits?: Partial<ListenerLimits>
}

export type ListenerLimits = {
  /** Request line and headers together; past it the answer is 431 and the connection closed. */
  readonly headerBytes: number
  /** Until all headers are there; past it 408. An idle new connection is dropped by the same clock. */
  readonly headersMs: number
  /** Until the whole request is there, body included. */
  readonly requestMs: number
  /** An idle connection between two requests; longer than common load balancers keep theirs. */
  readonly keepAliveMs: number
  readonly connections: number
  /** How often slow connections are looked for. */
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

/** No door of ours reads a larger body. */
const LARGEST_BODY = 1024 * 1024

export type Listener = {
  readonly host: string
  readonly port: number
  /**
   * Stops without dropping a request: for `lingerMs` connections are still answered (and told to close), then no new
   * ones are taken, and what is in flight may finish within `graceMs`.
   */
  stop(options?: { lingerMs?: number; graceMs?: number }): Promise<void>
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A hardened HTTP server on one address. Rejects with a sentence an operator understands if it cannot listen. */
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
  // Connections that have carried no request yet: Node counts them as busy, and a stop would wait for them.
  const silent = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.maxConnections = limits.connections
  server.maxHeadersCount = 100
  server.on('drop', () => metrics.refusedConnection('too_many_connections'))
  // A client that asks before it sends a body nobody would read is told so before it sends it.
  server.on('checkContinue', (request, response) => {
    if (Number(request.headers['content-length'] ?? 0) <= LARGEST_BODY) response.writeContinue()
    door.handle(request, response)
  })
  // Without a listener Node answers 417, without a body; an expectation nobody knows may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => door.handle(request, response))
  server.on('connect', (_request, socket) => refuse(socket as Socket, CONNECT_REFUSED))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const code = error.code ?? ''
    if (CONNECTION_LOST.has(code)) {
      socket.destroy()
      return
    }
    const refusal = REFUSALS[code] ?? UNREADABLE
    // A client that closes its side in the middle of a request has left; it may still read why nothing comes of it.
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
    // A burst of new clients waits in line instead of trying again a second later; the system may cap the length.
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
  if (lingerMs > 0) await new Promise((resolve) => setTimeout(resolve, lingerMs))
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

/** The client or the network closed the connection: nobody is left to be told anything. */
const CONNECTION_LOST: ReadonlySet<string> = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'])

const refusals = new WeakMap<Socket, number>()

/** The status a connection was refused with while one of its requests was being read, such as 408. */
export const refusalStatus = (socket: Socket): number | undefined => refusals.get(socket)

/** Answers on the bare socket: these requests never reach the door. */
function refuse(socket: Socket, { status, message, allow }: Refusal): void {
  socket.on('error', () => socket.destroy())
  // An answer under way on this connection must not be mixed with another; Node keeps it under this name.
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
  // A client that keeps sending is not waited for.
  setTimeout(() => socket.destroy(), 1_000).unref()
}
