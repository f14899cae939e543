import type { Finding, Probes, Source, Target } from '../../src/availability/probe.ts'

/** What each source says of a domain; `unclear` where nothing is written. */
export type Script = Readonly<Record<string, Partial<Record<Source, Partial<Finding> & Pick<Finding, 'says'>>>>>

/** Sources that say what a test wrote for them, and remember who was asked what. */
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
