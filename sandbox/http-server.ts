import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createSecureServer } from 'node:http2'
import type { AddressInfo, Server, Socket } from 'node:net'
import type { Outcome } from './outcome.ts'
import { type Answer, playHttp, textAnswer } from './play-http.ts'
import type { Wait } from './simulator.ts'

export type SimulatedRequest = {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** What a simulator has to say: how it goes, and the answer if it goes well. */
export type Scene = { readonly outcome: Outcome; readonly answer: Answer }

export type HttpServer = {
  /** Without a slash at its end. */
  readonly url: string
  stop(): Promise<void>
}

const MAX_BODY_BYTES = 1024 * 1024

type Options = {
  readonly wait: Wait
  /** A key and its certificate, in PEM: then it is https, with HTTP/2 for those who want it. */
  readonly tls?: { readonly key: string; readonly cert: string } | null
  /** Whether a new connection is reset before anything is said. */
  isReset?(): boolean
}

/** An HTTP server on a free port of the loopback whose every answer is a scene. */
export async function serveHttp(
  sceneFor: (request: SimulatedRequest) => Scene | Promise<Scene>,
  { wait, tls = null, isReset = () => false }: Options,
): Promise<HttpServer> {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = URL.parse(request.url ?? '', 'http://127.0.0.1')
    const body = await readBody(request)
    const { method = 'GET', headers } = request
    const { outcome, answer } =
      url && body !== undefined
        ? await sceneFor({ method, url, headers, body })
        : { outcome: { kind: 'ok' } as const, answer: textAnswer('The request cannot be read.\n', 400) }
    await playHttp(outcome, answer, response, { wait })
  }
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch((error: unknown) => {
      // A simulator with a mistake in it must not look like a scripted outcome.
      if (response.headersSent || response.destroyed) response.destroy()
      else response.writeHead(500, { 'content-type': 'text/plain' }).end(`The simulator failed: ${String(error)}\n`)
    })
  }
  // Over HTTP/2 a request and its response have all we use of those over HTTP/1.1.
  const server: Server = tls
    ? createSecureServer({ ...tls, allowHTTP1: true }, listener as unknown as Parameters<typeof createSecureServer>[1])
    : createServer(listener)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
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

/** Undefined where there is more of it than anybody needs. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    // The rest is read all the same: leaving early would cut the connection before the answer.
    if (size <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks).toString('utf8') : undefined
}
