import { route, type Route } from '../kernel/endpoint.ts'
import type { DomainName } from '../kernel/names.ts'
import { valueDomain, valueDomains } from './contract.ts'
import type { Valuations } from './service.ts'

export const valuationRoutes = (valuations: Valuations): Route[] => [
  {
    ...route(valueDomain, ({ domain, tier }) => valuations[tier](domain)),
    ready: ({ domain }) => valuations.check([domain as DomainName]),
  },
  {
    ...route(valueDomains, ({ domains }, { signal }) => valuations.many(domains, signal)),
    ready: ({ domains }) => valuations.check(domains as DomainName[]),
  },
]
