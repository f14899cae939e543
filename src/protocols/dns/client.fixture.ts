import { EventEmitter, once } from 'node:events'
import type { TestContext } from 'node:test'
import type { DnsRequest } from './client.ts'
import { address, answerTo, type Incoming, serveDns } from './name-server.fixture.ts'
import type { ServerAddress } from './server-address.ts'

export const LONG_MS = 30_000

export const request = (servers: readonly ServerAddress[], more: Partial<DnsRequest> = {}): DnsRequest => ({
  name: 'example.com',
  type: 'A',
  servers,
  recursion: false,
  inOrder: true,
  timeoutMs: LONG_MS,
  ...more,
})

export const right = (incoming: Incoming, ip?: string) => answerTo(incoming, { answers: [address('example.com', ip)] })
export const answering = (t: TestContext, ip?: string) => serveDns(t, (incoming) => incoming.send(right(incoming, ip)))
export const failing = (t: TestContext, rcode: number) =>
  serveDns(t, (incoming) => incoming.send(answerTo(incoming, { rcode })))

/** A server that never answers. `next` resolves with its next incoming query. */
export async function silent(t: TestContext) {
  const events = new EventEmitter()
  const server = await serveDns(t, (incoming) => void events.emit('asked', incoming))
  return { ...server, next: async () => ((await once(events, 'asked')) as [Incoming])[0] }
}
