import { route, type Deprecation, type Route } from '../kernel/endpoint.ts'
import { health } from './contract.ts'

type Needs = {
  readonly version: string
  /** Every supported TLD, alphabetically. */
  readonly tlds: readonly string[]
  readonly cacheSize: () => number
}

const LEGACY_SHAPE: Deprecation = { since: '2026-11-15', successor: '/health' }

export function healthRoutes({ version, tlds, cacheSize }: Needs): Route[] {
  const list = [...tlds]
  return [
    route(
      health,
      ({ legacy }) => {
        const status = 'ok' as const
        const cacheStats = { size: cacheSize() }
        return legacy ? { status, version, tlds: list, cacheStats } : { status, version, tlds: list.length, cacheStats }
      },
      { deprecated: (body) => (Array.isArray(body.tlds) ? LEGACY_SHAPE : undefined) },
    ),
  ]
}
