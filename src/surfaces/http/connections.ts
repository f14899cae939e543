import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { canonicalAddress } from '../../kernel/addresses.ts'
import { rateKey } from './client-address.ts'

/** The open connections of one listener. */
export type Connections = {
  /** Counts a new connection. False if its client has too many open; the caller closes it. */
  add(socket: Socket): boolean
  /** Whether to handle a request that arrived before the answers to earlier ones on its connection were sent. */
  admitPipelined(request: IncomingMessage, response: ServerResponse): boolean
  /**
   * Called every `checkMs`. Cuts connections whose client has read nothing of its answer for `unreadMs`, and returns how
   * many; closes connections that have been idle for `keepAliveMs`.
   */
  check(): number
  /** Connections accepted so far. */
  readonly accepted: number
  readonly open: ReadonlyMap<Socket, unknown>
  /** Clients with at least one counted connection. */
  readonly clients: number
}

export type ConnectionLimits = {
  /** Per IPv4 address or IPv6 /64. */
  readonly connectionsPerClient: number
  readonly unreadMs: number
  /** How long a connection may be open without a request. */
  readonly keepAliveMs: number
  readonly checkMs: number
  /** Unread answers of all connections together; above it, those that are not being read are cut at the next check. */
  readonly unreadBytes: number
}

type State = {
  readonly client: string | undefined
  unsentBytes: number
  /** Checks since `unsentBytes` changed. */
  unchanged: number
  bytesRead: number
  /** Checks since a request was served or bytes arrived. */
  idle: number
  /** Requests that wait for the answers to earlier ones on this connection. */
  pipelined: number
}

/** One read of the system can bring thousands of requests, which Node would hand over in one turn of the event loop. */
const MAX_PIPELINED = 16
/** Up to this many, the connection ends after the answers to the admitted requests; beyond it, at once. */
const MAX_IGNORED = 64

/** Trusted proxies are not limited: their connections carry the requests of many clients. */
export function createConnections(
  { connectionsPerClient, unreadMs, keepAliveMs, checkMs, unreadBytes }: ConnectionLimits,
  isTrustedProxy: (address: string) => boolean,
): Connections {
  const open = new Map<Socket, State>()
  const perClient = new Map<string, number>()
  let accepted = 0

  const remove = (socket: Socket, client: string | undefined): void => {
    open.delete(socket)
    if (client === undefined) return
    const count = perClient.get(client)! - 1
    if (count === 0) perClient.delete(client)
    else perClient.set(client, count)
  }

  return {
    add(socket) {
      const address = canonicalAddress(socket.remoteAddress ?? '')
      // Undefined: the client has already gone.
      const client = address === undefined || isTrustedProxy(address) ? undefined : rateKey(address)
      if (client !== undefined) {
        const count = perClient.get(client) ?? 0
        if (count >= connectionsPerClient) return false
        perClient.set(client, count + 1)
      }
      accepted++
      open.set(socket, { client, unsentBytes: 0, unchanged: 0, bytesRead: 0, idle: 0, pipelined: 0 })
      socket.once('close', () => remove(socket, client))
      return true
    },
    admitPipelined({ socket }, response) {
      const state = open.get(socket)
      if (state === undefined || socket.destroyed) return false
      const position = ++state.pipelined
      if (position > MAX_PIPELINED + MAX_IGNORED) socket.destroy()
      // Unanswered requests may be sent again (RFC 9112, 9.3.2).
      if (position === MAX_PIPELINED) response.shouldKeepAlive = false
      if (position > MAX_PIPELINED) return false
      response.once('close', () => state.pipelined--)
      return true
    },
    check() {
      let cut = 0
      let total = 0
      for (const [socket, state] of open) {
        const unsentBytes = unsentBytesOf(socket)
        total += unsentBytes
        if (unsentBytes === 0 || unsentBytes !== state.unsentBytes) {
          state.unsentBytes = unsentBytes
          state.unchanged = 0
          if (isIdle(socket, state)) state.idle++
          else state.idle = 0
          if (state.idle * checkMs >= keepAliveMs) socket.destroy()
        } else if (++state.unchanged * checkMs >= unreadMs || total > unreadBytes) {
          socket.destroy()
          total -= unsentBytes
          cut++
        }
      }
      return cut
    },
    get accepted() {
      return accepted
    },
    open,
    get clients() {
      return perClient.size
    },
  }
}

/** `_httpMessage` is where Node keeps the answer that is being sent. */
function isIdle(socket: Socket & { _httpMessage?: object | null }, state: State): boolean {
  const { bytesRead } = socket
  const isUnchanged = bytesRead === state.bytesRead
  state.bytesRead = bytesRead
  return isUnchanged && !socket._httpMessage
}

/**
 * Bytes of the current write that the system has not taken yet. `writableLength` does not shrink before the whole write
 * is done, so it cannot tell a slow reader from one that has stopped; Node's own socket timeout uses the same property.
 */
const unsentBytesOf = (socket: Socket): number =>
  (socket as Socket & { _handle?: { writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0
