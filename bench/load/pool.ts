import { connect, type Socket } from 'node:net'
import type { AnswerReader } from './answer-reader.ts'

/** Keep-alive connections to one server, each with one request at a time. */
export type Pool = {
  readonly size: number
  send(index: number, request: Buffer): void
  /** Called with the index of the connection whose response is complete. */
  onAnswer: (index: number) => void
  /** Rejects on the first unexpected response, and if the server closes a connection. */
  readonly failed: Promise<never>
  close(): void
}

export type PoolOptions = {
  readonly port: number
  readonly size: number
  /** Called once per connection. */
  readerOf(): AnswerReader
  /** Source address of a connection; chosen by the system if undefined. */
  localAddressOf?(index: number): string | undefined
}

/** Shared by all connections: each read is processed before the next one. */
const READ_BUFFER = Buffer.allocUnsafe(64 * 1024)

/** Resolves when all connections are open. */
export async function openPool({ port, size, readerOf, localAddressOf }: PoolOptions): Promise<Pool> {
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  // Avoids an unhandled rejection before a caller awaits `failed`.
  failed.catch(() => {})
  let closed = false

  const open = (index: number): Socket => {
    const reader = readerOf()
    const localAddress = localAddressOf?.(index)
    const socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      ...(localAddress !== undefined && { localAddress }),
      // Reads into one buffer, without a stream: the generator must cost less than the server.
      onread: {
        buffer: READ_BUFFER,
        callback(length, bytes) {
          try {
            if (reader.take(bytes.subarray(0, length))) pool.onAnswer(index)
          } catch (error) {
            fail(error)
          }
          return true
        },
      },
    })
    socket.once('error', fail)
    socket.once('close', () => closed || fail(new Error('The server closed a connection during a run.')))
    return socket
  }

  const sockets = Array.from({ length: size }, (_, index) => open(index))
  const pool: Pool = {
    size,
    send: (index, request) => void sockets[index]!.write(request),
    onAnswer() {},
    failed,
    close() {
      closed = true
      for (const socket of sockets) socket.destroy()
    },
  }
  try {
    await Promise.race([failed, Promise.all(sockets.map(connected))])
    return pool
  } catch (error) {
    pool.close()
    throw error
  }
}

const connected = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('connect', () => resolve()))
