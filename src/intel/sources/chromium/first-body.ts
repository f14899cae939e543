import type { CDPSession } from 'playwright-core'

/** The body of the first document that had one, as it came over the wire; null where it cannot be had any more. */
export type FirstBody = {
  read(): Promise<string | null>
  restart(): void
}

type Document = { readonly requestId: string; bytes: number; finished: boolean }

/** Longer documents are not kept: all of one travels to us in one piece. */
const LONGEST_KEPT = 2 * 1024 * 1024

export async function keepFirstBody(session: CDPSession, mainFrame: string): Promise<FirstBody> {
  const documents = new Map<string, Document>()
  session.on('Network.responseReceived', ({ requestId, type, frameId }) => {
    if (type !== 'Document' || frameId !== mainFrame || documents.size >= 5) return
    documents.set(requestId, { requestId, bytes: 0, finished: false })
  })
  session.on('Network.dataReceived', ({ requestId, dataLength }) => {
    const document = documents.get(requestId)
    if (document) document.bytes += dataLength
  })
  session.on('Network.loadingFinished', ({ requestId }) => {
    const document = documents.get(requestId)
    if (document) document.finished = true
  })
  await session.send('Network.enable', {
    maxTotalBufferSize: 2 * LONGEST_KEPT,
    maxResourceBufferSize: LONGEST_KEPT,
    // Many a first document sends the visitor on before anybody could read it. Older browsers do not know this word.
    enableDurableMessages: true,
  })
  return {
    restart: () => documents.clear(),
    async read() {
      const first = [...documents.values()].find(({ bytes }) => bytes > 0)
      if (!first || first.bytes > LONGEST_KEPT) return null
      const { requestId } = first
      try {
        if (first.finished) {
          const { body, base64Encoded } = await session.send('Network.getResponseBody', { requestId })
          return base64Encoded ? decode(body) : body
        }
        return decode((await session.send('Network.streamResourceContent', { requestId })).bufferedData)
      } catch {
        return null
      }
    },
  }
}

const decode = (base64: string) => Buffer.from(base64, 'base64').toString('utf8')
