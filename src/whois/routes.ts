import type { z } from 'zod'
import { route, type Route } from '../kernel/endpoint.ts'
import { whoisLookup, type WhoisRecord } from './contract.ts'
import type { Lookup, Whois } from './service.ts'

export function whoisRoutes(whois: Whois): Route[] {
  return [
    route(whoisLookup, async ({ domain, refresh = false, evidence = false }, { signal, requestId }) => {
      const { lookup, cached, storedAt } = await whois.look(domain, { refresh, signal, lane: requestId })
      const queriedAt = new Date(storedAt).toISOString()
      return {
        domain,
        ...recordOf(lookup),
        cached,
        cachedAt: cached ? queriedAt : null,
        queriedAt,
        ...(evidence && { evidence: [...lookup.evidence] }),
      }
    }),
  ]
}

function recordOf({ source, answer }: Lookup): Pick<z.input<typeof WhoisRecord>, 'available' | 'source'> {
  if (answer.kind === 'available') return { available: true, source }
  const { status, nameservers, ...rest } = answer.registration
  const lists = { status: [...status], nameservers: [...nameservers] }
  return { available: false, source, ...rest, ...lists }
}
