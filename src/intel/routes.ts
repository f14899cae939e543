import { route, type Route } from '../kernel/endpoint.ts'
import { domainIntel } from './contract.ts'
import type { IntelService } from './service.ts'

export const intelRoutes = (intel: IntelService): Route[] => [
  { ...route(domainIntel, ({ domain }, { signal }) => intel.look(domain, signal)), ready: () => intel.mustHaveRoom() },
]
