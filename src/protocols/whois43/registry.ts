import { createHash } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import { tldOf } from '../../kernel/names.ts'
import type { Pacer } from '../../kernel/pace/pacer.ts'
import type { QueryRegistry, RegistryResponse } from '../../kernel/registration.ts'
import type { Whois43, WhoisReply } from './client.ts'
import { parseWhois } from './parse.ts'

type Needs = {
  readonly client: Whois43
  readonly pacer: Pick<Pacer, 'run'>
  /** The WHOIS server of a TLD or suffix, `host[:port]`; undefined if it has none. */
  readonly serverOf: (tld: string) => string | undefined
  /** Called with the error of a server; another server to ask, or undefined if no other is known. */
  readonly replaceServer?: (tld: string, failed: string, error: unknown) => Promise<string | undefined>
  /**
   * The registry's own WHOIS host, if `serverOf` returns another address for it. Known wordings are looked up by this
   * host. Defaults to the server that is asked.
   */
  readonly knownAs?: (tld: string) => string | undefined
  readonly clock: Clock
  /** Timeout of a single attempt. */
  readonly attemptTimeoutMs?: number
}

/** Queries registries over WHOIS, respecting each registry's rate limit. */
export function createWhoisRegistry({
  client,
  pacer,
  serverOf,
  replaceServer,
  knownAs,
  clock,
  attemptTimeoutMs = 6_000,
}: Needs): QueryRegistry {
  return async ({ domain, tld: suffix }, { signal, deadline, lane, lowPriority }) => {
    const server = serverOf(suffix)
    if (server === undefined) throw new UpstreamError('not_configured', `no WHOIS server is known for .${suffix}`)
    // The answers under `co.jp` look like those under `jp`.
    const tld = tldOf(suffix)

    const send = async (attempt: { signal: AbortSignal; timeoutMs: number }): Promise<RegistryResponse> => {
      const at = new Date(clock.now()).toISOString()
      const timeoutMs = Math.min(attempt.timeoutMs, attemptTimeoutMs)
      const ask = (host: string) => client.query({ domain, tld, server: host, signal: attempt.signal, timeoutMs })
      const reply = await ask(server).catch(async (error: unknown) => {
        attempt.signal.throwIfAborted()
        const other = await replaceServer?.(suffix, server, error)
        if (other === undefined) throw error
        return ask(other)
      })
      const answer = parseWhois(reply.text, { domain, tld, server: knownAs?.(suffix) ?? server })
      if (answer.kind === 'unclear' && answer.why === 'rate_limited') {
        // WHOIS has no status codes: throw so that the pacer learns of the rate limit.
        throw new UpstreamError('rate_limited', `${reply.server} says that the rate limit is exceeded`)
      }
      return { answer, evidence: evidenceOf(answer.kind, at, reply) }
    }

    const timeoutMs = Math.max(deadline - clock.monotonic(), 0)
    return pacer.run(server, send, { signal, timeoutMs, lane, lowPriority })
  }
}

const evidenceOf = (outcome: string, at: string, reply: WhoisReply): RegistryResponse['evidence'] => ({
  source: 'whois',
  server: reply.server,
  question: reply.query,
  outcome,
  sha256: createHash('sha256').update(reply.bytes).digest('hex'),
  at,
  ms: Math.round(reply.elapsedMs),
})
