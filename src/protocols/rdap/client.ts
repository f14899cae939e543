import { createHash } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Pacer } from '../../kernel/pace/pacer.ts'
import type { AskRegistry, RegistrySaid } from '../../kernel/registration.ts'
import type { Reply, Upstream } from '../../kernel/upstream/client.ts'
import type { Bootstrap } from './bootstrap.ts'
import { LARGEST_BODY, parseRdap } from './parse.ts'

type Needs = {
  readonly upstream: Pick<Upstream, 'ask'>
  readonly pacer: Pick<Pacer, 'run'>
  readonly bootstrap: Pick<Bootstrap, 'baseFor'>
  readonly clock: Clock
  /** The longest one try may take, so that there is time for another, or for WHOIS. */
  readonly tryMs?: number
}

/** Statuses whose body says something. The others are the server's trouble, or ours, and not about the name. */
const ANSWERS = [200, 203, 400, 403, 404, 422]
const MOST_REDIRECTS = 3

/** Asks registries over RDAP, each as fast as it allows. A redirect of theirs is followed: they know who answers. */
export function createRdap({ upstream, pacer, bootstrap, clock, tryMs = 5000 }: Needs): AskRegistry {
  return async ({ domain, tld }, { signal, deadline, lane, alternative }) => {
    const base = bootstrap.baseFor(tld)
    if (base === undefined) throw new UpstreamError('not_configured', `no RDAP server is known for .${tld}`)
    const url = new URL(`domain/${domain}`, base)

    const ask = async (turn: { signal: AbortSignal; deadlineMs: number }): Promise<RegistrySaid> => {
      const at = new Date(clock.now()).toISOString()
      const reply = await upstream.ask({
        url,
        headers: { accept: 'application/rdap+json' },
        accept: ANSWERS,
        redirects: MOST_REDIRECTS,
        maxBytes: LARGEST_BODY,
        signal: turn.signal,
        deadlineMs: Math.min(turn.deadlineMs, tryMs),
      })
      const otherHost = new URL(reply.url).host !== url.host
      const answer = parseRdap(reply.status, reply.headers['content-type'], reply.body, domain, { otherHost })
      if (answer.kind === 'unclear' && answer.why === 'rate_limited') {
        // Said in words instead of by the status; the pacer has to know all the same.
        throw new UpstreamError('rate_limited', `${url.host} asked to be left alone`)
      }
      return { answer, evidence: evidenceOf(url, at, reply) }
    }

    const deadlineMs = Math.max(deadline - clock.monotonic(), 0)
    return pacer.run(url.host, ask, { signal, deadlineMs, lane, alternative })
  }
}

const evidenceOf = (url: URL, at: string, reply: Reply): RegistrySaid['evidence'] => ({
  source: 'rdap',
  server: new URL(reply.url).host,
  question: url.href,
  outcome: String(reply.status),
  sha256: createHash('sha256').update(reply.body).digest('hex'),
  at,
  ms: Math.round(reply.elapsedMs),
})
