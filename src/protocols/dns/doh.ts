import type { Clock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Upstream } from '../../kernel/upstream/client.ts'
import { decodeMessage } from './decode.ts'
import { type DnsMessage, MalformedMessage } from './message.ts'
import { classifyReply, type DnsOutcome } from './outcome.ts'
import { emptyReply } from './query-queue.ts'
import type { DnsReply, DnsRequest } from './query-types.ts'
import { encodeQuery, isAnswerTo, withId } from './query.ts'
import type { ServerAddress } from './server-address.ts'

/** DNS over HTTPS (RFC 8484), for networks in which port 53 is closed. */
export type DohClient = {
  /** Sends one query to one server. Failures are outcomes; throws only the signal's reason when aborted. */
  query(server: ServerAddress & { readonly url: URL }, request: DohRequest): Promise<DnsReply>
  /** Why the last query failed; undefined if it was answered. For operators. */
  problem(): string | undefined
}

export type DohRequest = Pick<DnsRequest, 'name' | 'type' | 'dnssec' | 'timeoutMs' | 'signal'>

type Needs = { readonly upstream: Pick<Upstream, 'request'>; readonly clock: Clock }

const MEDIA_TYPE = 'application/dns-message'
/** RFC 8484 asks for 0, so that caches see equal queries as equal. */
const QUERY_ID = 0
const MAX_MESSAGE_BYTES = 65_535

export function createDohClient({ upstream, clock }: Needs): DohClient {
  let problem: string | undefined

  const exchange = async (url: URL, { name, type, dnssec = false, timeoutMs, signal }: DohRequest): Promise<Buffer> => {
    const query = encodeQuery({ name, type, recursion: true, dnssec, edns: true })
    // Redirects are not followed: a server that redirects a query, to a login page for example, has not answered it.
    const reply = await upstream.request({
      url,
      method: 'POST',
      headers: { 'content-type': MEDIA_TYPE, accept: MEDIA_TYPE },
      body: withId(query, QUERY_ID),
      accept: [200],
      maxBytes: MAX_MESSAGE_BYTES,
      timeoutMs,
      signal,
    })
    const mediaType = (reply.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
    if (mediaType !== MEDIA_TYPE) throw new MalformedMessage(`${url.host} did not answer with a DNS message`)
    const bytes = Buffer.from(reply.body.buffer, reply.body.byteOffset, reply.body.byteLength)
    if (!isAnswerTo(query, bytes)) throw new MalformedMessage(`${url.host} answered another query`)
    return bytes
  }

  return {
    async query(server, request) {
      const startedAt = clock.monotonic()
      const elapsedMs = () => clock.monotonic() - startedAt
      const failed = (outcome: 'timeout' | 'unreachable' | 'malformed', why: string): DnsReply => {
        problem = why
        const attempts = [{ server: server.text, tcp: true, result: outcome }]
        return { ...emptyReply('unreachable', elapsedMs()), outcome, attempts }
      }
      const lower = request.name.toLowerCase()
      const name = lower.endsWith('.') ? lower.slice(0, -1) : lower
      try {
        const wire = await exchange(server.url, { ...request, name })
        const message = decodeMessage(wire)
        const outcome = classifyReply(message, { name, type: request.type, recursion: true })
        problem = undefined
        return { ...replyOf(message, outcome, server, wire), elapsedMs: elapsedMs() }
      } catch (error) {
        request.signal?.throwIfAborted()
        if (error instanceof MalformedMessage) return failed('malformed', error.message)
        if (!(error instanceof UpstreamError)) throw error
        return failed(error.failure === 'timeout' ? 'timeout' : 'unreachable', error.message)
      }
    },
    problem: () => problem,
  }
}

const replyOf = (message: DnsMessage, outcome: DnsOutcome, server: ServerAddress, wire: Buffer) => ({
  outcome,
  rcode: message.rcode,
  flags: message.flags,
  answers: message.answers,
  authority: message.authority,
  additional: message.additional,
  wire,
  server,
  tcp: true,
  attempts: [{ server: server.text, tcp: true, result: outcome }],
})
