import type { AnswerReader } from '../load/answer-reader.ts'

/** As that of `bench:http`, for answers of any length: metadata tells how long it took, and that has one digit or two. */
export function answerReader(): AnswerReader {
  let received = ''
  return {
    take(bytes) {
      received += Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
      const complete = isComplete(received)
      if (complete === undefined) throw new Error(`A server gave an answer that was not expected: ${received}`)
      if (complete) received = ''
      return complete
    },
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
