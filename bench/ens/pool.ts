import { connect, type Socket } from 'node:net'
import type { Pool } from '../load/pool.ts'

/**
 * Kept-alive connections as those of `bench:http`, for answers of any length: metadata tells how long it took, and that
 * has one digit or two.
 */
export async function openPool(port: number, size: number): Promise<Pool> {
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  failed.catch(() => {})
  let closed = false

  const open = (index: number): Socket => {
    let received = ''
    const socket = connect({ host: '127.0.0.1', port, noDelay: true }).setEncoding('latin1')
    socket
      .on('data', (text: string) => {
        received += text
        const complete = isComplete(received)
        if (complete === undefined) return fail(new Error(`A server gave an answer that was not expected: ${received}`))
        if (!complete) return
        received = ''
        pool.onAnswer(index)
      })
      .once('error', fail)
      .once('close', () => closed || fail(new Error('A server closed a connection in the middle of a run.')))
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

/** Undefined where it is no answer with status 200 and of a length it tells. */
function isComplete(received: string): boolean | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return false
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(received)?.[1]
  if (!received.startsWith('HTTP/1.1 200 ') || length === undefined) return undefined
  const missing = end + 4 + Number(length) - received.length
  return missing < 0 ? undefined : missing === 0
}

const connected = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('connect', () => resolve()))
