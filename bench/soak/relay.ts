import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A port in front of a server that can be closed and opened again, as when the server is restarted. */
export type Relay = {
  /** `127.0.0.1:PORT`; stays the same. */
  readonly address: string
  /** Resets all connections and refuses new ones. */
  close(): Promise<void>
  open(): Promise<void>
}

const HOST = '127.0.0.1'
/** Below the ports that the system gives to clients: while a relay is closed, nobody must take its port. */
const PORTS = { first: 12_000, last: 31_999 }
/** A client's port is forgotten when this many others came after it. */
const MAX_UDP_CLIENTS = 512

/** Datagrams to the same port are relayed too if `udp` is set. */
export async function startRelay(target: string, { udp }: { readonly udp: boolean }): Promise<Relay> {
  const targetPort = Number(target.split(':')[1])
  const tcp = relayConnections(targetPort)
  const datagrams = udp ? relayDatagrams(targetPort) : undefined
  const port = await openFreePort(async (candidate) => {
    await tcp.open(candidate)
    await datagrams?.open(candidate).catch(async (error: unknown) => {
      await tcp.close()
      throw error
    })
  })
  return {
    address: `${HOST}:${port}`,
    close: async () => void (await Promise.all([tcp.close(), datagrams?.close()])),
    open: async () => void (await Promise.all([tcp.open(port), datagrams?.open(port)])),
  }
}

let nextPort = PORTS.first + (process.pid % 1_000) * 20

async function openFreePort(open: (port: number) => Promise<void>): Promise<number> {
  for (;;) {
    const port = nextPort
    nextPort = port === PORTS.last ? PORTS.first : port + 1
    try {
      await open(port)
      return port
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
}

function relayConnections(targetPort: number) {
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ host: HOST, port: targetPort, noDelay: true })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream).pipe(client)
  })
  return {
    async open(port: number): Promise<void> {
      server.listen(port, HOST)
      await once(server, 'listening')
    },
    async close(): Promise<void> {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.resetAndDestroy()
      await closed
    },
  }
}

function relayDatagrams(targetPort: number) {
  let listener: UdpSocket | undefined
  const clients = new Map<number, UdpSocket>()
  const forget = (clientPort: number) => {
    clients.get(clientPort)?.close()
    clients.delete(clientPort)
  }
  const upstreamFor = (clientPort: number): UdpSocket => {
    const known = clients.get(clientPort)
    if (known) return known
    const socket = createSocket('udp4')
    socket.on('message', (bytes) => listener?.send(bytes, clientPort, HOST))
    socket.on('error', () => {})
    clients.set(clientPort, socket)
    if (clients.size > MAX_UDP_CLIENTS) forget(clients.keys().next().value!)
    return socket
  }
  return {
    async open(port: number): Promise<void> {
      listener = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 })
      listener.on('message', (bytes, { port: clientPort }) => upstreamFor(clientPort).send(bytes, targetPort, HOST))
      listener.bind(port, HOST)
      await once(listener, 'listening')
      listener.on('error', () => {})
    },
    async close(): Promise<void> {
      const closing = listener!
      listener = undefined
      for (const clientPort of clients.keys()) forget(clientPort)
      const closed = once(closing, 'close')
      closing.close()
      await closed
    },
  }
}
