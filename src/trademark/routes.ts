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
  route(searchTrademarks, (question, { signal }) => trademarks.search(question, signal)),
  route(searchTrademarkDescriptions, (question, { signal }) => trademarks.byDescription(question, signal)),
  route(searchTrademarkOwners, (question, { signal }) => trademarks.byOwner(question, signal)),
  route(expiringTrademarks, (question, { signal }) => trademarks.expiring(question, signal)),
  route(trademarkStatus, () => trademarks.status()),
]
