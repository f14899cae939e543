import { Agent, request } from 'node:http'
import { createHistogram, type Histogram } from '../load/histogram.ts'
import type { Part } from './parts.ts'

/** What the clients of one part saw. */
export type Seen = { readonly latencies: Histogram; unexpected: number; example: string | undefined }

type Plan = { readonly url: string; readonly connections: number; readonly seconds: number }

const TIMEOUT_MS = 30_000

/**
 * Each connection sends the next request as soon as it has the answer. `next` chooses the part; the counters in `sent`
 * go on from run to run, so that fresh names stay fresh.
 */
export async function drive(
  { url, connections, seconds }: Plan,
  next: () => Part,
  sent: Map<Part, number>,
): Promise<{ readonly seen: ReadonlyMap<Part, Seen>; readonly seconds: number }> {
  const seen = new Map<Part, Seen>()
  const started = performance.now()
  const until = started + seconds * 1000
  const client = async (index: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (performance.now() < until) {
      const part = next()
      const at = sent.get(part) ?? 0
      sent.set(part, at + 1)
      const own = seen.get(part) ?? { latencies: createHistogram(), unexpected: 0, example: undefined }
      seen.set(part, own)
      const sentAt = performance.now()
      const answer = await ask(url, part.request(at), { agent, index })
      own.latencies.add(performance.now() - sentAt)
      if (!(part.statuses ?? [200]).includes(answer.status)) {
        own.unexpected += 1
        own.example ??= `${answer.status} ${answer.body.slice(0, 200)}`
      }
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: connections }, (_, index) => client(index)))
  return { seen, seconds: (performance.now() - started) / 1000 }
}

/** Each connection has an address of its own where loopback has more than one, so that no rate limit is reached. */
const localAddress = (index: number) =>
  process.platform === 'linux' ? { localAddress: `127.0.7.${1 + (index % 250)}` } : {}

export function ask(
  url: string,
  { path, body }: ReturnType<Part['request']>,
  { agent, index }: { agent: Agent; index: number },
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) }
    const options = { agent, headers, method: body === undefined ? 'GET' : 'POST', ...localAddress(index) }
    const sending = request(new URL(path, url), { ...options, timeout: TIMEOUT_MS }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode!, body: Buffer.concat(chunks).toString() }))
      response.on('error', reject)
    })
    sending.on('timeout', () => sending.destroy(new Error(`${path} was not answered in ${TIMEOUT_MS / 1000} seconds.`)))
    sending.on('error', reject)
    sending.end(body)
  })
}
