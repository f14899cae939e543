import { connect } from 'node:net'
import type { ServerAddress } from './server-address.ts'
import { isAnswerTo, type EncodedQuery, withId } from './query.ts'

/**
 * Sends the query over TCP and returns the bytes of the answer, at most 65,535 by its length prefix. Throws when the
 * connection fails or ends early, when the answer is to another query, or when aborted.
 */
export function queryOverTcp(
  server: ServerAddress,
  query: EncodedQuery,
  id: number,
  signal: AbortSignal,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: server.ip, port: server.port, noDelay: true })
    const leave = () => fail(signal.reason)
    const finish = () => {
      signal.removeEventListener('abort', leave)
      socket.destroy()
    }
    const fail = (error: unknown) => {
      finish()
      reject(error instanceof Error ? error : new Error('the query was aborted', { cause: error }))
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
      const isOurs = bytes.length >= 2 && bytes.readUInt16BE(0) === id && isAnswerTo(query, bytes)
      if (!isOurs) return fail(new Error(`${server.text} answered another query over TCP`))
      finish()
      resolve(bytes)
    })
    socket.on('error', fail)
    socket.on('close', () => fail(new Error(`${server.text} closed the connection before answering`)))
  })
}
