import type { Finding, Probes, Source, Target } from '../../src/availability/probe.ts'

/** What each source says about a domain; `unclear` if missing. */
export type Script = Readonly<Record<string, Partial<Record<Source, Partial<Finding> & Pick<Finding, 'says'>>>>>

/** Sources that return what the test scripted, and record every query. */
export function scriptedProbes(script: Script) {
  const asked: string[] = []
  const probe = (source: Source) => ({
    query: async ({ domain }: Target, { signal }: { signal: AbortSignal }): Promise<Finding> => {
      signal.throwIfAborted()
      asked.push(`${source} ${domain}`)
      const evidence = { source, server: `${source}.test`, question: domain, outcome: 'scripted', at: AT, ms: 1 }
      return { ...(script[domain]?.[source] ?? { says: 'unclear', failure: 'upstream_error' }), evidence }
    },
  })
  const probes: Probes = { dns: probe('dns'), rdap: probe('rdap'), whois: probe('whois') }
  return { probes, asked }
}

const AT = '2026-01-01T00:00:00.000Z'
