import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import type { Clock } from '../../kernel/clock.ts'
import type { Random } from '../../kernel/random.ts'
import { createPacer } from './pacer.ts'
import { answers, type Query, withId } from './query.ts'
import type { ServerAddress } from './server-address.ts'

/** A query on its way to one server; `owner` is whatever the sender wants to be told with what becomes of it. */
export type Exchange<Owner> = {
  readonly owner: Owner
  readonly server: ServerAddress
  readonly query: Query
  readonly port: Port<Owner>
  readonly id: number
}

export type UdpListener<Owner> = {
  /** The query has left. */
  sent(owner: Owner): void
  /** Somebody at the server's address answered the question, in whatever way. */
  answered(owner: Owner, bytes: Buffer): void
  /** It could not be sent. */
  failed(owner: Owner): void
}

export type Udp<Owner> = {
  send(server: ServerAddress, query: Query, owner: Owner): Exchange<Owner>
  /** No answer is wanted any more. */
  release(exchange: Exchange<Owner>): void
  close(): void
  readonly stats: UdpStats
}

type UdpStats = {
  sent: number
  /** Datagrams that answer nothing we asked: late, repeated, or forged. */
  ignored: number
  socketsOpened: number
}

type Port<Owner> = {
  readonly socket: Socket
  readonly openedAt: number
  /** By id. Not a Map, which at this pace would keep what passed through it alive for long. */
  readonly waiting: Record<number, Exchange<Owner>>
  waitingCount: number
  uses: number
  /** Nothing is sent from it any more; it only waits for the answers to what was. */
  retired: boolean
  closed: boolean
}

/** Whoever forges answers must guess which of these ports a question left from, besides its id. */
const PORTS_PER_FAMILY = 4
/** After so many questions or so long a port is given back and another, of the system's choice, takes its place. */
const MAX_USES = 5000
const MAX_LIFE_MS = 60_000
/** Ids are 16 bits; with half of them free a random one is found in two tries. */
const MAX_QUEUE = 32_768
/** Asked of the system; it may give less. A burst's answers all come at once. */
const RECEIVE_BUFFER = 1024 * 1024

type Needs<Owner> = {
  readonly clock: Clock
  readonly random: Random
  readonly datagramsPerMs: number
  readonly listener: UdpListener<Owner>
}

export function createUdp<Owner>({ clock, random, datagramsPerMs, listener }: Needs<Owner>): Udp<Owner> {
  const slots: Record<4 | 6, (Port<Owner> | undefined)[]> = { 4: [], 6: [] }
  // Those in their slots, and the retired ones that still wait for an answer.
  const ports = new Set<Port<Owner>>()
  const stats: UdpStats = { sent: 0, ignored: 0, socketsOpened: 0 }

  const openPort = (family: 4 | 6): Port<Owner> => {
    const socket = createSocket({
      ...(family === 4 ? { type: 'udp4' } : { type: 'udp6', ipv6Only: true }),
      recvBufferSize: RECEIVE_BUFFER,
      // What we send to are addresses: there is nothing to look up.
      lookup: (ip, _options, callback) => callback(null, ip, family),
    })
    const openedAt = clock.monotonic()
    const port: Port<Owner> = { socket, openedAt, waiting: {}, waitingCount: 0, uses: 0, retired: false, closed: false }
    socket.on('message', (bytes, from) => receive(port, bytes, from))
    socket.on('error', () => {
      closePort(port)
      for (const { owner } of Object.values(port.waiting)) listener.failed(owner)
    })
    // Who waits for an answer keeps the process alive, not the door it would come through.
    socket.unref()
    ports.add(port)
    stats.socketsOpened++
    return port
  }

  const closePort = (port: Port<Owner>): void => {
    if (!ports.delete(port)) return
    port.closed = true
    port.socket.close()
  }

  const isWorn = ({ uses, openedAt, closed, waitingCount }: Port<Owner>): boolean =>
    closed || uses >= MAX_USES || waitingCount >= MAX_QUEUE || clock.monotonic() - openedAt >= MAX_LIFE_MS

  const portFor = (family: 4 | 6): Port<Owner> => {
    const slot = random.below(PORTS_PER_FAMILY)
    const known = slots[family][slot]
    if (known && !isWorn(known)) return known
    if (known) {
      known.retired = true
      if (known.waitingCount === 0) closePort(known)
    }
    const fresh = openPort(family)
    slots[family][slot] = fresh
    return fresh
  }

  const receive = (port: Port<Owner>, bytes: Buffer, from: RemoteInfo): void => {
    const id = bytes.length >= 2 ? (bytes[0]! << 8) | bytes[1]! : -1
    const exchange = port.waiting[id]
    const isAnswer =
      exchange !== undefined &&
      exchange.server.port === from.port &&
      exchange.server.ip === from.address &&
      answers(exchange.query, bytes)
    if (isAnswer) listener.answered(exchange.owner, bytes)
    else stats.ignored++
  }

  const isWanted = (exchange: Exchange<Owner>): boolean => exchange.port.waiting[exchange.id] === exchange

  const pacer = createPacer<Exchange<Owner>>({
    clock,
    perMs: datagramsPerMs,
    handOn(exchange) {
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
      const port = portFor(server.family)
      port.uses++
      let id = random.below(0x10000)
      while (port.waiting[id]) id = random.below(0x10000)
      const exchange: Exchange<Owner> = { owner, server, query, port, id }
      port.waiting[id] = exchange
      port.waitingCount++
      pacer.push(exchange)
      return exchange
    },
    release(exchange) {
      const { port, id } = exchange
      if (!isWanted(exchange)) return
      delete port.waiting[id]
      port.waitingCount--
      if (port.retired && port.waitingCount === 0) closePort(port)
    },
    close() {
      pacer.clear()
      for (const port of ports) closePort(port)
    },
    stats,
  }
}
