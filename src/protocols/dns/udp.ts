import type { RemoteInfo } from 'node:dgram'
import type { Clock } from '../../kernel/clock.ts'
import type { Random } from '../../kernel/random.ts'
import { createSendRateLimiter } from './send-rate-limiter.ts'
import { isAnswerTo, type EncodedQuery, withId } from './query.ts'
import type { ServerAddress } from './server-address.ts'
import { createUdpSocketPool, type PooledSocket } from './udp-socket-pool.ts'

/** A query sent to one server. `owner` is the sender's own value, passed back to the listener. */
export type Exchange<Owner> = {
  readonly owner: Owner
  readonly server: ServerAddress
  readonly query: EncodedQuery
  readonly port: PooledSocket<Exchange<Owner>>
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
  const stats: UdpStats = { sent: 0, ignored: 0, socketsOpened: 0 }

  const receive = (port: PooledSocket<Exchange<Owner>>, bytes: Buffer, from: RemoteInfo): void => {
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

  const pool = createUdpSocketPool<Exchange<Owner>>({
    clock,
    random,
    onOpen: () => stats.socketsOpened++,
    onMessage: receive,
    onError({ waiting }) {
      for (const { owner } of Object.values(waiting)) listener.failed(owner)
    },
  })

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
      const port = pool.socketFor(server.family)
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
      pool.closeIfDone(port)
    },
    close() {
      limiter.clear()
      pool.close()
    },
    stats,
  }
}
