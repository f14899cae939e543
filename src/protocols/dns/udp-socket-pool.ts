import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import type { FastRandom } from './buffered-random.ts'
import { createExchangeTable, type ExchangeTable } from './exchange-table.ts'
import { isRefusal } from './refusal-detector.ts'

/** A few sockets per address family, on ports chosen by the system and replaced after some use. */
export type UdpSocketPool<Pending> = {
  /** A random socket of the family that can take one more query. */
  socketFor(family: 4 | 6, now: number): PooledSocket<Pending>
  /** Closes a retired socket that no longer waits for an answer. */
  closeIfDone(socket: PooledSocket<Pending>): void
  close(): void
}

export type PooledSocket<Pending> = {
  readonly socket: Socket
  readonly openedAt: number
  /** The queries that wait for an answer. */
  readonly waiting: ExchangeTable<Pending>
  uses: number
  /** No longer used for sending; still waits for answers. */
  retired: boolean
  closed: boolean
}

type Needs<Pending> = {
  readonly random: FastRandom
  readonly onOpen: () => void
  readonly onMessage: (socket: PooledSocket<Pending>, bytes: Buffer, from: RemoteInfo) => void
  /** The socket failed and is closed; everything in `waiting` will get no answer. */
  readonly onError: (socket: PooledSocket<Pending>) => void
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

export function createUdpSocketPool<Pending extends { readonly id: number; next: Pending | null }>({
  random,
  onOpen,
  onMessage,
  onError,
}: Needs<Pending>): UdpSocketPool<Pending> {
  const slots: Record<4 | 6, (PooledSocket<Pending> | undefined)[]> = { 4: [], 6: [] }
  // The sockets in `slots`, and retired ones that still wait for an answer.
  const open = new Set<PooledSocket<Pending>>()

  const openSocket = (family: 4 | 6, now: number): PooledSocket<Pending> => {
    const socket = createSocket({
      ...(family === 4 ? { type: 'udp4' } : { type: 'udp6', ipv6Only: true }),
      recvBufferSize: RECEIVE_BUFFER_BYTES,
      // Destinations are IP addresses, so no lookup is needed.
      lookup: (ip, _options, callback) => callback(null, ip, family),
    })
    const pooled: PooledSocket<Pending> = {
      socket,
      openedAt: now,
      waiting: createExchangeTable(),
      uses: 0,
      retired: false,
      closed: false,
    }
    socket.on('message', (bytes, from) => onMessage(pooled, bytes, from))
    socket.on('error', (error) => {
      // On Windows a server at whose port nothing listens is reported to the socket, which goes on working for all others.
      if (isRefusal(error)) return
      closeSocket(pooled)
      onError(pooled)
    })
    // Pending queries keep the process alive through the client's timer; an idle socket must not.
    socket.unref()
    open.add(pooled)
    onOpen()
    return pooled
  }

  const closeSocket = (pooled: PooledSocket<Pending>): void => {
    if (!open.delete(pooled)) return
    pooled.closed = true
    pooled.socket.close()
  }

  const closeIfDone = (pooled: PooledSocket<Pending>): void => {
    if (pooled.retired && pooled.waiting.size === 0) closeSocket(pooled)
  }

  const mustReplace = ({ uses, openedAt, closed, waiting }: PooledSocket<Pending>, now: number): boolean =>
    closed ||
    uses >= MAX_QUERIES_PER_SOCKET ||
    waiting.size >= MAX_PENDING_PER_SOCKET ||
    now - openedAt >= MAX_SOCKET_AGE_MS

  return {
    socketFor(family, now) {
      const slot = random.below(SOCKETS_PER_FAMILY)
      const known = slots[family][slot]
      if (known && !mustReplace(known, now)) return known
      if (known) {
        known.retired = true
        closeIfDone(known)
      }
      const fresh = openSocket(family, now)
      slots[family][slot] = fresh
      return fresh
    },
    closeIfDone,
    close() {
      for (const pooled of open) closeSocket(pooled)
    },
  }
}
