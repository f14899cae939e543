import { paidRoute, type Route } from '../kernel/endpoint.ts'
import { valueDomain, valueDomains } from './contract.ts'
import type { Valuations } from './service.ts'

export const valuationRoutes = (valuations: Valuations): Route[] => [
  paidRoute(valueDomain, ({ domain, tier }) => {
    valuations.check([domain])
    return () => valuations[tier](domain)
  }),
  paidRoute(valueDomains, ({ domains }) => {
    valuations.check(domains)
    return ({ signal }) => valuations.many(domains, signal)
  }),
]
