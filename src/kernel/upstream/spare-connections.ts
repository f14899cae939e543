import type { Socket } from 'node:net'
import { errors } from 'undici'
import type { Opened } from './open-socket.ts'

/** Connections opened ahead of need. */
export type SpareConnections = {
  /** Opens one to the origin. */
  add(origin: string, open: (opened: Opened) => Socket): void
  /** Hands over a connection, at once or when it is open; an open one first. False without one. */
  take(origin: string, opened: Opened): boolean
  destroy(): void
}

type Spare = { socket: Socket; isOpen: boolean; taker: Opened | undefined; drop: () => void }

/** A server may close an idle connection after some seconds; an unused one is no use to it either. */
const MAX_IDLE_MS = 4_000

export function createSpareConnections(): SpareConnections {
  const origins = new Map<string, Set<Spare>>()

  const remove = (origin: string, spare: Spare): void => {
    const spares = origins.get(origin)
    if (spares?.delete(spare) && spares.size === 0) origins.delete(origin)
  }

  return {
    add(origin, open) {
      let timer: NodeJS.Timeout | undefined
      const drop = (): void => {
        clearTimeout(timer)
        remove(origin, spare)
        spare.socket.off('error', close).off('end', close).off('close', close)
      }
      const close = (): void => {
        drop()
        spare.socket.on('error', () => {}).destroy()
      }
      const socket = open((error, opened) => {
        const { taker } = spare
        if (taker) return taker(error, opened)
        if (error || !opened) return remove(origin, spare)
        spare.isOpen = true
        // Through a proxy, it is another socket than the one that was opened first.
        spare.socket = opened
        timer = setTimeout(close, MAX_IDLE_MS).unref()
        opened.once('error', close).once('end', close).once('close', close)
      })
      const spare: Spare = { socket, isOpen: false, taker: undefined, drop }
      const spares = origins.get(origin) ?? new Set()
      origins.set(origin, spares.add(spare))
    },
    take(origin, opened) {
      const spares = [...(origins.get(origin) ?? [])]
      const spare = spares.find(({ isOpen }) => isOpen) ?? spares[0]
      if (!spare) return false
      remove(origin, spare)
      if (!spare.isOpen) {
        spare.taker = opened
        return true
      }
      queueMicrotask(() => {
        spare.drop()
        if (spare.socket.destroyed) opened(new errors.SocketError('the connection was closed before it was used'), null)
        else opened(null, spare.socket)
      })
      return true
    },
    destroy() {
      for (const spare of [...origins.values()].flatMap((spares) => [...spares])) {
        spare.drop()
        spare.socket.on('error', () => {}).destroy()
      }
    },
  }
}
