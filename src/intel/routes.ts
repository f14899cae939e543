import { paidRoute, type Route } from '../kernel/endpoint.ts'
import { domainIntel } from './contract.ts'
import type { IntelService } from './service.ts'

export const intelRoutes = (intel: IntelService): Route[] => [
  paidRoute(domainIntel, async ({ domain }, { signal, client }) => {
    const look = await intel.prepare(domain, signal, client)
    return (context) => look(context.signal)
  }),
]
