import { connect } from 'node:net'
import type { ServerAddress } from './server-address.ts'
import { answers, type Query, withId } from './query.ts'

/**
 * Asks over TCP and gives the bytes of the answer, which is no longer than the 65,535 bytes its length can say.
 * Throws when there is none: no connection, a connection that ends early, another answer than ours, or the signal.
 */
export function askOverTcp(server: ServerAddress, query: Query, id: number, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: server.ip, port: server.port, noDelay: true })
    const leave = () => fail(signal.reason)
    const finish = () => {
      signal.removeEventListener('abort', leave)
      socket.destroy()
    }
    const fail = (error: unknown) => {
      finish()
      reject(error instanceof Error ? error : new Error('the question was given up', { cause: error }))
    }
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })

    const message = withId(query, id)
    const frame = Buffer.alloc(2)
    frame.writeUInt16BE(message.length)
    socket.write(Buffer.concat([frame, message]))

    const chunks: Buffer[] = []
    let received = 0
    let wanted: number | undefined
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      received += chunk.length
      if (received < 2) return
      wanted ??= Buffer.concat(chunks).readUInt16BE(0)
      if (received < wanted + 2) return
      const bytes = Buffer.concat(chunks).subarray(2, wanted + 2)
      const isOurs = bytes.length >= 2 && bytes.readUInt16BE(0) === id && answers(query, bytes)
      if (!isOurs) return fail(new Error(`${server.text} answered another question over TCP`))
      finish()
      resolve(bytes)
    })
    socket.on('error', fail)
    socket.on('close', () => fail(new Error(`${server.text} closed the connection before it had answered`)))
  })
}
