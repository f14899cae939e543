import { route, type Route } from '../kernel/endpoint.ts'
import { searchPresence } from './contract.ts'
import type { PresenceService } from './service.ts'

export const presenceRoutes = (presence: PresenceService): Route[] => [
  route(searchPresence, (question, { signal, client }) => presence.search(question, signal, client)),
]
