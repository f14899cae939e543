import type { ServerResponse } from 'node:http'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import { type Listener, listen } from './listener.ts'
import { type Readiness, readinessStatus, sendPlainJson } from './readiness.ts'

type Options = {
  readonly host: string
  readonly port: number
  readonly log: Log
  /** The body of `GET /health`. */
  readonly health: object
  readonly readiness: () => Readiness | Promise<Readiness>
}

/**
 * Serves metrics on a separate port, so that they are never public by accident. Health and readiness are here too: clients
 * cannot use up the connections of this port.
 */
export function listenForMetrics(metrics: Metrics, { host, port, log, health, readiness }: Options): Promise<Listener> {
  const pages: Readonly<Record<string, (response: ServerResponse) => Promise<void> | void>> = {
    '/metrics': async (response) => {
      const text = await metrics.text()
      response.writeHead(200, { 'Content-Type': metrics.contentType, 'Content-Length': Buffer.byteLength(text) })
      response.end(text)
    },
    '/health': (response) => sendPlainJson(response, 200, health),
    '/ready': async (response) => {
      const body = await readiness()
      sendPlainJson(response, readinessStatus(body), body)
    },
  }
  const door: Parameters<typeof listen>[0] = {
    handle(request, response) {
      const path = request.url?.split('?')[0] ?? ''
      const page = Object.hasOwn(pages, path) && request.method === 'GET' ? pages[path] : undefined
      if (page === undefined) {
        response
          .writeHead(404, { 'Content-Type': 'text/plain' })
          .end('Here are GET /metrics, GET /health and GET /ready.\n')
        return
      }
      Promise.try(page, response).catch((error: unknown) => {
        log.error({ error, path }, 'A page of the metrics port could not be rendered.')
        response.destroy()
      })
    },
    drain() {},
  }
  return listen(door, { host, port, log, metrics })
}
