import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { throwAwayCertificate } from '../../src/app/warm-up/certificate.ts'

/** How a hostile host responds: over HTTP, or on the raw connection. */
export type Site = (request: IncomingMessage, response: ServerResponse) => void
export type RawSite = (socket: Socket) => void

export type HostileWeb = {
  /** The forbidden port, open on every address of this machine. */
  readonly canaryPort: number
  /** Connections and datagrams that reached the forbidden port. */
  leaks(): number
  /** How often `http://control.example/<what>` was requested: the proof that an attack was tried. */
  tried(what: string): number
  add(host: string, site: Site): void
  addRaw(host: string, site: RawSite): Promise<void>
  /** For the egress proxy: the loopback address of a hostile host. */
  reach(host: string, port: number): { address: string; port: number } | undefined
  close(): Promise<void>
}

export const CONTROL = 'control.example'

export async function startHostileWeb(): Promise<HostileWeb> {
  const sites = new Map<string, Site>()
  const sockets = new Set<Socket>()
  const servers: Server[] = []
  const attempts = new Map<string, number>()
  let leaks = 0

  const listen = async (server: Server, host = '127.0.0.1'): Promise<number> => {
    servers.push(server)
    server.on('connection', (socket: Socket) => {
      sockets.add(socket.on('error', () => {}))
      socket.once('close', () => sockets.delete(socket))
    })
    server.listen(0, host)
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }

  const canary = createTcpServer((socket) => {
    leaks += 1
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\nconnection: close\r\n\r\nsecret')
  })
  const canaryPort = await listen(canary, '::')
  const datagrams = createSocket('udp6').on('message', () => (leaks += 1))
  datagrams.bind(canaryPort, '::')
  await once(datagrams, 'listening')

  const respond: RequestListener = (request, response) => {
    request.on('error', () => {})
    const site = sites.get((request.headers.host ?? '').replace(/:\d+$/, ''))
    if (site) site(request, response)
    else response.writeHead(404).end()
  }
  const plain = await listen(createServer(respond))
  const secure = await listen(createTlsServer(throwAwayCertificate(), respond))

  const add = (host: string, site: Site) => void sites.set(host, site)
  add(CONTROL, ({ url = '' }, response) => {
    const what = url.slice(1)
    attempts.set(what, (attempts.get(what) ?? 0) + 1)
    response.writeHead(200, { 'access-control-allow-origin': '*', 'cache-control': 'no-store' }).end()
  })

  const ports = new Map<string, number>()
  return {
    canaryPort,
    leaks: () => leaks,
    tried: (what) => attempts.get(what) ?? 0,
    add,
    async addRaw(host, site) {
      ports.set(host, await listen(createTcpServer((socket) => site(socket.on('error', () => {})))))
    },
    reach(host, port) {
      const raw = ports.get(host)
      if (raw !== undefined && port === 80) return { address: '127.0.0.1', port: raw }
      if (!sites.has(host)) return undefined
      if (port === 80) return { address: '127.0.0.1', port: plain }
      return port === 443 && host.startsWith('secure') ? { address: '127.0.0.1', port: secure } : undefined
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
      datagrams.close()
    },
  }
}
