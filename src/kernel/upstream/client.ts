import type { Clock } from '../clock.ts'
import { withTimeout } from '../timeout.ts'
import { UpstreamError, type UpstreamFailure } from '../errors.ts'
import { ACCEPT_ENCODING } from './body.ts'
import { createHostBreakers, silentHostError } from './host-breakers.ts'
import { createExchange, type Hop, type RawResponse } from './exchange.ts'
import { transportFailure } from './failures.ts'
import { type AddressPolicy, checkTarget, type HostLookup } from './guard.ts'
import type { ProxySettings } from './proxy.ts'
import { isRedirect, nextHop } from './redirect.ts'

/** Outbound HTTP client for one kind of upstream (registries, marketplaces, search engines …), with common limits. */
export type Upstream = {
  /** Throws UpstreamError, or the reason of the caller's own signal. */
  request(request: UpstreamRequest): Promise<UpstreamResponse>
  /**
   * Prepares for requests to this URL's host that are likely to follow: looks up the host, and opens connections for this
   * many requests, at most as many as the host may have. Does nothing for a host that is not answering.
   */
  prepare(url: URL, requests: number): void
  /**
   * How many requests should be under way to this host (as in `URL.host`) at a time. Over HTTP/1.1, a further one would open a
   * further connection, which takes longer than waiting for one to become free.
   */
  maxConcurrent(host: string): number
  /** Rejects new requests, lets those under way finish, then closes all connections. */
  close(): Promise<void>
}

export type UpstreamRequest = {
  readonly url: string | URL
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal | undefined
  /** For the whole request: queue, connection, redirects and body. */
  readonly timeoutMs?: number | undefined
  readonly maxBytes?: number | undefined
  /** Statuses that are answers; 200–299 and 404 by default. All others are failures. */
  readonly accept?: readonly number[] | undefined
  /** How many redirects to follow; none by default. */
  readonly redirects?: number | undefined
}

export type UpstreamResponse = {
  readonly status: number
  /** Names in lower case; a header sent several times is joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The body as UTF-8. */
  text(): string
  /** The body as JSON; throws `unavailable` if it is not JSON. */
  json(): unknown
  /** The URL of the answer, after redirects. */
  readonly url: string
  readonly elapsedMs: number
}

/** The outcome of one request, for logs and metrics. Contains no secrets. */
export type Observation = {
  readonly upstream: string
  readonly host: string
  /** The HTTP status, the failure, or `aborted` by the caller. */
  readonly outcome: number | UpstreamFailure | 'aborted'
  readonly elapsedMs: number
  readonly error?: UpstreamError
}

export type UpstreamOptions = AddressPolicy & {
  readonly name: string
  readonly userAgent: string
  readonly clock: Clock
  readonly timeoutMs: number
  /** Applies to the compressed and to the decompressed body. */
  readonly maxBytes: number
  /** Maximum concurrent requests per host. */
  readonly connections: number
  /** Maximum connections per host over HTTP/1.1; as many as concurrent requests by default. */
  readonly http1Connections?: number
  /** Maximum queued requests per host. */
  readonly maxQueue: number
  /** Maximum hosts in use at a time, and maximum hosts remembered with a Retry-After. */
  readonly maxHosts?: number
  readonly maxHeaderBytes?: number
  /** DNS lookup; the system's by default. */
  readonly lookup?: HostLookup
  /** Certificate authorities (PEM) trusted instead of the public ones. */
  readonly ca?: string
  /** The operator's HTTP proxies. They look up the hosts: `allow` is then applied to addresses in URLs only. */
  readonly proxy?: ProxySettings | undefined
  readonly observe?: (observation: Observation) => void
  /**
   * Fail at once while a host is silent. Set it only where every request may be sent once more, as a probe for which
   * nobody waits, and where no pacer with its own breaker decides what is sent.
   */
  readonly failsFast?: boolean
}

const MAX_CONNECT_TIMEOUT_MS = 10_000
const DEFAULT_MAX_HOSTS = 1000
/** Of a probe, for which nobody waits. */
const PROBE_TIMEOUT_MS = 3_000

