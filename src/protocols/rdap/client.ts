import { createHash } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Pacer } from '../../kernel/pace/pacer.ts'
import type { QueryRegistry, RegistryResponse } from '../../kernel/registration.ts'
import type { UpstreamResponse, Upstream } from '../../kernel/upstream/client.ts'
import type { Bootstrap } from './bootstrap.ts'
import { MAX_BODY_BYTES, parseRdap } from './parse.ts'

type Needs = {
  readonly upstream: Pick<Upstream, 'request'>
  readonly pacer: Pick<Pacer, 'run'>
  readonly bootstrap: Pick<Bootstrap, 'baseFor'>
  readonly clock: Clock
  /** Timeout of a single attempt, so that there is time for a retry, or for WHOIS. */
  readonly attemptTimeoutMs?: number
}

/** Statuses whose body may say something about the name. The others are errors of the server or of ours. */
const ANSWERS = [200, 203, 400, 403, 404, 422]
const MAX_REDIRECTS = 3

/** Queries registries over RDAP, respecting each registry's rate limit. Their redirects are followed. */
export function createRdap({ upstream, pacer, bootstrap, clock, attemptTimeoutMs = 5000 }: Needs): QueryRegistry {
  return async ({ domain, tld }, { signal, deadline, lane, lowPriority, alternative }) => {
    const base = bootstrap.baseFor(tld)
    if (base === undefined) throw new UpstreamError('not_configured', `no RDAP server is known for .${tld}`)
    const url = new URL(`domain/${domain}`, base)

    const send = async (attempt: { signal: AbortSignal; timeoutMs: number }): Promise<RegistryResponse> => {
      const at = new Date(clock.now()).toISOString()
      const reply = await upstream.request({
        url,
        headers: { accept: 'application/rdap+json' },
        accept: ANSWERS,
        redirects: MAX_REDIRECTS,
        maxBytes: MAX_BODY_BYTES,
        signal: attempt.signal,
        timeoutMs: Math.min(attempt.timeoutMs, attemptTimeoutMs),
      })
      const otherHost = new URL(reply.url).host !== url.host
      const answer = parseRdap(reply.status, reply.headers['content-type'], reply.body, domain, { otherHost })
      if (answer.kind === 'unclear' && answer.why === 'rate_limited') {
        // The body says it, not the status: throw so that the pacer learns of the rate limit.
        throw new UpstreamError('rate_limited', `${url.host} answered that its rate limit is exceeded`)
      }
      return { answer, evidence: evidenceOf(url, at, reply) }
    }

    const timeoutMs = Math.max(deadline - clock.monotonic(), 0)
    return pacer.run(url.host, send, { signal, timeoutMs, lane, lowPriority, alternative })
  }
}

const evidenceOf = (url: URL, at: string, reply: UpstreamResponse): RegistryResponse['evidence'] => ({
  source: 'rdap',
  server: new URL(reply.url).host,
  question: url.href,
  outcome: String(reply.status),
  sha256: createHash('sha256').update(reply.body).digest('hex'),
  at,
  ms: Math.round(reply.elapsedMs),
})
