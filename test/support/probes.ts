import type { RegistryQueryOptions } from '../../src/kernel/registration.ts'
import type { Finding, Probes, Source, Target } from '../../src/availability/probe.ts'

/** What each source says about a domain; `unclear` if missing. */
export type Script = Readonly<Record<string, Partial<Record<Source, Partial<Finding> & Pick<Finding, 'says'>>>>>

type Options = {
  readonly until?: Promise<unknown>
  readonly onQuery?: (source: Source, domain: string) => void
  /** What one query waits for, after `until`. */
  readonly wait?: (source: Source, target: Target, options: RegistryQueryOptions) => Promise<unknown>
}

/** Sources that return what the test scripted, after `until` and `wait`, and record every query. */
export function scriptedProbes(script: Script, { until, onQuery, wait }: Options = {}) {
  const queries: Pick<RegistryQueryOptions, 'lane' | 'lowPriority'>[] = []
  const asked: string[] = []
  const probe = (source: Source) => ({
    query: async (target: Target, options: RegistryQueryOptions): Promise<Finding> => {
      const { domain } = target
      const { signal, lane, lowPriority } = options
      signal.throwIfAborted()
      queries.push({ lane, lowPriority })
      asked.push(`${source} ${domain}`)
      onQuery?.(source, domain)
      await until
      await wait?.(source, target, options)
      const evidence = { source, server: `${source}.test`, question: domain, outcome: 'scripted', at: AT, ms: 1 }
      return { ...(script[domain]?.[source] ?? { says: 'unclear', failure: 'upstream_error' }), evidence }
    },
  })
  const probes: Probes = { dns: probe('dns'), rdap: probe('rdap'), whois: probe('whois') }
  return { probes, asked, queries }
}

const AT = '2026-01-01T00:00:00.000Z'
