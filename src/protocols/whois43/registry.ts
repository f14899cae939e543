import { createHash } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Pacer } from '../../kernel/pace/pacer.ts'
import type { QueryRegistry, RegistryResponse } from '../../kernel/registration.ts'
import type { Whois43, WhoisReply } from './client.ts'
import { parseWhois } from './parse.ts'

type Needs = {
  readonly client: Whois43
  readonly pacer: Pick<Pacer, 'run'>
  /** The WHOIS server of a TLD, `host[:port]`; undefined where it has none. */
  readonly serverOf: (tld: string) => string | undefined
  /**
   * The registry's own WHOIS host of a TLD, where `serverOf` gives another address for it: known wordings are looked up
   * by this name. By default, and where it gives undefined, the host that is asked.
   */
  readonly knownAs?: (tld: string) => string | undefined
  readonly clock: Clock
  /** The longest one try may take. */
  readonly tryMs?: number
}

/** Asks registries over WHOIS, each as fast as it allows. */
export function createWhoisRegistry({ client, pacer, serverOf, knownAs, clock, tryMs = 6_000 }: Needs): QueryRegistry {
  return async ({ domain, tld }, { signal, deadline, lane }) => {
    const server = serverOf(tld)
    if (server === undefined) throw new UpstreamError('not_configured', `no WHOIS server is known for .${tld}`)

    const ask = async (turn: { signal: AbortSignal; deadlineMs: number }): Promise<RegistryResponse> => {
      const at = new Date(clock.now()).toISOString()
      const deadlineMs = Math.min(turn.deadlineMs, tryMs)
      const reply = await client.ask({ domain, tld, server, signal: turn.signal, deadlineMs })
      const answer = parseWhois(reply.text, { domain, tld, server: knownAs?.(tld) ?? server })
      if (answer.kind === 'unclear' && answer.why === 'rate_limited') {
        // WHOIS has no status for this: the pacer has to be told what the text says.
        throw new UpstreamError('rate_limited', `${reply.server} asked us to come back later`)
      }
      return { answer, evidence: evidenceOf(answer.kind, at, reply) }
    }

    return pacer.run(server, ask, { signal, deadlineMs: Math.max(deadline - clock.monotonic(), 0), lane })
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
