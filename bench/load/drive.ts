import { createHistogram, type Histogram } from './histogram.ts'
import type { Pool } from './pool.ts'

export type Driven = { readonly latencies: Histogram; readonly seconds: number }

const TICK_MS = 1

/** Saturates the server: each connection sends its next request as soon as it has the response. */
export async function saturate(
  pool: Pool,
  nextRequest: () => Buffer,
  stop: { readonly seconds: number } | { readonly requests: number },
): Promise<Driven> {
  const latencies = createHistogram()
  const sentAt = new Float64Array(pool.size)
  const { promise: done, resolve: finish } = Promise.withResolvers<void>()
  const started = performance.now()
  const until = 'seconds' in stop ? started + stop.seconds * 1000 : Number.POSITIVE_INFINITY
  const maxRequests = 'requests' in stop ? stop.requests : Number.POSITIVE_INFINITY
  let sent = 0

  const sendNext = (index: number, now: number): void => {
    if (sent < maxRequests && now < until) {
      sentAt[index] = now
      sent += 1
      pool.send(index, nextRequest())
    } else if (latencies.count === sent) finish()
  }
  pool.onAnswer = (index) => {
    const now = performance.now()
    latencies.add(now - sentAt[index]!)
    sendNext(index, now)
  }
  for (let index = 0; index < pool.size; index++) sendNext(index, started)
  await Promise.race([done, pool.failed])
  return { latencies, seconds: (performance.now() - started) / 1000 }
}

/** Sends requests at a constant rate, whether or not the server keeps up. */
export async function pace(
  pool: Pool,
  nextRequest: () => Buffer,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
): Promise<Driven> {
  const latencies = createHistogram()
  const dueAt = new Float64Array(pool.size)
  const free = [...Array.from({ length: pool.size }).keys()]
  const queue: number[] = []
  const { promise: done, resolve: finish } = Promise.withResolvers<void>()
  const started = performance.now()
  const total = Math.round(rate * seconds)
  let scheduled = 0

  const send = (index: number, due: number): void => {
    dueAt[index] = due
    pool.send(index, nextRequest())
  }
  pool.onAnswer = (index) => {
    latencies.add(performance.now() - dueAt[index]!)
    if (latencies.count === total) finish()
    const due = queue.shift()
    if (due === undefined) free.push(index)
    else send(index, due)
  }
  // The delay of this timer is not counted; the wait for a free connection is.
  const timer = setInterval(() => {
    const now = performance.now()
    const due = Math.min(total, Math.floor(((now - started) / 1000) * rate))
    for (; scheduled < due; scheduled++) {
      const index = free.shift()
      if (index === undefined) queue.push(now)
      else send(index, now)
    }
  }, TICK_MS)
  try {
    await Promise.race([done, pool.failed])
  } finally {
    clearInterval(timer)
  }
  return { latencies, seconds: (performance.now() - started) / 1000 }
}
