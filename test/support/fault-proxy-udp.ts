import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { Random } from '../../src/kernel/random.ts'
import type { Fault } from './fault.ts'

type Needs = {
  readonly port: number
  readonly target: string
  readonly random: Random
  readonly fault: () => Fault
}

/** A client's port is forgotten when this many others came after it. */
const MAX_CLIENTS = 256

/** Relays datagrams from a port to a server and its answers back. What cuts a connection loses a datagram. */
export async function relayDatagrams({ port, target, random, fault }: Needs): Promise<{ stop(): Promise<void> }> {
  const [host, targetPort] = target.split(':') as [string, string]
  const listener = createSocket('udp4')
  const clients = new Map<number, Socket>()
  const timers = new Set<NodeJS.Timeout>()
  const later = (ms: number, act: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      act()
    }, ms)
    timers.add(timer)
  }
  const answer = (bytes: Buffer, clientPort: number) => listener.send(bytes, clientPort, '127.0.0.1')
  const pass = (bytes: Buffer, clientPort: number) => {
    const now = fault()
    switch (now.kind) {
      case 'none':
      case 'tls-failure':
        return answer(bytes, clientPort)
      case 'latency':
        return later(now.ms + random.below(now.jitterMs + 1), () => answer(bytes, clientPort))
      case 'drip':
        return later(now.intervalMs, () => answer(bytes, clientPort))
      case 'garbage':
        // With the identifier of the query, as the only part that a careless client might compare.
        return answer(Buffer.concat([bytes.subarray(0, 2), random.bytes(Math.max(10, bytes.length - 2))]), clientPort)
      default:
        return undefined
    }
  }
  const upstreamFor = (clientPort: number): Socket => {
    const known = clients.get(clientPort)
    if (known) return known
    const socket = createSocket('udp4')
    socket.on('message', (bytes) => pass(bytes, clientPort))
    socket.on('error', () => {})
    clients.set(clientPort, socket)
    if (clients.size > MAX_CLIENTS) {
      const [oldest] = clients.keys()
      clients.get(oldest!)!.close()
      clients.delete(oldest!)
    }
    return socket
  }
  listener.on('message', (bytes, { port: clientPort }) => {
    if (fault().kind !== 'black-hole') upstreamFor(clientPort).send(bytes, Number(targetPort), host)
  })
  listener.on('error', () => {})
  listener.bind(port, '127.0.0.1')
  await once(listener, 'listening')
  return {
    async stop() {
      for (const timer of timers) clearTimeout(timer)
      for (const socket of clients.values()) socket.close()
      const closed = once(listener, 'close')
      listener.close()
      await closed
    },
  }
}
