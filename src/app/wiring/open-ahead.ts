import type { Probe } from '../../availability/probe.ts'
import type { Pacer } from '../../kernel/pace/pacer.ts'
import type { QueryRegistry } from '../../kernel/registration.ts'
import type { Upstream } from '../../kernel/upstream/client.ts'
import type { Bootstrap } from '../../protocols/rdap/bootstrap.ts'

/** Opens connections to RDAP servers before they are needed, so that queries do not wait for lookups and handshakes. */
export type OpenAhead = {
  /** While the name servers are asked about a name, its registry's host is looked up; for a list, also connected to. */
  duringDns(probe: Probe): Probe
  /**
   * While queries are queued for a registry, connections are opened for those under way, or for half of those that wait: a
   * handshake takes about as long as two queries, and most of the others find a connection that is free again.
   */
  whileQueued(query: QueryRegistry): QueryRegistry
}

type Needs = {
  readonly upstream: Pick<Upstream, 'prepare'>
  readonly pacer: Pick<Pacer, 'state'>
  readonly bootstrap: Pick<Bootstrap, 'baseFor'>
}

/** Of this many names one is likely to need its registry; most single names are found in DNS. */
const LIST_NAMES = 4

export function createOpenAhead({ upstream, pacer, bootstrap }: Needs): OpenAhead {
  const urls = new Map<string, URL>()
  const inDns = new Map<URL, number>()

  /** One object for each server; there are some hundred. */
  const serverOf = (tld: string): URL | undefined => {
    const base = bootstrap.baseFor(tld)
    if (base === undefined) return undefined
    const known = urls.get(base)
    if (known) return known
    const url = new URL(base)
    urls.set(base, url)
    return url
  }

  const countInDns = (server: URL, change: number): number => {
    const names = (inDns.get(server) ?? 0) + change
    if (names > 0) inDns.set(server, names)
    else inDns.delete(server)
    return names
  }

  return {
    duringDns: (probe) => ({
      async query(target, options) {
        const server = serverOf(target.tld)
        if (!server) return probe.query(target, options)
        const names = countInDns(server, 1)
        const isHealthy = (pacer.state(server.host)?.breaker ?? 'closed') === 'closed'
        if (isHealthy && (names === 1 || names === LIST_NAMES)) upstream.prepare(server, names === 1 ? 0 : 1)
        try {
          return await probe.query(target, options)
        } finally {
          countInDns(server, -1)
        }
      },
    }),
    whileQueued: (query) => (target, options) => {
      const answer = query(target, options)
      const server = serverOf(target.tld)
      const state = server && pacer.state(server.host)
      // A host with a known rate limit has few queries at a time, and needs no further connections for them.
      if (state?.breaker === 'closed' && state.rate === undefined && state.pauseMs === 0) {
        upstream.prepare(server!, Math.max(state.underWay, Math.ceil(state.waiting / 2)))
      }
      return answer
    },
  }
}
