import type { AnswerReader } from '../load/answer-reader.ts'

const HEAD_END = Buffer.from('\r\n\r\n')

type Expected = { readonly status: number; readonly bodyLength: number }

/** Like that of `bench:http`, for responses with any status and any spelling of header names. */
export function answerReader({ status, bodyLength }: Expected): AnswerReader {
  const opening = Buffer.from(`HTTP/1.1 ${status} `)
  let lengthLine: Buffer | undefined
  let received: Buffer | undefined

  const take = (bytes: Buffer): boolean => {
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
    // Copy: the buffer is reused for the next read.
    received = Buffer.from(answer)
    return false
  }
  return { take: (bytes) => take(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) }
}

/** The Content-Length line as this server writes it. */
function lengthLineOf(head: string, bodyLength: number): Buffer | undefined {
  const line = new RegExp(`\\r\\ncontent-length: ${bodyLength}\\r\\n`, 'i').exec(head)?.[0]
  return line === undefined ? undefined : Buffer.from(line)
}

const unexpected = (answer: Buffer): Error =>
  new Error(`Unexpected response: ${JSON.stringify(answer.toString('latin1', 0, 600))}`)
