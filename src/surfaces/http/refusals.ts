import type { Socket } from 'node:net'
import type { Metrics } from '../../kernel/metrics.ts'

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
export const CONNECT_REFUSED: Refusal = {
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

/** Answers what Node could not parse as a request, or what arrived too slowly. */
export function refuseError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  metrics: Pick<Metrics, 'refusedConnection'>,
): void {
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
}

/** Answers on the socket itself: Node never hands these requests to the door. */
export function refuse(socket: Socket, { status, message, allow }: Refusal): void {
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
