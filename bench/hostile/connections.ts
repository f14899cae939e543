import { connect, type Socket } from 'node:net'

/** Not a trusted proxy, so its connections are limited like those of any client. */
export const ATTACKER = '127.0.0.66'

const CONNECTIONS = 10_100
/** As fast as they can be opened, then again at a steady pace for each that was closed. */
const OPENED_PER_STEP = 100
const REOPENED_PER_STEP = 2
const STEP_MS = 20

/** More connections of one address than the service accepts in total. */
export function keepConnections(url: string, onConnect: (socket: Socket) => void): () => Promise<void> {
  const { hostname: host, port } = new URL(url)
  const open = new Set<Socket>()
  const openOne = () => {
    const socket = connect({ host, port: Number(port), localAddress: ATTACKER })
    open.add(socket)
    socket.once('connect', () => onConnect(socket))
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
  }
  let opened = 0
  const timer = setInterval(() => {
    const perStep = opened < CONNECTIONS ? OPENED_PER_STEP : REOPENED_PER_STEP
    const missing = Math.min(CONNECTIONS - open.size, perStep)
    for (let count = 0; count < missing; count++) openOne()
    opened += missing
  }, STEP_MS)
  return async () => {
    clearInterval(timer)
    for (const socket of open) socket.destroy()
  }
}
