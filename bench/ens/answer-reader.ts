import type { AnswerReader } from '../load/answer-reader.ts'

/** Like the reader of `bench:http`, but for responses of any length: metadata includes `responseMs`, of one digit or two. */
export function answerReader(): AnswerReader {
  let received = ''
  return {
    take(bytes) {
      received += Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
      const complete = isComplete(received)
      if (complete === undefined) throw new Error(`Unexpected response: ${received}`)
      if (complete) received = ''
      return complete
    },
  }
}

/** Undefined if it is not a 200 response with a Content-Length, or is longer than that. */
function isComplete(received: string): boolean | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return false
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(received)?.[1]
  if (!received.startsWith('HTTP/1.1 200 ') || length === undefined) return undefined
  const missing = end + 4 + Number(length) - received.length
  return missing < 0 ? undefined : missing === 0
}
