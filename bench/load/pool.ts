import { connect, type Socket } from 'node:net'
import type { AnswerReader } from './answer-reader.ts'

/** Kept-alive connections to one server, each carrying one request at a time. */
export type Pool = {
  readonly size: number
  send(index: number, request: Buffer): void
  /** Called with the connection whose answer is complete. */
  onAnswer: (index: number) => void
  /** Rejects at the first answer that is not as expected, and when a connection ends by itself. */
  readonly failed: Promise<never>
  close(): void
}

export type PoolOptions = {
  readonly port: number
  readonly size: number
  /** Made for each connection. */
  readerOf(): AnswerReader
  /** The address of this machine a connection asks from; the system's choice where undefined. */
  localAddressOf?(index: number): string | undefined
}

/** Shared by all connections: what a read brings is looked at before the next one. */
const READ_BUFFER = Buffer.allocUnsafe(64 * 1024)

/** Resolves when all connections stand. */
export async function openPool({ port, size, readerOf, localAddressOf }: PoolOptions): Promise<Pool> {
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  // Whoever waits for the pool learns of it; nobody may be waiting yet.
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
      // Reads into one buffer without a stream in between: the load must cost less than what it measures.
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
    socket.once('close', () => closed || fail(new Error('A server closed a connection in the middle of a run.')))
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
