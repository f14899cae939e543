import type { RemoteInfo } from 'node:dgram'
import type { Clock } from '../../kernel/clock.ts'
import type { FastRandom } from './buffered-random.ts'
import { createSendRateLimiter } from './send-rate-limiter.ts'
import { isAnswerTo, type EncodedQuery, withId } from './query.ts'
import type { ServerAddress } from './server-address.ts'
import { createUdpSocketPool, type PooledSocket } from './udp-socket-pool.ts'

/** A query for one server. The sender's own type extends it, so that one object serves both. */
export type Exchange<Self> = {
  readonly server: ServerAddress
  readonly query: EncodedQuery
  /** Set by the transport: the socket at which the answer must arrive, and its id. Null before and after. */
  port: PooledSocket<Self> | null
  id: number
  next: Self | null
}

export type UdpListener<E> = {
  /** The datagram is being sent. */
  sent(exchange: E, now: number): void
  /** A datagram from the server's address answers the query; its content is not checked further. */
  answered(exchange: E, bytes: Buffer, now: number): void
  /** The datagram could not be sent. */
  failed(exchange: E): void
}

export type UdpTransport<E> = {
  send(exchange: E, now: number): void
  /** Stops waiting for an answer. */
  release(exchange: E): void
  close(): void
  readonly stats: UdpStats
}

type UdpStats = {
  sent: number
  /** Datagrams that match no pending query: late, duplicate or forged. */
  ignored: number
  socketsOpened: number
}

/** A received datagram. All that have arrived are handled together: one after the other they cost much more. */
type Datagram<E> = { readonly port: PooledSocket<E>; readonly bytes: Buffer; readonly from: RemoteInfo }

type Needs<E> = {
  readonly clock: Clock
  readonly random: FastRandom
  readonly datagramsPerMs: number
  readonly listener: UdpListener<E>
}

export function createUdpTransport<E extends Exchange<E>>({
  clock,
  random,
  datagramsPerMs,
  listener,
}: Needs<E>): UdpTransport<E> {
  const stats: UdpStats = { sent: 0, ignored: 0, socketsOpened: 0 }

  let inbox: Datagram<E>[] = []

  const receive = ({ port, bytes, from }: Datagram<E>, now: number): void => {
    const exchange = bytes.length >= 2 ? port.waiting.get((bytes[0]! << 8) | bytes[1]!) : null
    const isAnswer =
      exchange !== null &&
      exchange.server.port === from.port &&
      exchange.server.ip === from.address &&
      isAnswerTo(exchange.query, bytes)
    if (isAnswer) listener.answered(exchange, bytes, now)
    else stats.ignored++
  }

  const emptyInbox = (): void => {
    const datagrams = inbox
    inbox = []
    const now = clock.monotonic()
    for (const datagram of datagrams) receive(datagram, now)
  }

  const pool = createUdpSocketPool<E>({
    random,
    onOpen: () => stats.socketsOpened++,
    onMessage(port, bytes, from) {
      if (inbox.push({ port, bytes, from }) === 1) setImmediate(emptyInbox)
    },
    onError({ waiting }) {
      for (const exchange of waiting.values()) listener.failed(exchange)
    },
  })

  const limiter = createSendRateLimiter<E>({
    clock,
    perMs: datagramsPerMs,
    send(exchange, now) {
      const { port, server, query, id } = exchange
      // No longer wanted, or its socket has failed.
      if (port === null || port.closed) return
      stats.sent++
      listener.sent(exchange, now)
      port.socket.send(withId(query, id), server.port, server.ip, (error) => {
        if (error && exchange.port === port) listener.failed(exchange)
      })
    },
  })

  return {
    send(exchange, now) {
      const port = pool.socketFor(exchange.server.family, now)
      port.uses++
      let id = random.below(0x10000)
      while (port.waiting.get(id) !== null) id = random.below(0x10000)
      exchange.port = port
      exchange.id = id
      port.waiting.add(exchange)
      limiter.push(exchange)
    },
    release(exchange) {
      const { port } = exchange
      if (port === null) return
      exchange.port = null
      port.waiting.delete(exchange)
      pool.closeIfDone(port)
    },
    close() {
      limiter.clear()
      pool.close()
    },
    stats,
  }
}