export function createUpstream(options: UpstreamOptions): Upstream {
  const { name, clock, observe } = options
  const exchange = createExchange({
    ...pickAddressPolicy(options),
    clock,
    connections: options.connections,
    http1Connections: options.http1Connections ?? options.connections,
    maxQueue: options.maxQueue,
    maxHosts: options.maxHosts ?? DEFAULT_MAX_HOSTS,
    maxHeaderBytes: options.maxHeaderBytes ?? 16_384,
    connectTimeoutMs: Math.min(options.timeoutMs, MAX_CONNECT_TIMEOUT_MS),
    lookup: options.lookup,
    ca: options.ca,
    proxy: options.proxy,
  })
  const breakers = options.failsFast
    ? createHostBreakers({ clock, max: options.maxHosts ?? DEFAULT_MAX_HOSTS })
    : undefined
  const underWay = new Set<Promise<unknown>>()
  const closing = new AbortController()

  const followRedirects = async (
    first: Hop,
    { redirects = 0, accept, maxBytes = options.maxBytes }: UpstreamRequest,
    signal: AbortSignal,
  ): Promise<RawResponse & { url: URL }> => {
    const isFollowed = (status: number) => redirects > 0 && isRedirect(status)
    const isAnswer = (status: number) => isFollowed(status) || isAccepted(status, accept)
    let hop = first
    for (let left = redirects; ; left--) {
      try {
        const reply = await exchange.send(hop, { isAnswer, maxBytes, signal })
        if (!isFollowed(reply.status)) return { ...reply, url: hop.url }
        if (left === 0) throw new UpstreamError('unavailable', `${hop.url.host} redirects too often`)
        hop = nextHop(hop, reply.status, reply.headers['location'])
      } catch (error) {
        throw transportFailure(hop.url.host, error)
      }
    }
  }

  /** Exchanges within the timeout, and tells the breaker of the host how it went. */
  const exchangeWithin = async (
    first: Hop,
    request: UpstreamRequest,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<RawResponse & { url: URL }> => {
    const { host } = first.url
    const startedAt = clock.monotonic()
    try {
      const reply = await withTimeout({ who: host, timeoutMs, signal }, (own) => followRedirects(first, request, own))
      breakers?.record(host, startedAt)
      return reply
    } catch (error) {
      breakers?.record(host, startedAt, error)
      throw error
    }
  }

  /** Finds out whether a silent host is back, if it is time to. Nobody waits for it. */
  const probe = (first: Hop, request: UpstreamRequest): void => {
    const { host } = first.url
    if (!breakers?.beginProbe(host)) return
    const ended = () => breakers.endProbe(host)
    exchangeWithin(first, request, PROBE_TIMEOUT_MS, closing.signal).then(ended, ended)
  }

  const send = async (request: UpstreamRequest): Promise<UpstreamResponse> => {
    const { signal, timeoutMs = options.timeoutMs } = request
    const began = clock.monotonic()
    const report = (host: string, outcome: Observation['outcome'], error?: UpstreamError) =>
      observe?.({ upstream: name, host, outcome, elapsedMs: clock.monotonic() - began, ...(error && { error }) })
    let host = name
    try {
      if (closing.signal.aborted) throw new UpstreamError('unavailable', `${name} is closed`)
      const first = firstHop(request, options.userAgent)
      host = first.url.host
      if (breakers?.isGivenUp(host)) {
        probe(first, request)
        throw silentHostError(host)
      }
      const reply = await exchangeWithin(first, request, breakers?.limitTimeoutMs(host, timeoutMs) ?? timeoutMs, signal)
      report(host, reply.status)
      return createResponse(reply, clock.monotonic() - began)
    } catch (error) {
      if (signal?.aborted) {
        report(host, 'aborted')
        throw signal.reason
      }
      const failure = transportFailure(host, error)
      report(host, failure.failure, failure)
      throw failure
    }
  }

  return {
    request(request) {
      const response = send(request)
      const remove = (): boolean => underWay.delete(settled)
      const settled: Promise<unknown> = response.then(remove, remove)
      underWay.add(settled)
      return response
    },
    prepare(url, requests) {
      if (!closing.signal.aborted && !breakers?.isGivenUp(url.host)) exchange.openAhead(url, requests)
    },
    maxConcurrent: exchange.maxConcurrent,
    async close() {
      closing.abort(new UpstreamError('unavailable', `${name} is closed`))
      await Promise.all(underWay)
      await exchange.destroy()
    },
  }
}

const pickAddressPolicy = ({ allow, named, onRefusal }: AddressPolicy): AddressPolicy => ({
  ...(allow && { allow }),
  ...(named && { named }),
  ...(onRefusal && { onRefusal }),
})

const isAccepted = (status: number, accept: readonly number[] | undefined): boolean =>
  accept ? accept.includes(status) : (status >= 200 && status < 300) || status === 404

function firstHop({ url, method = 'GET', headers = {}, body }: UpstreamRequest, userAgent: string): Hop {
  const all: Record<string, string> = { 'user-agent': userAgent, 'accept-encoding': ACCEPT_ENCODING }
  for (const name in headers) all[name.toLowerCase()] = headers[name]!
  return { url: checkTarget(url), method, headers: all, body }
}

/** One decoder for all bodies: it keeps no state between calls. */
const UTF8 = new TextDecoder()

function createResponse(
  { status, headers, body, url }: RawResponse & { url: URL },
  elapsedMs: number,
): UpstreamResponse {
  const text = () => UTF8.decode(body)
  const json = (): unknown => {
    try {
      return JSON.parse(text())
    } catch (cause) {
      throw new UpstreamError('unavailable', `${url.host} did not send JSON`, { cause })
    }
  }
  return { status, headers, body, text, json, url: url.href, elapsedMs }
}
