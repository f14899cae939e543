import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import type { Clock } from '../../kernel/clock.ts'
import type { Random } from '../../kernel/random.ts'
import { createSendRateLimiter } from './send-rate-limiter.ts'
import { isAnswerTo, type EncodedQuery, withId } from './query.ts'
import type { ServerAddress } from './server-address.ts'

/** A query sent to one server. `owner` is the sender's own value, passed back to the listener. */
export type Exchange<Owner> = {
  readonly owner: Owner
  readonly server: ServerAddress
  readonly query: EncodedQuery
  readonly port: PooledSocket<Owner>
  readonly id: number
}

export type UdpListener<Owner> = {
  /** The datagram was sent. */
  sent(owner: Owner): void
  /** A datagram from the server's address answers the query; its content is not checked further. */
  answered(owner: Owner, bytes: Buffer): void
  /** The datagram could not be sent. */
  failed(owner: Owner): void
}

export type UdpTransport<Owner> = {
  send(server: ServerAddress, query: EncodedQuery, owner: Owner): Exchange<Owner>
  /** Stops waiting for an answer. */
  release(exchange: Exchange<Owner>): void
  close(): void
  readonly stats: UdpStats
}

type UdpStats = {
  sent: number
  /** Datagrams that match no pending query: late, duplicate or forged. */
  ignored: number
  socketsOpened: number
}

type PooledSocket<Owner> = {
  readonly socket: Socket
  readonly openedAt: number
  /** By id. Not a Map: with this turnover its old tables would keep entries alive. */
  readonly waiting: Record<number, Exchange<Owner>>
  waitingCount: number
  uses: number
  /** No longer used for sending; still waits for answers. */
  retired: boolean
  closed: boolean
}

/** Source port randomization: a forger must guess the port as well as the id. */
const SOCKETS_PER_FAMILY = 4
/** After this many queries or this time, a socket is replaced by one on another port chosen by the system. */
const MAX_QUERIES_PER_SOCKET = 5000
const MAX_SOCKET_AGE_MS = 60_000
/** Half of the 16-bit ids, so that a random free id is found in two tries on average. */
const MAX_PENDING_PER_SOCKET = 32_768
/** Large, because the answers to a burst arrive at once. The system may grant less. */
const RECEIVE_BUFFER_BYTES = 1024 * 1024

type Needs<Owner> = {
  readonly clock: Clock
  readonly random: Random
  readonly datagramsPerMs: number
  readonly listener: UdpListener<Owner>
}

export function createUdpTransport<Owner>({
  clock,
  random,
  datagramsPerMs,
  listener,
}: Needs<Owner>): UdpTransport<Owner> {
  const slots: Record<4 | 6, (PooledSocket<Owner> | undefined)[]> = { 4: [], 6: [] }
  // The sockets in `slots`, and retired ones that still wait for an answer.
  const ports = new Set<PooledSocket<Owner>>()
  const stats: UdpStats = { sent: 0, ignored: 0, socketsOpened: 0 }

  const openSocket = (family: 4 | 6): PooledSocket<Owner> => {
    const socket = createSocket({
      ...(family === 4 ? { type: 'udp4' } : { type: 'udp6', ipv6Only: true }),
      recvBufferSize: RECEIVE_BUFFER_BYTES,
      // Destinations are IP addresses, so no lookup is needed.
      lookup: (ip, _options, callback) => callback(null, ip, family),
    })
    const openedAt = clock.monotonic()
    const port: PooledSocket<Owner> = {
      socket,
      openedAt,
      waiting: {},
      waitingCount: 0,
      uses: 0,
      retired: false,
      closed: false,
    }
    socket.on('message', (bytes, from) => receive(port, bytes, from))
    socket.on('error', () => {
      closeSocket(port)
      for (const { owner } of Object.values(port.waiting)) listener.failed(owner)
    })
    // Pending queries keep the process alive through the client's timer; an idle socket must not.
    socket.unref()
    ports.add(port)
    stats.socketsOpened++
    return port
  }

  const closeSocket = (port: PooledSocket<Owner>): void => {
    if (!ports.delete(port)) return
    port.closed = true
    port.socket.close()
  }

  const mustReplace = ({ uses, openedAt, closed, waitingCount }: PooledSocket<Owner>): boolean =>
    closed ||
    uses >= MAX_QUERIES_PER_SOCKET ||
    waitingCount >= MAX_PENDING_PER_SOCKET ||
    clock.monotonic() - openedAt >= MAX_SOCKET_AGE_MS

  const socketFor = (family: 4 | 6): PooledSocket<Owner> => {
    const slot = random.below(SOCKETS_PER_FAMILY)
    const known = slots[family][slot]
    if (known && !mustReplace(known)) return known
    if (known) {
      known.retired = true
      if (known.waitingCount === 0) closeSocket(known)
    }
    const fresh = openSocket(family)
    slots[family][slot] = fresh
    return fresh
  }

  const receive = (port: PooledSocket<Owner>, bytes: Buffer, from: RemoteInfo): void => {
    const id = bytes.length >= 2 ? (bytes[0]! << 8) | bytes[1]! : -1
    const exchange = port.waiting[id]
    const isAnswer =
      exchange !== undefined &&
      exchange.server.port === from.port &&
      exchange.server.ip === from.address &&
      isAnswerTo(exchange.query, bytes)
    if (isAnswer) listener.answered(exchange.owner, bytes)
    else stats.ignored++
  }

  const isWanted = (exchange: Exchange<Owner>): boolean => exchange.port.waiting[exchange.id] === exchange

  const limiter = createSendRateLimiter<Exchange<Owner>>({
    clock,
    perMs: datagramsPerMs,
    send(exchange) {
      const { owner, port, server, query, id } = exchange
      if (!isWanted(exchange) || port.closed) return
      stats.sent++
      listener.sent(owner)
      port.socket.send(withId(query, id), server.port, server.ip, (error) => {
        if (error && isWanted(exchange)) listener.failed(owner)
      })
    },
  })

  return {
    send(server, query, owner) {
      const port = socketFor(server.family)
      port.uses++
      let id = random.below(0x10000)
      while (port.waiting[id]) id = random.below(0x10000)
      const exchange: Exchange<Owner> = { owner, server, query, port, id }
      port.waiting[id] = exchange
      port.waitingCount++
      limiter.push(exchange)
      return exchange
    },
    release(exchange) {
      const { port, id } = exchange
      if (!isWanted(exchange)) return
      delete port.waiting[id]
      port.waitingCount--
      if (port.retired && port.waitingCount === 0) closeSocket(port)
    },
    close() {
      limiter.clear()
      for (const port of ports) closeSocket(port)
    },
    stats,
  }
}
