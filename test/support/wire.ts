import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Sends raw bytes and returns everything received until the server closes the connection. */
export async function exchangeBytes(port: number, bytes: string | Buffer): Promise<string> {
  const socket = await open(port)
  socket.write(bytes)
  return await readAll(socket)
}

export async function open(port: number, host = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host, noDelay: true })
  await once(socket, 'connect')
  return socket
}

export async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => {})
  if (!socket.closed) await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

/** The status of the first response; undefined if the connection was closed without one. */
export const statusOf = (raw: string): number | undefined => {
  const match = /^HTTP\/1\.1 (\d{3})/.exec(raw)
  return match ? Number(match[1]) : undefined
}

export const errorOf = (raw: string): string | undefined => /"error":"(\w+)"/.exec(raw)?.[1]
