import type * as z from 'zod'
import { route, type Route } from '../kernel/endpoint.ts'
import { dnsRecords, type DnsRecords } from './contract.ts'
import type { Records } from './resolver.ts'
import type { Dns } from './service.ts'

export function dnsRoutes(dns: Dns): Route[] {
  return [
    route(dnsRecords, async ({ domain }, { signal }) => {
      const { records, ms, at } = await dns.lookUp(domain, signal)
      return {
        domain,
        records: formatRecords(records),
        dnssec: records.dnssec,
        query_time_ms: ms,
        queried_at: new Date(at).toISOString(),
      }
    }),
  ]
}

function formatRecords({ a, aaaa, mx, ns, txt, cname, soa }: Records): z.input<typeof DnsRecords>['records'] {
  return {
    a: [...a],
    aaaa: [...aaaa],
    mx: [...mx],
    ns: [...ns],
    txt: [...txt],
    cname,
    soa: soa && {
      primary_ns: soa.primary,
      admin_email: soa.email,
      serial: soa.serial,
      refresh: soa.refresh,
      retry: soa.retry,
      expire: soa.expire,
      min_ttl: soa.minimum,
    },
  }
}
