import { createSocket } from 'node:dgram'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../kernel/clock.ts'
import type { ServerAddress } from './server-address.ts'

/**
 * Finds out whether nothing listens at a server's UDP port. The system reports that only to a connected socket, and
 * queries are sent from unconnected ones; without this a server that is not running looks like one that is silent.
 */
export type RefusalDetector = {
  /** Sends an empty datagram, at most once in a while for each server. Never rejects. */
  isRefused(server: ServerAddress): Promise<boolean>
  close(): void
}

/** A finding holds for this long; then a server that is still silent is tried again. */
const TTL_MS = 1_000
/** The refusal of a machine in the same network arrives at once; one that is further away says nothing anyway. */
const TIMEOUT_MS = 200
const MAX_SERVERS = 1024

/** Windows reports a refused datagram as a reset connection. */
export const isRefusal = ({ code }: NodeJS.ErrnoException): boolean => code === 'ECONNREFUSED' || code === 'ECONNRESET'

type Finding = { readonly checkedAt: number; readonly refused: Promise<boolean> }

export function createRefusalDetector({ clock }: { readonly clock: Clock }): RefusalDetector {
  const findings = new LRUCache<string, Finding>({ max: MAX_SERVERS })
  const open = new Set<() => void>()

  const probe = ({ ip, port, family }: ServerAddress): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = createSocket(family === 4 ? 'udp4' : 'udp6')
      let isOpen = true
      const end = (refused: boolean) => {
        if (!isOpen) return
        isOpen = false
        open.delete(stop)
        clearTimeout(timer)
        socket.close()
        resolve(refused)
      }
      const stop = () => end(false)
      const timer = setTimeout(stop, TIMEOUT_MS)
      open.add(stop)
      socket.unref()
      socket.on('error', (error: NodeJS.ErrnoException) => end(isRefusal(error)))
      socket.connect(port, ip, () => isOpen && socket.send(Buffer.alloc(0)))
    })

  return {
    isRefused(server) {
      const known = findings.get(server.text)
      if (known && clock.monotonic() - known.checkedAt < TTL_MS) return known.refused
      const refused = probe(server)
      findings.set(server.text, { checkedAt: clock.monotonic(), refused })
      return refused
    },
    close() {
      for (const stop of open) stop()
    },
  }
}
