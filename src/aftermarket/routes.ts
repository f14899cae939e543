import { route, type Route } from '../kernel/endpoint.ts'
import { findListings } from './contract.ts'
import type { Aftermarket } from './service.ts'

export const aftermarketRoutes = (aftermarket: Aftermarket): Route[] => [
  route(findListings, ({ domain, ...query }, { signal }) => aftermarket.find(domain, query, signal), {
    status: ({ error }) => (error === undefined ? 200 : 501),
  }),
]
