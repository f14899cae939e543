import { createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Agent } from 'undici'
import { isPublicAddress } from '../../kernel/addresses.ts'
import type { Clock } from '../../kernel/clock.ts'
import { withDeadline } from '../../kernel/deadline.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import { BodyError, discard } from '../../kernel/upstream/body.ts'
import { restFailure, statusFailure, transportFailure } from '../../kernel/upstream/failures.ts'
import type { Hop } from '../../kernel/upstream/exchange.ts'
import { checkTarget, guardedConnector, type Lookup } from '../../kernel/upstream/guard.ts'
import { isRedirect, nextHop } from '../../kernel/upstream/redirect.ts'
import { createRestingHosts, parseRetryAfter } from '../../kernel/upstream/retry-after.ts'

export type Wanted = {
  readonly url: string
  /** The file it is written to; what was there is overwritten. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** What the last download was told; empty where there was none. */
  readonly validator: string
  readonly maxBytes: number
  /** For everything together. */
  readonly deadlineMs: number
  readonly signal: AbortSignal
}

/** Null where nothing changed since the validator was given. Throws UpstreamError, or the reason of the signal. */
export type Download = (wanted: Wanted) => Promise<{ readonly validator: string } | null>

type Options = {
  readonly userAgent: string
  readonly clock: Clock
  /** Addresses that may be connected to: those of the open internet by default. */
  readonly allow?: (address: string) => boolean
  readonly lookup?: Lookup
}

const MOST_REDIRECTS = 5
const CONNECT_MS = 10_000

/**
 * Downloads what is too large for memory into a file, under the rules all requests of ours are under: allowed addresses
 * only, also behind redirects; one deadline; a size nobody can talk us out of; pauses that a host asks for.
 */
export function createDownloader({ userAgent, clock, allow = isPublicAddress, lookup }: Options) {
  const connector = guardedConnector({ allow, lookup, connectMs: CONNECT_MS, ca: undefined })
  const agent = new Agent({ connect: connector.connect, allowH2: true, headersTimeout: 0, bodyTimeout: 0 })
  const resting = createRestingHosts({ max: 100, clock })

  const attempt = async (hop: Hop, wanted: Wanted, signal: AbortSignal) => {
    const { path, maxBytes } = wanted
    const restMs = resting.remaining(hop.url.host)
    if (restMs > 0) throw restFailure(hop.url.host, restMs)
    const { url, headers } = hop
    const response = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers,
      signal,
    })
    const { statusCode: status, body } = response
    const replied = (name: string) => String(response.headers[name] ?? '')
    const encoding = replied('content-encoding').trim().toLowerCase()
    // Who was shown nothing cannot say that it has not changed.
    if ((status === 304 && wanted.validator !== '') || isRedirect(status)) {
      discard(body)
      return { status, location: replied('location') || undefined, validator: '' }
    }
    const retryAfterMs = status === 429 || status === 503 ? parseRetryAfter(replied('retry-after'), clock) : undefined
    if (retryAfterMs !== undefined) resting.rest(url.host, retryAfterMs)
    if (status !== 200) {
      discard(body)
      throw statusFailure(url.host, status, retryAfterMs)
    }
    if (Number(replied('content-length')) > maxBytes) {
      discard(body)
      throw tooLarge(maxBytes)
    }
    if (!['', 'identity', 'gzip', 'x-gzip'].includes(encoding)) {
      discard(body)
      throw new BodyError('its body is encoded in a way we do not know')
    }
    await pipeline(body, limitTo(maxBytes), createWriteStream(path), { signal })
    return { status, location: undefined, validator: validatorOf(replied('etag'), replied('last-modified')) }
  }

  const follow = async (first: Hop, wanted: Wanted, signal: AbortSignal) => {
    let hop = first
    for (let left = MOST_REDIRECTS; ; left--) {
      try {
        const { status, location, validator } = await attempt(hop, wanted, signal)
        if (status === 304) return null
        if (!isRedirect(status)) return { validator }
        if (left === 0) throw new UpstreamError('unavailable', `${hop.url.host} redirects too often`)
        hop = nextHop(hop, status, location)
      } catch (error) {
        throw transportFailure(hop.url.host, error)
      }
    }
  }

  const download: Download = async (wanted) => {
    const { signal, deadlineMs } = wanted
    try {
      const first = firstHop(wanted, userAgent)
      return await withDeadline({ who: first.url.host, ms: deadlineMs, signal }, (own) => follow(first, wanted, own))
    } catch (error) {
      signal.throwIfAborted()
      throw transportFailure('the feed', error)
    }
  }
  return {
    download,
    async close() {
      await agent.destroy()
      connector.destroy()
    },
  }
}

/** Whether it was packed for the way or before, its reader finds out. */
function firstHop({ url, headers, validator }: Wanted, userAgent: string): Hop {
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

function limitTo(maxBytes: number): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Uint8Array, _encoding, callback) {
      size += chunk.length
      if (size > maxBytes) callback(tooLarge(maxBytes))
      else callback(null, chunk)
    },
  })
}

const tooLarge = (maxBytes: number) => new BodyError(`its body is larger than ${maxBytes} bytes`)
