import type * as z from 'zod'
import { route, type Route } from '../kernel/endpoint.ts'
import { whoisLookup, type WhoisRecord } from './contract.ts'
import type { WhoisResult, Whois } from './service.ts'

export function whoisRoutes(whois: Whois): Route[] {
  return [
    route(whoisLookup, async ({ domain, refresh = false, evidence = false }, { signal, client, timeoutMs }) => {
      const lookup = await whois.lookUp(domain, { refresh, signal, lane: client, timeoutMs })
      const { cached, storedAt } = lookup
      const queriedAt = new Date(storedAt).toISOString()
      return {
        domain,
        ...formatRecord(lookup),
        cached,
        cachedAt: cached ? queriedAt : null,
        queriedAt,
        ...(evidence && { evidence: [...lookup.evidence] }),
      }
    }),
  ]
}

function formatRecord({
  source,
  registration,
}: WhoisResult): Pick<z.input<typeof WhoisRecord>, 'available' | 'source'> {
  if (!registration) return { available: true, source }
  const { status, nameservers, ...rest } = registration
  const lists = { status: [...status], nameservers: [...nameservers] }
  return { available: false, source, ...rest, ...lists }
}
