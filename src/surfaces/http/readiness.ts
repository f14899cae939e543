import type { ServerResponse } from 'node:http'
import type { Mount } from './exchange.ts'
import { sendStatus } from './send.ts'

/** Whether the service should get requests. Further fields may say what is not ready. */
export type Readiness = { readonly status: string }

/** `GET /ready` for load balancers: 200 only while the service is ready. */
export const readyMount = (readiness: () => Readiness | Promise<Readiness>): Mount => ({
  name: 'ready',
  methods: ['GET'],
  path: '/ready',
  rate: 'free',
  async handle(exchange) {
    const body = await readiness()
    sendStatus(exchange, readinessStatus(body), body)
  },
})

export const readinessStatus = ({ status }: Readiness): 200 | 503 => (status === 'ready' ? 200 : 503)

/** For listeners without a door. */
export function sendPlainJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body)
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) }).end(text)
}
