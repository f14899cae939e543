import type { Clock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import { createConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { Random } from '../../kernel/random.ts'
import {
  type Ask,
  cancel,
  createFlight,
  type DnsReply,
  type Flight,
  launch,
  type Shared,
  tick,
  udpListener,
} from './flight.ts'
import { createServerBook } from './server-book.ts'
import { createUdp } from './udp.ts'

export type { Ask, DnsReply } from './flight.ts'

export type DnsClient = {
  /**
   * Asks one question. Whatever comes of it on the network is an outcome; it throws the signal's reason when aborted,
   * a RangeError where the name is none, and an UpstreamError once the client is closed.
   */
  ask(question: Ask): Promise<DnsReply>
  /** Ends what is under way and gives back the sockets. */
  close(): void
  stats(): DnsStats
}

export type DnsStats = {
  /** Datagrams. */
  readonly sent: number
  /** Datagrams that answer nothing we asked: late, repeated, or forged. */
  readonly ignored: number
  readonly socketsOpened: number
  readonly inFlight: number
  readonly waiting: number
}

type Options = {
  readonly clock: Clock
  readonly random: Random
  /** Questions under way at the same time; the others wait in line. */
  readonly maxInFlight?: number
  /** Who finds the line full is turned away (`overloaded`). */
  readonly maxQueue?: number
  /** More at once are lost in the buffers on the way. */
  readonly datagramsPerMs?: number
}

const SWEEP_MS = 10
const TCP_CONNECTIONS = 64
const TCP_QUEUE = 1024

type Pending = {
  readonly flight: Flight
  /** Its place among those under way; -1 where it is none of them. */
  at: number
  readonly reject: (reason: unknown) => void
}

export function createDnsClient(options: Options): DnsClient {
  const { clock, random, maxInFlight = 4096, maxQueue = 16_384, datagramsPerMs = 64 } = options
  const shared: Shared = {
    clock,
    random,
    udp: createUdp({ clock, random, datagramsPerMs, listener: udpListener }),
    tcp: createConcurrencyLimit({ name: 'DNS over TCP', maxConcurrent: TCP_CONNECTIONS, maxQueue: TCP_QUEUE }),
    book: createServerBook({ clock, random }),
  }
  // Not a Set: one that thousands pass through in a second leaves a chain of outgrown tables behind, each of which keeps
  // what it once held alive until the next full collection.
  const flying: Pending[] = []
  const line = new Set<Pending>()
  let sweeper: NodeJS.Timeout | undefined
  let fillingUp = false
  let closed = false

  /** One timer for all: a burst has hundreds of questions, and nearly all are answered long before they are due. */
  const sweep = (): void => {
    const now = clock.monotonic()
    // From the end: whoever lands meanwhile is replaced by the last, which was looked at already.
    for (let at = flying.length - 1; at >= 0; at--) if (flying[at]) tick(flying[at]!.flight, now)
    for (const one of line) {
      const { ask, startedAt, done } = one.flight
      if (now - startedAt >= ask.deadlineMs) done(without('timeout', now - startedAt))
    }
    stopSweeper()
  }

  const stopSweeper = (): void => {
    if (flying.length > 0 || line.size > 0) return
    clearInterval(sweeper)
    sweeper = undefined
  }

  const start = (one: Pending): void => {
    one.at = flying.push(one) - 1
    try {
      launch(one.flight)
    } catch (error) {
      // Its own failure: it must not end the question that made room for it.
      one.reject(error)
      leave(one)
    }
  }

  /** Never called from within itself: however many questions end at once, the stack stays flat. */
  const fillUp = (): void => {
    if (fillingUp) return
    fillingUp = true
    for (const one of line) {
      if (flying.length >= maxInFlight) break
      line.delete(one)
      start(one)
    }
    fillingUp = false
  }

  const leave = (one: Pending): void => {
    if (one.at !== -1) {
      const last = flying.pop()!
      if (last !== one) {
        flying[one.at] = last
        last.at = one.at
      }
      one.at = -1
    }
    line.delete(one)
    fillUp()
    stopSweeper()
  }

  const withdrawable = async (one: Pending, promise: Promise<DnsReply>, signal: AbortSignal): Promise<DnsReply> => {
    const withdraw = () => {
      cancel(one.flight)
      leave(one)
      one.reject(signal.reason)
    }
    signal.addEventListener('abort', withdraw, { once: true })
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', withdraw)
    }
  }

  return {
    ask(question) {
      const { signal, servers } = question
      const { promise, resolve, reject } = Promise.withResolvers<DnsReply>()
      const done = (reply: DnsReply) => {
        leave(one)
        resolve(reply)
      }
      let one: Pending
      try {
        signal?.throwIfAborted()
        if (closed) throw new UpstreamError('unavailable', 'the DNS client is closed')
        one = { flight: createFlight(question, clock.monotonic(), shared, done), at: -1, reject }
      } catch (error) {
        return Promise.reject(error)
      }
      if (servers.length === 0) return Promise.resolve(without('unreachable', 0))
      const isFull = flying.length >= maxInFlight
      if (isFull && line.size >= maxQueue) return Promise.resolve(without('overloaded', 0))
      sweeper ??= setInterval(sweep, SWEEP_MS)
      if (isFull) line.add(one)
      else start(one)
      return signal ? withdrawable(one, promise, signal) : promise
    },
    close() {
      closed = true
      const all = [...flying, ...line]
      line.clear()
      for (const one of all) {
        cancel(one.flight)
        leave(one)
        one.reject(new UpstreamError('unavailable', 'the DNS client was closed'))
      }
      shared.udp.close()
    },
    stats: () => ({ ...shared.udp.stats, inFlight: flying.length, waiting: line.size }),
  }
}

/** A reply for a question that was never sent. */
const without = (outcome: 'timeout' | 'unreachable' | 'overloaded', elapsedMs: number): DnsReply => ({
  outcome,
  rcode: null,
  flags: null,
  answers: [],
  authority: [],
  additional: [],
  wire: null,
  server: null,
  tcp: false,
  elapsedMs,
  attempts: [],
})
