import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Agent } from 'undici'
import type { Clock } from '../clock.ts'
import { unlessAborted, withTimeout } from '../timeout.ts'
import { UpstreamError } from '../errors.ts'
import { BodyError, discard } from './body.ts'
import type { Hop } from './exchange.ts'
import { backoffFailure, statusFailure, transportFailure } from './failures.ts'
import { guardedConnector } from './connector.ts'
import { createForwarding } from './forwarding.ts'
import type { ProxySettings } from './proxy.ts'
import { type AddressPolicy, checkTarget, type HostLookup } from './guard.ts'
import { isRedirect, nextHop } from './redirect.ts'
import { createHostBackoffs, parseRetryAfter } from './retry-after.ts'

export type DownloadRequest = {
  readonly url: string
  /** The target file; overwritten. After a failure it may be incomplete. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** The validator of the last download; empty for the first. */
  readonly validator?: string
  readonly maxBytes: number
  /** For the whole download; without it only the idle timeout applies. */
  readonly timeoutMs?: number
  /** Maximum time without a response or a further byte. */
  readonly idleTimeoutMs?: number
  readonly signal?: AbortSignal | undefined
  /** Called for every chunk with the bytes so far. */
  readonly onBytes?: (done: number) => void
}

export type DownloadResult = { readonly validator: string; readonly bytes: number }

/**
 * Null if nothing changed since the validator was issued. Throws UpstreamError, the reason of the signal, or the
 * system's error if the file cannot be written.
 */
export type Download = (request: DownloadRequest) => Promise<DownloadResult | null>

export type Downloader = { readonly download: Download; close(): Promise<void> }

type Options = AddressPolicy & {
  readonly userAgent: string
  readonly clock: Clock
  readonly lookup?: HostLookup
  readonly proxy?: ProxySettings | undefined
}

type AttemptResult = { readonly status: number; readonly location: string | undefined; readonly got: DownloadResult }

const MAX_REDIRECTS = 5
const CONNECT_TIMEOUT_MS = 10_000
const IDLE_TIMEOUT_MS = 60_000
const ACCEPTED_ENCODINGS = new Set(['', 'identity', 'gzip', 'x-gzip'])

/**
 * Downloads into a file what is too large for memory, under the rules of all outbound requests: allowed addresses only,
 * also after redirects; no credentials for another host; a maximum size; Retry-After. A gzip content encoding is kept:
 * the reader of the file decompresses it.
 */
export function createDownloader({ userAgent, clock, lookup, ...policy }: Options): Downloader {
  const connector = guardedConnector({ ...policy, clock, lookup, connectTimeoutMs: CONNECT_TIMEOUT_MS, ca: undefined })
  const timers = { headersTimeout: 0, bodyTimeout: 0 }
  const agent = new Agent({ ...timers, connect: connector.connect, allowH2: true })
  const forwarding = createForwarding(connector, timers)
  const backoffs = createHostBackoffs({ max: 100, clock })

  const attempt = async (
    hop: Hop,
    request: DownloadRequest,
    signal: AbortSignal,
    save: SaveBody,
  ): Promise<AttemptResult> => {
    const { url, headers } = hop
    const backoffMs = backoffs.remainingMs(url.host)
    if (backoffMs > 0) throw backoffFailure(url.host, backoffMs)
    const forwarded = forwarding.route(url, headers)
    const target = forwarded?.target ?? { origin: url.origin, path: url.pathname + url.search, headers }
    const response = await (forwarded?.agent ?? agent).request({ ...target, method: 'GET', signal })
    const { statusCode: status, body } = response
    const replied = (name: string) => String(response.headers[name] ?? '')
    const got = { validator: validatorOf(replied('etag'), replied('last-modified')), bytes: 0 }
    try {
      signal.throwIfAborted()
      forwarded?.checkStatus(status)
      // A 304 is only valid if a validator was sent.
      if ((status === 304 && request.validator) || isRedirect(status)) {
        discard(body)
        return { status, location: replied('location') || undefined, got }
      }
      const retryAfterMs = status === 429 || status === 503 ? parseRetryAfter(replied('retry-after'), clock) : undefined
      if (retryAfterMs !== undefined) backoffs.backOff(url.host, retryAfterMs)
      if (status !== 200) throw statusFailure(url.host, status, retryAfterMs)
      if (Number(replied('content-length')) > request.maxBytes) throw tooLarge(request.maxBytes)
      if (!ACCEPTED_ENCODINGS.has(replied('content-encoding').trim().toLowerCase())) {
        throw new BodyError('its body has an unknown content encoding')
      }
    } catch (error) {
      discard(body)
      throw error
    }
    return { status, location: undefined, got: { ...got, bytes: await save(body, signal) } }
  }

  const followRedirects = async (first: Hop, request: DownloadRequest, signal: AbortSignal, save: SaveBody) => {
    let hop = first
    for (let left = MAX_REDIRECTS; ; left--) {
      try {
        const { status, location, got } = await attempt(hop, request, signal, save)
        if (status === 304) return null
        if (!isRedirect(status)) return got
        if (left === 0) throw new UpstreamError('unavailable', `${hop.url.host} redirects too often`)
        hop = nextHop(hop, status, location)
      } catch (error) {
        throw transportFailure(hop.url.host, error)
      }
    }
  }

  const download: Download = async (request) => {
    const { signal, timeoutMs = Infinity, idleTimeoutMs = IDLE_TIMEOUT_MS } = request
    let host = 'the download'
    const { save, isClosed, diskError } = createFileWriter(request)
    try {
      const first = firstHop(request, userAgent)
      host = first.url.host
      return await withTimeout({ who: host, timeoutMs, signal }, (own) =>
        withIdleTimeout({ who: host, idleTimeoutMs, signal: own }, (watched, heard) =>
          followRedirects(first, request, watched, (body, until) => save(body, until, heard)),
        ),
      )
    } catch (error) {
      signal?.throwIfAborted()
      // A full disk is not the host's fault, and a retry would not help.
      throw diskError() ?? transportFailure(host, error)
    } finally {
      // The caller may write to the file only after it is closed.
      await isClosed()
    }
  }
  return {
    download,
    async close() {
      await Promise.all([agent.destroy(), forwarding.destroy()])
      connector.destroy()
    },
  }
}

