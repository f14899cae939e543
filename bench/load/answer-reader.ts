/** Finds the end of each response on one connection. Supports only responses with a Content-Length. */
export type AnswerReader = {
  /** Takes the next bytes; true if they complete a response. Throws if the response is not the expected one. */
  take(bytes: Uint8Array): boolean
}

const OK = Buffer.from('HTTP/1.1 200 ')
const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH = Buffer.from('\r\nContent-Length: ')

/** Every response must have status 200 and a body of this length. */
export function answerReader(bodyLength: number): AnswerReader {
  const lengthLine = Buffer.concat([LENGTH, Buffer.from(`${bodyLength}\r\n`)])
  let head: Buffer | undefined
  let missing = 0

  const takeHead = (bytes: Buffer): boolean => {
    const end = bytes.indexOf(HEAD_END)
    if (end < 0) {
      // The read buffer is reused, so the bytes are copied.
      head = Buffer.from(bytes)
      return false
    }
    head = undefined
    if (bytes.compare(OK, 0, OK.length, 0, OK.length) !== 0) throw new UnexpectedAnswer(bytes)
    const at = bytes.indexOf(lengthLine)
    if (at < 0 || at > end) throw new UnexpectedAnswer(bytes)
    missing = bodyLength
    return takeBody(bytes.length - end - HEAD_END.length, bytes)
  }
  const takeBody = (length: number, bytes: Buffer): boolean => {
    missing -= length
    if (missing < 0) throw new UnexpectedAnswer(bytes)
    return missing === 0
  }
  return {
    take(bytes) {
      const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      return missing > 0 ? takeBody(chunk.length, chunk) : takeHead(head ? Buffer.concat([head, chunk]) : chunk)
    },
  }
}

class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer'
  constructor(bytes: Buffer) {
    super(`Unexpected response: ${JSON.stringify(bytes.toString('latin1', 0, 600))}`)
  }
}
