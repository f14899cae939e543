import type { Clock } from '../../kernel/clock.ts'
import { withTimeout } from '../../kernel/timeout.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import { createKeyedLimits } from '../../kernel/concurrency-limit.ts'
import type { DomainName } from '../../kernel/names.ts'
import { transportFailure } from '../../kernel/upstream/failures.ts'
import type { AddressPolicy, HostLookup } from '../../kernel/upstream/guard.ts'
import { decodeAnswer } from './charset.ts'
import { exchange } from './exchange.ts'
import { formatQuery } from './query.ts'
import { findReferral } from './referral.ts'
import { parseServer, formatServer, type WhoisServer } from './server.ts'

/** WHOIS client for port 43. Returns the raw answer; `parse.ts` interprets it. */
export type Whois43 = {
  /** Throws UpstreamError, or the reason of the caller's signal. */
  query(request: WhoisRequest): Promise<WhoisReply>
}

export type WhoisRequest = {
  readonly domain: DomainName
  readonly tld: string
  /** `whois.example` or `whois.example:4343`. */
  readonly server: string
  readonly signal?: AbortSignal | undefined
  /** Covers waiting in the queue, connecting, reading and the referral. */
  readonly timeoutMs?: number | undefined
  /**
   * Also ask the registrar's server if the registry names one; some registries store nothing else. The referral only
   * adds to the registry's answer: a registrar that does not know the name does not make it available.
   */
  readonly followReferral?: boolean | undefined
}

export type WhoisReply = {
  /** The server that answered, `host:port`. */
  readonly server: string
  /** The line that was sent, without the line ending. */
  readonly query: string
  readonly bytes: Uint8Array
  readonly text: string
  readonly charset: string
  readonly elapsedMs: number
  /** The answer of the server referred to, if requested and received. */
  readonly referral?: WhoisReply
}

export type Whois43Options = AddressPolicy & {
  readonly clock: Clock
  readonly timeoutMs: number
  readonly maxBytes: number
  /** Default port, 43. Referrals are followed to this port only. */
  readonly port?: number
  /** DNS lookup; the system's by default. */
  readonly lookup?: HostLookup
  /** Schedules queries per host. By default a few run concurrently and the rest are queued. */
  readonly schedule?: <T>(host: string, signal: AbortSignal, run: () => Promise<T>) => Promise<T>
}

const DEFAULT_LIMITS = { maxConcurrent: 4, maxQueue: 1000, maxKeys: 500 }

export function createWhois43(options: Whois43Options): Whois43 {
  const { clock, port = 43 } = options
  const limits = createKeyedLimits(DEFAULT_LIMITS)
  const schedule: NonNullable<Whois43Options['schedule']> =
    options.schedule ?? ((host, signal, run) => limits.run(host, run, signal))

  /** Queries one server. Rejects with UpstreamError or the reason of the caller's signal. */
  const queryServer = (
    server: WhoisServer,
    { domain, tld, signal: caller }: WhoisRequest,
    timeoutMs: number,
  ): Promise<WhoisReply> =>
    withTimeout({ who: formatServer(server), timeoutMs, signal: caller }, async (signal) => {
      const query = formatQuery(server.host, domain)
      const began = clock.monotonic()
      try {
        const bytes = await schedule(server.host, signal, () =>
          exchange(server, query, { ...options, signal, usualPort: port }),
        )
        const elapsedMs = clock.monotonic() - began
        return { server: formatServer(server), query, bytes, ...decodeAnswer(bytes, tld), elapsedMs }
      } catch (error) {
        throw signal.aborted ? signal.reason : transportFailure(formatServer(server), error)
      }
    })

  const followReferralTo = async (
    reply: WhoisReply,
    host: string,
    request: WhoisRequest,
    timeoutMs: number,
  ): Promise<WhoisReply> => {
    try {
      return { ...reply, referral: await queryServer({ host, port }, request, timeoutMs) }
    } catch (error) {
      // The registry's answer stands even if the registrar fails.
      if (error instanceof UpstreamError && !request.signal?.aborted) return reply
      throw error
    }
  }

  return {
    async query(request) {
      const server = parseServer(request.server, port)
      if (!server) throw new UpstreamError('not_configured', `"${request.server}" is not a WHOIS server`)
      const { timeoutMs = options.timeoutMs, followReferral = false } = request
      const deadline = clock.monotonic() + timeoutMs
      const reply = await queryServer(server, request, timeoutMs)
      const host = followReferral ? findReferral(reply.text, request.domain) : undefined
      const leftMs = deadline - clock.monotonic()
      return host === undefined || host === server.host || leftMs <= 0
        ? reply
        : followReferralTo(reply, host, request, leftMs)
    },
  }
}
