import type { Clock } from '../../kernel/clock.ts'
import { withDeadline } from '../../kernel/deadline.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import { createKeyedLimits } from '../../kernel/concurrency-limit.ts'
import type { DomainName } from '../../kernel/names.ts'
import { transportFailure } from '../../kernel/upstream/failures.ts'
import type { AddressPolicy, HostLookup } from '../../kernel/upstream/guard.ts'
import { decodeAnswer } from './charset.ts'
import { exchange } from './exchange.ts'
import { queryFor } from './query.ts'
import { referralIn } from './referral.ts'
import { parseServer, serverText, type Server } from './server.ts'

/** Questions over port 43. What an answer means is the parser's business. */
export type Whois43 = {
  /** Throws UpstreamError in one of the five words, or the reason of the caller's own signal. */
  ask(question: WhoisQuestion): Promise<WhoisReply>
}

export type WhoisQuestion = {
  readonly domain: DomainName
  readonly tld: string
  /** `whois.example` or `whois.example:4343`. */
  readonly server: string
  readonly signal?: AbortSignal | undefined
  /** For everything together: waiting for a turn, connecting, the last byte, the referral. */
  readonly deadlineMs?: number | undefined
  /**
   * Ask the registrar's server too, where the registry names one: registries of some TLDs know no more than that. Its
   * answer adds to what the registry said; that a registrar has no such customer does not make a name available.
   */
  readonly followReferral?: boolean | undefined
}

export type WhoisReply = {
  /** Who answered, as `host:port`. */
  readonly server: string
  /** The line that was sent, without its end. */
  readonly query: string
  readonly bytes: Uint8Array
  readonly text: string
  readonly charset: string
  readonly elapsedMs: number
  /** What the server it refers to said, where that was asked for and came to an answer. */
  readonly referral?: WhoisReply
}

export type Whois43Options = AddressPolicy & {
  readonly clock: Clock
  readonly deadlineMs: number
  readonly maxBytes: number
  /** Where a server listens that names no port of its own: 43. Referrals are followed to this port only. */
  readonly port?: number
  /** Names to addresses: the system's own by default. */
  readonly lookup?: HostLookup
  /** Runs a question when its turn at the host has come; by default a few at a time run, and the others wait in line. */
  readonly turn?: <T>(host: string, signal: AbortSignal, run: () => Promise<T>) => Promise<T>
}

const FEW = { maxConcurrent: 4, maxQueue: 1000, maxKeys: 500 }

export function createWhois43(options: Whois43Options): Whois43 {
  const { clock, port = 43 } = options
  const limits = createKeyedLimits(FEW)
  const turn: NonNullable<Whois43Options['turn']> =
    options.turn ?? ((host, signal, run) => limits.run(host, run, signal))

  /** Asks one server, within the time; rejects with UpstreamError or the reason of the caller's signal. */
  const askOne = (server: Server, { domain, tld, signal: caller }: WhoisQuestion, ms: number): Promise<WhoisReply> =>
    withDeadline({ who: serverText(server), ms, signal: caller }, async (signal) => {
      const query = queryFor(server.host, domain)
      const began = clock.monotonic()
      try {
        const bytes = await turn(server.host, signal, () =>
          exchange(server, query, { ...options, signal, usualPort: port }),
        )
        const elapsedMs = clock.monotonic() - began
        return { server: serverText(server), query, bytes, ...decodeAnswer(bytes, tld), elapsedMs }
      } catch (error) {
        throw signal.aborted ? signal.reason : transportFailure(serverText(server), error)
      }
    })

  const askMore = async (reply: WhoisReply, host: string, question: WhoisQuestion, ms: number): Promise<WhoisReply> => {
    try {
      return { ...reply, referral: await askOne({ host, port }, question, ms) }
    } catch (error) {
      // The registry has answered; what the registrar fails to add does not take that back.
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
      const host = followReferral ? referralIn(reply.text, question.domain) : undefined
      const left = deadline - clock.monotonic()
      return host === undefined || host === server.host || left <= 0 ? reply : askMore(reply, host, question, left)
    },
  }
}
