import { Agent } from 'undici'
import type { Clock } from '../clock.ts'
import { createKeyedLimits } from '../concurrency-limit.ts'
import { discard, readBody } from './body.ts'
import { backoffFailure, statusFailure } from './failures.ts'
import { type AddressPolicy, guardedConnector, type HostLookup } from './guard.ts'
import { createHostBackoffs, parseRetryAfter } from './retry-after.ts'

/** One request on its way; a question that is redirected becomes several. */
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

/** One request and its whole answer at a time: the host's turn and rest, the connection, the status, the body. */
export type Exchange = {
  send(hop: Hop, rules: Rules): Promise<RawResponse>
  destroy(): Promise<void>
}

export type ExchangeOptions = AddressPolicy & {
  readonly clock: Clock
  /** Most requests under way to one host. */
  readonly connections: number
  /** Most requests that wait for their turn at one host. */
  readonly maxQueue: number
  /** Most hosts asked at the same time, and most remembered with a Retry-After. */
  readonly maxHosts: number
  readonly maxHeaderBytes: number
  readonly connectTimeoutMs: number
  readonly lookup: HostLookup | undefined
  readonly ca: string | undefined
}

export function createExchange({ clock, connections, maxQueue, maxHosts, ...options }: ExchangeOptions): Exchange {
  const connector = guardedConnector(options)
  const agent = new Agent({
    connections,
    connect: connector.connect,
    allowH2: true,
    maxHeaderSize: options.maxHeaderBytes,
    // The caller's deadline is the only timer: undici's own watch single phases and let a drip-fed body pass.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveMaxTimeout: 60_000,
  })
  const limits = createKeyedLimits({ maxConcurrent: connections, maxQueue, maxKeys: maxHosts })
  const resting = createHostBackoffs({ max: maxHosts, clock })

  const request = async ({ url, method, headers, body }: Hop, rules: Rules): Promise<RawResponse> => {
    // Checked only now: the host may have sent a Retry-After while this request was queued.
    const restMs = resting.remainingMs(url.host)
    if (restMs > 0) throw backoffFailure(url.host, restMs)
    const response = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers,
      signal: rules.signal,
      ...(body !== undefined && { body }),
    })
    const status = response.statusCode
    const replied = joinRepeated(response.headers)
    const retryAfterMs = status === 429 || status === 503 ? parseRetryAfter(replied['retry-after'], clock) : undefined
    if (retryAfterMs !== undefined) resting.backOff(url.host, retryAfterMs)
    if (!rules.isAnswer(status)) {
      discard(response.body)
      throw statusFailure(url.host, status, retryAfterMs)
    }
    // These describe a body without sending it.
    const bodyless = method === 'HEAD' || status === 304
    const bytes = await readBody(response.body, {
      contentLength: bodyless ? undefined : replied['content-length'],
      contentEncoding: replied['content-encoding'],
      maxBytes: rules.maxBytes,
    })
    return { status, headers: replied, body: bytes }
  }

  return {
    send(hop, rules) {
      // undici cannot give up a request while its connection is being opened. The turn is held until it is done with
      // it, even where the caller has long been told that time is up, so that the cap on connections is true.
      return limits.run(hop.url.host, () => request(hop, rules), rules.signal)
    },
    async destroy() {
      await agent.destroy()
      connector.destroy()
    },
  }
}

const joinRepeated = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )
