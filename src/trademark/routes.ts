import { route, type Route } from '../kernel/endpoint.ts'
import {
  expiringTrademarks,
  searchTrademarkDescriptions,
  searchTrademarkOwners,
  searchTrademarks,
  trademarkStatus,
} from './contract.ts'
import type { Trademarks } from './service.ts'

export const trademarkRoutes = (trademarks: Trademarks): Route[] => [
  route(searchTrademarks, (input, { signal }) => trademarks.search(input, signal)),
  route(searchTrademarkDescriptions, (input, { signal }) => trademarks.byDescription(input, signal)),
  route(searchTrademarkOwners, (input, { signal }) => trademarks.byOwner(input, signal)),
  route(expiringTrademarks, (input, { signal }) => trademarks.expiring(input, signal)),
  route(trademarkStatus, () => trademarks.status()),
]
