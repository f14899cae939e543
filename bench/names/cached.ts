import { once } from 'node:events'
import { connect } from 'node:net'
import type { Children } from '../children.ts'
import { createHistogram } from '../load/histogram.ts'
import { startService } from './contestants.ts'
import type { InternetPlaces } from './internet.ts'
import { halfFree, SEED } from './lists.ts'

export type Cached = { readonly requests: number; readonly p50Ms: number; readonly p99Ms: number }

const SOCKET_TIMEOUT_MS = 60_000

/** One client on one connection requests a domain that is in the cache, again and again. */
export async function measureCached(children: Children, requests: number): Promise<Cached> {
  const internet = children.start(new URL('internet.ts', import.meta.url), { args: [JSON.stringify({ seed: SEED })] })
  const { places } = (await internet.line('places')) as { places: InternetPlaces }
  const { child, url } = await startService(children, places)
  try {
    const target = `/v1/check?domain=${halfFree(['com'], 1)[0]!}`
    // Once to fill the cache, then to warm up, then to measure.
    await repeat(url, target, 1)
    await repeat(url, target, requests)
    const latencies = await repeat(url, target, requests)
    return { requests, p50Ms: latencies.quantile(0.5), p99Ms: latencies.quantile(0.99) }
  } finally {
    await Promise.all([child.stop(), internet.stop()])
  }
}

/** On a raw socket: Node's HTTP client would cost as much as the response. */
async function repeat(url: string, target: string, requests: number) {
  const latencies = createHistogram()
  const lines = [`GET ${target} HTTP/1.1`, 'Host: 127.0.0.1', 'User-Agent: onoma-bench/1', 'Accept: application/json']
  const request = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), noDelay: true })
  socket.setTimeout(SOCKET_TIMEOUT_MS, () => socket.destroy(new Error('The service did not answer within 60 seconds.')))
  try {
    await once(socket, 'connect')
    for (let at = 0; at < requests; at++) {
      const sent = performance.now()
      socket.write(request)
      const body = await nextResponse(socket)
      latencies.add(performance.now() - sent)
      if (requests > 1 && !body.includes('"cached":true'))
        throw new Error(`The response was not from the cache: ${body}`)
    }
    return latencies
  } finally {
    socket.destroy()
  }
}

function nextResponse(socket: ReturnType<typeof connect>): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const onData = (bytes: Buffer) => {
      received += bytes.toString('latin1')
      const end = received.indexOf('\r\n\r\n') + 4
      const length = Number(/\r\nContent-Length: (\d+)\r\n/.exec(received)?.[1])
      if (end < 4 || received.length < end + length) return
      socket.off('data', onData).off('error', reject)
      if (received.startsWith('HTTP/1.1 200 ')) resolve(received.slice(end))
      else reject(new Error(`The service answered: ${received}`))
    }
    socket.on('data', onData).once('error', reject)
  })
}