type SaveBody = (body: Readable, signal: AbortSignal) => Promise<number>

function createFileWriter({ path, maxBytes, onBytes }: DownloadRequest) {
  let closed: Promise<unknown> = Promise.resolve()
  let disk: Error | undefined
  const save = async (body: Readable, signal: AbortSignal, heard: () => void): Promise<number> => {
    let bytes = 0
    const counted = new Transform({
      transform(chunk: Uint8Array, _encoding, callback) {
        bytes += chunk.length
        if (bytes > maxBytes) return callback(tooLarge(maxBytes))
        heard()
        onBytes?.(bytes)
        return callback(null, chunk)
      },
    })
    // Flushed to disk: the caller renames the file, and it must be complete even after a power cut.
    const file = createWriteStream(path, { flush: true })
    // An error of one stream is passed to all of them: it is a disk error only if the file emits it first.
    let isElsewhere = false
    for (const stream of [body, counted]) stream.once('error', () => (isElsewhere = true))
    file.once('error', (error) => {
      if (!isElsewhere && 'errno' in error) disk = error
    })
    const saved = pipeline(body, counted, file, { signal })
    closed = saved.catch(() => {})
    await saved
    return bytes
  }
  return { save, isClosed: () => closed, diskError: () => disk }
}

type IdleOptions = { readonly who: string; readonly idleTimeoutMs: number; readonly signal: AbortSignal }

/** Runs something that must call `heard` at least once per `idleTimeoutMs`. */
async function withIdleTimeout<T>(
  { who, idleTimeoutMs, signal: outer }: IdleOptions,
  run: (signal: AbortSignal, heard: () => void) => Promise<T>,
): Promise<T> {
  const silence = new AbortController()
  const timer = setTimeout(() => {
    silence.abort(new UpstreamError('timeout', `${who} sent nothing for ${idleTimeoutMs} ms`))
  }, idleTimeoutMs)
  const signal = AbortSignal.any([outer, silence.signal])
  try {
    return await unlessAborted(
      run(signal, () => void timer.refresh()),
      signal,
    )
  } finally {
    clearTimeout(timer)
  }
}

function firstHop({ url, headers = {}, validator = '' }: DownloadRequest, userAgent: string): Hop {
  const [etag = '', modified = ''] = validator.split('\n')
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return {
    url: checkTarget(url),
    method: 'GET',
    headers: {
      'user-agent': userAgent,
      'accept-encoding': 'gzip',
      ...(etag !== '' && { 'if-none-match': etag }),
      ...(modified !== '' && { 'if-modified-since': modified }),
      ...Object.fromEntries(named),
    },
    body: undefined,
  }
}

const validatorOf = (etag: string, modified: string): string => (etag + modified === '' ? '' : `${etag}\n${modified}`)

const tooLarge = (maxBytes: number) => new BodyError(`its body is larger than ${maxBytes} bytes`)
