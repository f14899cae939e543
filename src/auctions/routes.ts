import { route, type Route } from '../kernel/endpoint.ts'
import { listAuctions } from './contract.ts'
import type { Auctions } from './service.ts'

export const auctionRoutes = (auctions: Auctions): Route[] => [
  route(listAuctions, (query, { signal }) => auctions.list(query, signal)),
]
