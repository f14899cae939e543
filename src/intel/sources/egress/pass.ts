import type { Duplex } from 'node:stream'
import type { Random } from '../../../kernel/random.ts'
import type { Destination } from './destination.ts'

export type PassLimits = {
  /** Up and down together, as they travel: before anything is decompressed. */
  readonly maxBytes: number
  /** To others, at the same time. */
  readonly maxOpen: number
  /** To others, one after the other. */
  readonly maxConnections: number
}

/** One capture's permission to use the proxy, and the account of what it did with it. */
export type Pass = {
  readonly username: string
  readonly password: string
  /** Hosts it asked for, let through or not. */
  readonly hosts: ReadonlySet<string>
  readonly bytes: number
  /** How often it wanted to go where it may not. */
  readonly refused: number
  /** Whether it was let through to this host and port, and somebody answered there. */
  hasReached(destination: Destination): boolean
  /** Ends every connection it has; from now on it opens nothing. */
  close(): void
}

/** What the proxy itself does with a pass. */
export type OpenPass = Pass & {
  readonly signal: AbortSignal
  /** Counts one more connection as open until what it returns is called; null where there are too many. */
  enter(destination: Destination): (() => void) | null
  refuse(): void
  reach(destination: Destination): void
  /** Ends with the pass. */
  hold(socket: Duplex): void
  /** Counts bytes; false, and everything ended, once there are too many. */
  spend(bytes: number): boolean
}

/** Hosts beyond these are not remembered; they are still judged one by one. */
const MAX_HOSTS = 500

const key = ({ host, port }: Destination) => `${host} ${port}`

export function openPass(limits: PassLimits, random: Random, forget: () => void): OpenPass {
  const controller = new AbortController()
  const hosts = new Set<string>()
  const reached = new Set<string>()
  const sockets = new Set<Duplex>()
  let open = 0
  let connections = 0
  let bytes = 0
  let refused = 0

  const close = () => {
    forget()
    controller.abort()
    for (const socket of sockets) socket.destroy()
  }
  const hold = (socket: Duplex) => {
    if (controller.signal.aborted) socket.destroy()
    if (sockets.has(socket) || socket.closed) return
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }
  return {
    username: random.uuid(),
    password: Buffer.from(random.bytes(16)).toString('hex'),
    hosts,
    signal: controller.signal,
    get bytes() {
      return bytes
    },
    get refused() {
      return refused
    },
    hasReached: (destination) => reached.has(key(destination)),
    close,
    enter(destination) {
      if (hosts.size < MAX_HOSTS) hosts.add(destination.host)
      if (controller.signal.aborted || open >= limits.maxOpen || connections >= limits.maxConnections) return null
      connections += 1
      open += 1
      return () => void (open -= 1)
    },
    refuse: () => void (refused += 1),
    reach: (destination) => void reached.add(key(destination)),
    hold,
    spend(more) {
      bytes += more
      if (bytes > limits.maxBytes) close()
      return bytes <= limits.maxBytes
    },
  }
}
