import type { ServerResponse } from 'node:http'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import { type Listener, listen } from './listener.ts'

/** Serves metrics on a separate port, so that they are never public by accident. */
export function listenForMetrics(
  metrics: Metrics,
  { host, port, log }: { host: string; port: number; log: Log },
): Promise<Listener> {
  const send = async (response: ServerResponse) => {
    const text = await metrics.text()
    response.writeHead(200, { 'Content-Type': metrics.contentType, 'Content-Length': Buffer.byteLength(text) })
    response.end(text)
  }
  const door: Parameters<typeof listen>[0] = {
    handle(request, response) {
      if (request.url?.split('?')[0] !== '/metrics' || request.method !== 'GET') {
        response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Metrics are at GET /metrics.\n')
        return
      }
      send(response).catch((error: unknown) => {
        log.error({ error }, 'Metrics could not be rendered.')
        response.destroy()
      })
    },
    drain() {},
  }
  return listen(door, { host, port, log, metrics })
}
