import { connect, type Socket } from 'node:net'
import type { Pool, PoolOptions } from '../load/pool.ts'

/** Shared by all connections: what a read brings is looked at before the next one. */
const READ_BUFFER = Buffer.allocUnsafe(64 * 1024)
const HEAD_END = Buffer.from('\r\n\r\n')

/** Kept-alive connections as those of `bench:http`, for answers of any status and however they spell their headers. */
export async function openPool(options: PoolOptions & { readonly status: number }): Promise<Pool> {
  const { port, size, localAddressOf } = options
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  // Whoever waits for the pool learns of it; nobody may be waiting yet.
  failed.catch(() => {})
  let closed = false

  const open = (index: number): Socket => {
    const isComplete = answerReader(options)
    const localAddress = localAddressOf(index)
    const socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      ...(localAddress !== undefined && { localAddress }),
      // Reads into one buffer without a stream in between: the load must cost less than what it measures.
      onread: {
        buffer: READ_BUFFER,
        callback(length) {
          try {
            if (isComplete(READ_BUFFER.subarray(0, length))) pool.onAnswer(index)
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

type Expected = { readonly status: number; readonly bodyLength: number }

/** Says of each read whether it completes an answer. Throws where the answer is not the one expected. */
function answerReader({ status, bodyLength }: Expected): (bytes: Buffer) => boolean {
  const opening = Buffer.from(`HTTP/1.1 ${status} `)
  let lengthLine: Buffer | undefined
  let received: Buffer | undefined

  return (bytes) => {
    const answer = received ? Buffer.concat([received, bytes]) : bytes
    const end = answer.indexOf(HEAD_END)
    if (end >= 0) {
      lengthLine ??= lengthLineOf(answer.toString('latin1', 0, end + 2), bodyLength)
      const at = lengthLine ? answer.indexOf(lengthLine) : -1
      const isExpected = answer.compare(opening, 0, opening.length, 0, opening.length) === 0 && at > 0 && at < end
      const missing = end + HEAD_END.length + bodyLength - answer.length
      if (!isExpected || missing < 0) throw unexpected(answer)
      if (missing === 0) {
        received = undefined
        return true
      }
    }
    // The buffer is used again for the next read: what must be kept is copied.
    received = Buffer.from(answer)
    return false
  }
}

/** As this server spells it, which it does alike in all its answers. */
function lengthLineOf(head: string, bodyLength: number): Buffer | undefined {
  const line = new RegExp(`\\r\\ncontent-length: ${bodyLength}\\r\\n`, 'i').exec(head)?.[0]
  return line === undefined ? undefined : Buffer.from(line)
}

const unexpected = (answer: Buffer): Error =>
  new Error(`A server gave an answer that was not expected: ${JSON.stringify(answer.toString('latin1', 0, 600))}`)

const connected = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('connect', () => resolve()))
