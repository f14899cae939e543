import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Random } from '../../src/kernel/random.ts'
import type { Fault, FaultProxy } from './fault.ts'
import { relayDatagrams } from './fault-proxy-udp.ts'

type Options = {
  /** `127.0.0.1:PORT` of the real server. */
  readonly target: string
  readonly random: Random
  /** Whether datagrams to the same port are relayed too, for DNS. */
  readonly udp?: boolean
}

/** The alert of a server that does not want this handshake (RFC 8446, 6): fatal, handshake_failure. */
const TLS_ALERT = Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28])

/** Starts a TCP relay, with UDP on the same port if asked for. */
export async function startFaultProxy({ target, random, udp = false }: Options): Promise<FaultProxy> {
  let fault: Fault = { kind: 'none' }
  const [host, port] = target.split(':') as [string, string]
  const relays = new Set<Relay>()
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const relay = createRelay(client, connect({ host, port: Number(port), noDelay: true }), () => fault, random)
    relays.add(relay)
    client.once('close', () => relays.delete(relay))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = (server.address() as AddressInfo).port
  const datagrams = udp ? await relayDatagrams({ port: own, target, random, fault: () => fault }) : undefined
  return {
    address: `127.0.0.1:${own}`,
    set(next) {
      fault = next
      for (const relay of relays) relay.faultChanged()
    },
    async stop() {
      server.close()
      for (const relay of relays) relay.end()
      await Promise.all([once(server, 'close'), datagrams?.stop()])
    },
  }
}

type Relay = { faultChanged(): void; end(): void }

function createRelay(client: Socket, server: Socket, fault: () => Fault, random: Random): Relay {
  /** Bytes of the answer that the client got. */
  let sent = 0
  /** A dead relay passes nothing on, in either direction, and does not close the client's side. */
  let isDead = false
  const timers = new Set<NodeJS.Timeout>()
  let last: Promise<void> = Promise.resolve()
  const end = () => {
    for (const timer of timers) clearTimeout(timer)
    client.destroy()
    server.destroy()
  }
  const die = () => {
    isDead = true
    client.pause()
    server.destroy()
  }
  const after = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        resolve()
      }, ms)
      timers.add(timer)
    })
  const write = (bytes: Buffer) => {
    if (isDead || !client.writable) return
    sent += bytes.length
    if (!client.write(bytes)) {
      server.pause()
      client.once('drain', () => server.resume())
    }
  }
  /** Passes bytes on up to a limit; then the connection ends in the given way. */
  const writeUpTo = (limit: number, bytes: Buffer, then: () => void) => {
    const room = Math.max(0, limit - sent)
    if (room > 0) write(bytes.subarray(0, room))
    if (bytes.length >= room) then()
  }
  const pass = async (bytes: Buffer): Promise<void> => {
    const now = fault()
    switch (now.kind) {
      case 'latency':
        await after(now.ms + random.below(now.jitterMs + 1))
        return write(bytes)
      case 'drip':
        for (let at = 0; at < bytes.length && !client.destroyed; at += now.bytes) {
          // Healed in between: the rest at once.
          if (fault() !== now) return write(bytes.subarray(at))
          write(bytes.subarray(at, at + now.bytes))
          await after(now.intervalMs)
        }
        return undefined
      case 'garbage':
        return write(Buffer.from(random.bytes(Math.min(bytes.length, 512))))
      case 'reset':
        return writeUpTo(now.afterBytes, bytes, () => client.resetAndDestroy())
      case 'cut':
        return writeUpTo(now.afterBytes, bytes, () => client.end())
      case 'half-open':
        return writeUpTo(now.afterBytes, bytes, die)
      case 'black-hole':
        return die()
      default:
        return write(bytes)
    }
  }
  const faultChanged = () => {
    if (fault().kind === 'black-hole') die()
  }
  for (const socket of [client, server]) socket.on('error', () => {})
  faultChanged()
  client.on('data', (bytes: Buffer) => {
    if (isDead) return
    if (fault().kind === 'tls-failure') client.end(TLS_ALERT)
    else if (!server.destroyed && !server.write(bytes)) {
      client.pause()
      server.once('drain', () => client.resume())
    }
  })
  client.on('end', () => isDead || server.end())
  client.on('close', end)
  server.on('data', (bytes: Buffer) => {
    last = last.then(() => pass(bytes))
  })
  server.on('end', () => {
    last = last.then(() => void (isDead || client.end()))
  })
  // A server that refuses or resets is passed on as a reset.
  server.on('close', (hadError) => {
    if (hadError && !isDead) client.resetAndDestroy()
  })
  return { faultChanged, end }
}
