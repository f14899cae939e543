import { Agent } from 'undici'
import type { Clock } from '../clock.ts'
import { createKeyedLimits } from '../concurrency-limit.ts'
import { nextTurn } from '../event-loop.ts'
import { assertReadable, decodeBody, tooLarge } from './body.ts'
import { backoffFailure, statusFailure } from './failures.ts'
import { guardedConnector } from './connector.ts'
import type { AddressPolicy, HostLookup } from './guard.ts'
import { createForwarding } from './forwarding.ts'
import type { ProxySettings } from './proxy.ts'
import { receive } from './receive.ts'
import { createHostBackoffs, parseRetryAfter } from './retry-after.ts'

/** One HTTP request; a redirected request has several hops. */
export type Hop = {
  readonly url: URL
  readonly method: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
}

export type RawResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

type Rules = {
  /** Which statuses are answers. */
  isAnswer(status: number): boolean
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** Sends one HTTP request: queue and Retry-After backoff of the host, connection, status and body. */
export type Exchange = {
  send(hop: Hop, rules: Rules): Promise<RawResponse>
  /** Looks up the host and opens connections for this many requests, unless the host asked to be left alone. */
  openAhead(url: URL, requests: number): void
  /**
   * Maximum concurrent requests to this host (as in `URL.host`) now. Over HTTP/1.1, each needs a connection of its own: half of
   * those it may have are opened as requests need them, the others only ahead.
   */
  maxConcurrent(host: string): number
  destroy(): Promise<void>
}

export type ExchangeOptions = AddressPolicy & {
  readonly clock: Clock
  /** Maximum concurrent requests per host. */
  readonly connections: number
  /** Maximum connections per host; HTTP/2 needs one. */
  readonly http1Connections: number
  /** Maximum queued requests per host. */
  readonly maxQueue: number
  /** Maximum hosts in use at a time, and maximum hosts remembered with a Retry-After. */
  readonly maxHosts: number
  readonly maxHeaderBytes: number
  readonly connectTimeoutMs: number
  readonly lookup: HostLookup | undefined
  readonly ca: string | undefined
  readonly proxy?: ProxySettings | undefined
}

export function createExchange({
  clock,
  connections,
  http1Connections,
  maxQueue,
  maxHosts,
  ...options
}: ExchangeOptions): Exchange {
  const connector = guardedConnector({ ...options, clock })
  const common = {
    connections: http1Connections,
    // One request at a time on an HTTP/1.1 connection: with pipelining, a slow answer would hold up those behind it.
    pipelining: 1,
    maxHeaderSize: options.maxHeaderBytes,
    // The caller's timeout is the only timer: those of undici restart with every chunk, so a slow body never times out.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveMaxTimeout: 60_000,
  }
  const agent = new Agent({ ...common, connect: connector.connect, allowH2: true })
  const forwarding = createForwarding(connector, common)
  const minConcurrent = Math.ceil(http1Connections / 2)
  const limits = createKeyedLimits({ maxConcurrent: connections, maxQueue, maxKeys: maxHosts })
  const backoffs = createHostBackoffs({ max: maxHosts, clock })

  const request = async ({ url, method, headers, body }: Hop, rules: Rules): Promise<RawResponse> => {
    // Checked only now: the host may have sent a Retry-After while this request was queued.
    const backoffMs = backoffs.remainingMs(url.host)
    if (backoffMs > 0) throw backoffFailure(url.host, backoffMs)
    const { isAnswer, maxBytes, signal } = rules
    const forwarded = forwarding.route(url, headers)
    const onHeaders = (status: number, replied: RawResponse['headers']): void => {
      forwarded?.checkStatus(status)
      const retryAfterMs = status === 429 || status === 503 ? parseRetryAfter(replied['retry-after'], clock) : undefined
      if (retryAfterMs !== undefined) backoffs.backOff(url.host, retryAfterMs)
      if (!isAnswer(status)) throw statusFailure(url.host, status, retryAfterMs)
      // These have headers about a body, but no body.
      const bodyless = method === 'HEAD' || status === 304
      assertReadable(replied['content-encoding'], bodyless ? undefined : replied['content-length'], maxBytes)
    }
    const onBytes = (size: number): void => {
      if (size > maxBytes) throw tooLarge(maxBytes)
    }
    const target = forwarded?.target ?? { origin: url.origin, path: url.pathname + url.search, headers }
    const sent = { ...target, method, ...(body !== undefined && { body }) }
    const dispatcher = forwarded?.agent ?? agent
    const { status, headers: replied, body: bytes } = await receive(dispatcher, sent, { onHeaders, onBytes, signal })
    const decoded = await decodeBody(bytes, replied['content-encoding'], maxBytes)
    // undici uses a connection over HTTP/1.1 again only in the next turn of the event loop: a request that follows at once would
    // open another one.
    if (connector.http1ConnectionsTo(url.host) !== undefined) await nextTurn()
    return { status, headers: replied, body: decoded }
  }

  return {
    send(hop, rules) {
      // undici cannot abort a request while its connection is being opened. The slot is held until undici is done, even
      // if the caller has timed out, so that the limit on connections holds.
      return limits.run(hop.url.host, () => request(hop, rules), rules.signal)
    },
    openAhead(url, requests) {
      if (backoffs.remainingMs(url.host) > 0) return
      connector.openAhead(url, Math.min(requests, http1Connections))
    },
    maxConcurrent(host) {
      const open = connector.http1ConnectionsTo(host)
      return open === undefined ? connections : Math.min(Math.max(open, minConcurrent), http1Connections)
    },
    async destroy() {
      await Promise.all([agent.destroy(), forwarding.destroy()])
      connector.destroy()
    },
  }
}
