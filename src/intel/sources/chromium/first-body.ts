import type { CDPSession } from 'playwright-core'

/** The body of the first document that had one, before scripts ran; null if it is no longer available. */
export type FirstBody = {
  read(): Promise<string | null>
  restart(): void
}

type Document = { readonly requestId: string; bytes: number; finished: boolean }

/** Longer documents are skipped: the protocol transfers a body as a single message. */
const MAX_BODY_BYTES = 2 * 1024 * 1024

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
    maxTotalBufferSize: 2 * MAX_BODY_BYTES,
    maxResourceBufferSize: MAX_BODY_BYTES,
    // Keeps bodies after a navigation: many first documents redirect at once. Older browsers ignore it.
    enableDurableMessages: true,
  })
  return {
    restart: () => documents.clear(),
    async read() {
      const first = [...documents.values()].find(({ bytes }) => bytes > 0)
      if (!first || first.bytes > MAX_BODY_BYTES) return null
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
