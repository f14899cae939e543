import { route, type Route } from '../kernel/endpoint.ts'
import { ApiError } from '../kernel/errors.ts'
import { ensHealth, ensMetadata } from './contract.ts'

const notYet = (): never => {
  throw new ApiError('service_unavailable', 'ENS is not served by this version yet.')
}

/** The second base address, which serves these two and nothing else. */
export const ensListenerRoutes = (): Route[] => [
  route({ ...ensMetadata, path: '/metadata' }, notYet),
  route({ ...ensHealth, path: '/health' }, notYet),
]
