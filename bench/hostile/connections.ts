import { connect, type Socket } from 'node:net'

/** Not a trusted proxy, so its connections are limited like those of any client. */
export const ATTACKER = '127.0.0.66'

/** Opens connections at a steady pace, and a new one for each that is closed. */
export function keepConnections(
  url: string,
  { connections, perSecond }: { readonly connections: number; readonly perSecond: number },
  onConnect: (socket: Socket) => void,
): () => Promise<void> {
  const { hostname: host, port } = new URL(url)
  const open = new Set<Socket>()
  const openOne = () => {
    const socket = connect({ host, port: Number(port), localAddress: ATTACKER })
    open.add(socket)
    socket.once('connect', () => onConnect(socket))
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
  }
  const STEP_MS = 20
  const timer = setInterval(() => {
    const missing = Math.min(connections - open.size, Math.ceil((perSecond * STEP_MS) / 1000))
    for (let count = 0; count < missing; count++) openOne()
  }, STEP_MS)
  return async () => {
    clearInterval(timer)
    for (const socket of open) socket.destroy()
  }
}
