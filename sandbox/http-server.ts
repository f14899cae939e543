import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import type { Outcome } from './outcome.ts'
import { type HttpAnswer, playHttp, textAnswer } from './play-http.ts'
import type { Wait } from './simulator.ts'

export type SimulatedRequest = {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** The outcome to play, and the answer it is played with. */
export type ScriptedAnswer = { readonly outcome: Outcome; readonly answer: HttpAnswer }

export type HttpServer = {
  /** Without a trailing slash. */
  readonly url: string
  stop(): Promise<void>
}

const MAX_BODY_BYTES = 1024 * 1024

type Options = {
  readonly wait: Wait
  /** Key and certificate in PEM, for https with HTTP/1.1 and HTTP/2; null for http. */
  readonly tls?: { readonly key: string; readonly cert: string } | null
  /** False for https with HTTP/1.1 only. */
  readonly http2?: boolean
  /** Whether a new connection is reset before a byte is sent. */
  isReset?(): boolean
  /** Called for every new connection. */
  onConnection?(): void
}

/** An HTTP server on a free loopback port that plays the outcome of each request. */
export async function serveHttp(
  respond: (request: SimulatedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>,
  { wait, tls = null, http2 = true, isReset = () => false, onConnection = () => {} }: Options,
): Promise<HttpServer> {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = URL.parse(request.url ?? '', 'http://127.0.0.1')
    const body = await readBody(request)
    const { method = 'GET', headers } = request
    const { outcome, answer } =
      url && body !== undefined
        ? await respond({ method, url, headers, body })
        : {
            outcome: { kind: 'ok' } as const,
            answer: textAnswer('The URL is invalid or the body is larger than 1 MiB.\n', 400),
          }
    await playHttp(outcome, answer, response, { wait })
  }
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch((error: unknown) => {
      // A bug in a simulator must not look like a scripted outcome.
      if (response.headersSent || response.destroyed) response.destroy()
      else response.writeHead(500, { 'content-type': 'text/plain' }).end(`The simulator failed: ${String(error)}\n`)
    })
  }
  const openTls = (certificate: NonNullable<typeof tls>): Server =>
    http2
      ? // Node's HTTP/2 compatibility API has all members of request and response that are used here.
        createSecureServer(
          { ...certificate, allowHTTP1: true },
          listener as unknown as Parameters<typeof createSecureServer>[1],
        )
      : createTlsServer(certificate, listener)
  const server = tls ? openTls(tls) : createServer(listener)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    onConnection()
    sockets.add(socket.once('close', () => sockets.delete(socket)))
    if (isReset()) socket.resetAndDestroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** Undefined if the body is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    // Read the rest as well: stopping early would reset the connection before the answer.
    if (size <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks).toString('utf8') : undefined
}
