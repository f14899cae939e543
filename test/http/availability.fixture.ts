import type { TestContext } from 'node:test'
import { createLegacyTurns } from '../../src/availability/legacy-turns.ts'
import { availabilityRoutes } from '../../src/availability/routes.ts'
import { createAvailability } from '../../src/availability/service.ts'
import { createLookupPolicy } from '../../src/availability/verdict.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { nextTurn } from '../../src/kernel/event-loop.ts'
import { loadCatalogue } from '../../src/tlds/catalogue.ts'
import { type DoorOptions, type Reply, startDoor } from '../support/door.ts'
import { type Script, scriptedProbes } from '../support/probes.ts'

export const taken = { dns: { says: 'registered' } } as const
export const free = { dns: { says: 'not_delegated' }, rdap: { says: 'available' } } as const
export const held = { dns: { says: 'not_delegated' }, rdap: { says: 'registered', statuses: ['clientHold'] } } as const
export const throttled = { dns: { says: 'not_delegated' }, rdap: { says: 'unclear', failure: 'rate_limited' } } as const

export const catalogue = loadCatalogue()

/** Starts the HTTP surface with availability routes over scripted sources. */
export async function startAvailability(
  t: TestContext,
  script: Script,
  options: DoorOptions &
    Parameters<typeof scriptedProbes>[1] &
    Parameters<typeof createLegacyTurns>[0] & { readonly hasWhois?: boolean } = {},
) {
  const { probes, asked, queries } = scriptedProbes(script, options)
  const clock = manualClock()
  const waited: number[] = []
  /** Steps after which other requests had their turn. */
  const turns = { count: 0 }
  const availability = createAvailability({
    probes,
    policyFor: (tld) => createLookupPolicy(catalogue.find(tld)!, false, options.hasWhois ?? false),
    clock,
  })
  const routes = availabilityRoutes({
    availability,
    catalogue,
    clock,
    health: { report: () => [] },
    sleep: async (ms) => {
      waited.push(ms)
      door.clock.advance(ms)
    },
    legacyTurns: createLegacyTurns(options),
    nextTurn: () => {
      turns.count++
      return nextTurn()
    },
  })
  const door = await startDoor(routes, options)
  t.after(() => door.stop())
  return { ...door, asked, clock, waited, turns, queries }
}

export const errorOf = ({ status, body }: Reply) => [status, (body as { error: string }).error]
export type CheckResult = {
  domain: string
  available: boolean
  status: string[]
  source: string
  error?: string
  name?: string
}
export type SeveralResults = {
  name?: string
  results: CheckResult[]
  summary: object
  totalMs: number
  timestamp: string
}
