import type { Duplex } from 'node:stream'
import type { Random } from '../../../kernel/random.ts'
import type { ProxyError } from '../../../kernel/upstream/proxy.ts'
import type { Destination } from './destination.ts'

export type PassLimits = {
  /** Sent and received together, before decompression. */
  readonly maxBytes: number
  /** Concurrent outgoing connections. */
  readonly maxOpen: number
  /** Outgoing connections in total. */
  readonly maxConnections: number
}

/** One capture's credentials for the proxy, and a record of its use. */
export type Pass = {
  readonly username: string
  readonly password: string
  /** Requested hosts, allowed or not. */
  readonly hosts: ReadonlySet<string>
  readonly bytes: number
  /** Number of refused connections. */
  readonly refused: number
  /** Whether a connection to this host and port was made. */
  hasReached(destination: Destination): boolean
  /** Why the operator's proxy did not lead to this host, if the cause is the proxy and not the host. */
  proxyErrorFor(host: string): ProxyError | undefined
  /** Closes its connections, and refuses new ones. */
  close(): void
}

/** The proxy's side of a pass. */
export type OpenPass = Pass & {
  readonly signal: AbortSignal
  /** Counts a connection as open until the returned function is called; null if the limit is reached. */
  enter(destination: Destination): (() => void) | null
  refuse(): void
  reach(destination: Destination): void
  blameProxy(host: string, error: ProxyError): void
  /** Destroys the socket when the pass is closed. */
  hold(socket: Duplex): void
  /** Counts bytes; beyond the limit it closes the pass and returns false. */
  spend(bytes: number): boolean
}

/** Further hosts are not recorded; they are still checked. */
const MAX_HOSTS = 500

const key = ({ host, port }: Destination) => `${host} ${port}`

export function openPass(limits: PassLimits, random: Random, forget: () => void): OpenPass {
  const controller = new AbortController()
  const hosts = new Set<string>()
  const reached = new Set<string>()
  const proxyErrors = new Map<string, ProxyError>()
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
    proxyErrorFor: (host) => proxyErrors.get(host),
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
    blameProxy(host, error) {
      if (proxyErrors.size < MAX_HOSTS) proxyErrors.set(host, error)
    },
    hold,
    spend(more) {
      bytes += more
      if (bytes > limits.maxBytes) close()
      return bytes <= limits.maxBytes
    },
  }
}
