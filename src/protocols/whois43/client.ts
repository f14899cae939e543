import type { Clock } from '../../kernel/clock.ts'
import { withDeadline } from '../../kernel/deadline.ts'
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
  ask(question: WhoisRequest): Promise<WhoisReply>
}

export type WhoisRequest = {
  readonly domain: DomainName
  readonly tld: string
  /** `whois.example` or `whois.example:4343`. */
  readonly server: string
  readonly signal?: AbortSignal | undefined
  /** Covers waiting in the queue, connecting, reading and the referral. */
  readonly deadlineMs?: number | undefined
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
  readonly deadlineMs: number
  readonly maxBytes: number
  /** Default port, 43. Referrals are followed to this port only. */
  readonly port?: number
  /** DNS lookup; the system's by default. */
  readonly lookup?: HostLookup
  /** Schedules queries per host. By default a few run concurrently and the rest are queued. */
  readonly turn?: <T>(host: string, signal: AbortSignal, run: () => Promise<T>) => Promise<T>
}

const DEFAULT_LIMITS = { maxConcurrent: 4, maxQueue: 1000, maxKeys: 500 }

export function createWhois43(options: Whois43Options): Whois43 {
  const { clock, port = 43 } = options
  const limits = createKeyedLimits(DEFAULT_LIMITS)
  const turn: NonNullable<Whois43Options['turn']> =
    options.turn ?? ((host, signal, run) => limits.run(host, run, signal))

  /** Asks one server within `ms`. Rejects with UpstreamError or the reason of the caller's signal. */
  const askOne = (
    server: WhoisServer,
    { domain, tld, signal: caller }: WhoisRequest,
    ms: number,
  ): Promise<WhoisReply> =>
    withDeadline({ who: formatServer(server), ms, signal: caller }, async (signal) => {
      const query = formatQuery(server.host, domain)
      const began = clock.monotonic()
      try {
        const bytes = await turn(server.host, signal, () =>
          exchange(server, query, { ...options, signal, usualPort: port }),
        )
        const elapsedMs = clock.monotonic() - began
        return { server: formatServer(server), query, bytes, ...decodeAnswer(bytes, tld), elapsedMs }
      } catch (error) {
        throw signal.aborted ? signal.reason : transportFailure(formatServer(server), error)
      }
    })

  const askMore = async (reply: WhoisReply, host: string, question: WhoisRequest, ms: number): Promise<WhoisReply> => {
    try {
      return { ...reply, referral: await askOne({ host, port }, question, ms) }
    } catch (error) {
      // The registry's answer stands even if the registrar fails.
      if (error instanceof UpstreamError && !question.signal?.aborted) return reply
      throw error
    }
  }

  return {
    async ask(question) {
      const server = parseServer(question.server, port)
      if (!server) throw new UpstreamError('not_configured', `"${question.server}" is not a WHOIS server`)
      const { deadlineMs = options.deadlineMs, followReferral = false } = question
      const deadline = clock.monotonic() + deadlineMs
      const reply = await askOne(server, question, deadlineMs)
      const host = followReferral ? findReferral(reply.text, question.domain) : undefined
      const left = deadline - clock.monotonic()
      return host === undefined || host === server.host || left <= 0 ? reply : askMore(reply, host, question, left)
    },
  }
}
