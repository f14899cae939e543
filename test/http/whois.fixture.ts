import type { TestContext } from 'node:test'
import { recordsOf } from '../../src/app/wiring/between-capabilities.ts'
import type { Finding, Probe } from '../../src/availability/probe.ts'
import { createLegacyTurns } from '../../src/availability/legacy-turns.ts'
import { availabilityRoutes } from '../../src/availability/routes.ts'
import { createAvailability } from '../../src/availability/service.ts'
import { registryProbe } from '../../src/availability/sources/registry.ts'
import { createLookupPolicy } from '../../src/availability/verdict.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { UpstreamError, type UpstreamFailure } from '../../src/kernel/errors.ts'
import type { QueryRegistry, RegistryAnswer } from '../../src/kernel/registration.ts'
import { loadCatalogue } from '../../src/tlds/catalogue.ts'
import { whoisRoutes } from '../../src/whois/routes.ts'
import { createWhois } from '../../src/whois/service.ts'
import { type Reply, startDoor } from '../support/door.ts'

export type ScriptedAnswer = RegistryAnswer | UpstreamFailure | UpstreamError

export const registered: RegistryAnswer = {
  kind: 'registered',
  registration: {
    registrar: { name: 'Example Registrar', ianaId: '9999', abuseEmail: 'abuse@registrar.example' },
    dates: { created: '2020-01-02T03:04:05.000Z', expires: '2027-01-02T03:04:05.000Z' },
    status: ['clientTransferProhibited'],
    nameservers: ['ns1.example', 'ns2.example'],
    dnssec: { delegationSigned: false },
    registrant: { organization: 'Example Ltd', country: 'GB' },
  },
}
export const unclear: RegistryAnswer = { kind: 'unclear', why: 'not_understood', said: '<html>' }

/** Starts the HTTP surface with check and whois over one availability service, with scripted DNS and registries. */
export async function startWhois(
  t: TestContext,
  says: { dns?: Finding['says']; rdap?: ScriptedAnswer; whois?: ScriptedAnswer },
) {
  const asked: string[] = []
  const clock = manualClock()
  const catalogue = loadCatalogue()
  const query =
    (source: 'rdap' | 'whois'): QueryRegistry =>
    async ({ domain }) => {
      asked.push(`${source} ${domain}`)
      const said = says[source] ?? 'unavailable'
      if (said instanceof UpstreamError) throw said
      if (typeof said === 'string') throw new UpstreamError(said, `${source}.test failed`)
      const evidence = { source, server: `${source}.test`, question: domain, outcome: '200', at: AT, ms: 5 }
      return { answer: said, evidence }
    }
  const dns: Probe = {
    query: async ({ domain }) => ({
      says: says.dns ?? 'not_delegated',
      evidence: { source: 'dns', server: 'dns.test', question: domain, outcome: 'NXDOMAIN', at: AT, ms: 5 },
    }),
  }
  const availability = createAvailability({
    probes: {
      dns,
      rdap: registryProbe('rdap', query('rdap'), clock),
      whois: registryProbe('whois', query('whois'), clock),
    },
    policyFor: (tld) => createLookupPolicy(catalogue.find(tld)!, tld !== 'es', tld !== 'es'),
    clock,
  })
  const whois = createWhois({
    suffixes: catalogue.suffixes,
    hasRegistryService: (tld) => tld !== 'es',
    findRecord: recordsOf(availability),
  })
  const health = { report: () => [] }
  const check = availabilityRoutes({
    availability,
    catalogue,
    clock,
    sleep: async () => {},
    health,
    legacyTurns: createLegacyTurns(),
  })
  const door = await startDoor([...check, ...whoisRoutes(whois)], { rateLimit: 60_000 })
  t.after(() => door.stop())
  return { ...door, asked, clock }
}

const AT = '2026-01-01T00:00:00.000Z'

export const errorOf = ({ status, body }: Reply) => [status, (body as { error: string }).error]
