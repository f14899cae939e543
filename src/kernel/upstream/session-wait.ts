import type { TLSSocket } from 'node:tls'

/**
 * Holds back further connections to an origin for a moment after its first handshake, until its TLS session arrives: with a
 * session, a handshake takes both sides half of the processor time.
 */
export type SessionWait = {
  /** Begins with the first connection, in its `secureConnect`. */
  begin(origin: string, socket: TLSSocket): void
  /** Calls back when the wait is over; at once without one. */
  whenOver(origin: string, act: () => void): void
}

/** A server sends it right after the handshake; one that is farther away is not waited for. */
const MAX_WAIT_MS = 10

export function createSessionWait(): SessionWait {
  const waits = new Map<string, (() => void)[]>()
  return {
    begin(origin, socket) {
      if (waits.has(origin)) return
      const acts: (() => void)[] = []
      waits.set(origin, acts)
      const end = (): void => {
        if (waits.get(origin) !== acts) return
        clearTimeout(timer)
        socket.off('session', endLater).off('close', end)
        waits.delete(origin)
        for (const act of acts) act()
      }
      // Inside of this event, what is written to the socket is lost.
      const endLater = () => void setImmediate(end)
      const timer = setTimeout(end, MAX_WAIT_MS)
      socket.once('session', endLater).once('close', end)
    },
    whenOver(origin, act) {
      const acts = waits.get(origin)
      if (acts) acts.push(act)
      else act()
    },
  }
}
