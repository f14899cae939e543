import { once } from 'node:events'
import { createSecureServer } from 'node:http2'
import { createServer } from 'node:https'
import type { ServerResponse } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'

type Options = {
  /** In PEM. */
  readonly key: string
  readonly cert: string
  readonly protocol: 'h1' | 'h2'
  readonly host: string
  /** Answers every request. */
  answer(response: Pick<ServerResponse, 'writeHead'>): void
}

/** A server for HTTPS on a free port that gives every request the same answer; for the warm-up. */
export async function listenTls({ key, cert, protocol, host, answer }: Options) {
  const respond = (_request: object, response: object) => answer(response as ServerResponse)
  const server: Server =
    protocol === 'h1' ? createServer({ key, cert }, respond) : createSecureServer({ key, cert }, respond)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket.once('close', () => sockets.delete(socket))))
  server.listen(0, host)
  await once(server, 'listening')
  const close = (): void => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { port: (server.address() as AddressInfo).port, close }
}
