import type { Server } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { sleep } from '../../kernel/sleep.ts'
import type { Connections } from './connections.ts'

type Needs = {
  readonly server: Server
  readonly connections: Pick<Connections, 'accepted' | 'open'>
  drain(): void
  /** Keeps new requests waiting until `release`. */
  hold(): void
  release(): void
}

/** How long no connection must have arrived before the listening socket is closed, and how long to wait for that. */
const QUIET_MS = 20
const MAX_QUIET_WAIT_MS = 500

/** How long a connection without a request may still send one. */
const SILENT_MS = 1_000

/**
 * Closing a listening socket resets the connections in its backlog. So answers are held for a moment first: clients that
 * wait for an answer open no new connections, the backlog runs empty, and the socket can be closed without losing any.
 */
export async function stopListening(
  { server, connections, drain, hold, release }: Needs,
  { lingerMs = 300, graceMs = 10_000 } = {},
): Promise<void> {
  drain()
  if (lingerMs > 0) {
    await sleep(lingerMs)
    hold()
    for (
      let waited = 0, before = -1;
      before !== connections.accepted && waited < MAX_QUIET_WAIT_MS;
      waited += QUIET_MS
    ) {
      before = connections.accepted
      await sleep(QUIET_MS)
    }
    // After a poll for events: connections and requests that have arrived were seen.
    await setImmediate()
  }
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  release()
  const force = setTimeout(() => server.closeAllConnections(), graceMs)
  const endSilent = () => {
    for (const socket of connections.open.keys()) if (socket.bytesRead === 0) socket.destroy()
  }
  const silent = setTimeout(endSilent, SILENT_MS)
  if (lingerMs === 0) endSilent()
  await closed
  clearTimeout(force)
  clearTimeout(silent)
}
