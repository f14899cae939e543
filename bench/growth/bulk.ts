/** A list of names, as in `POST /v1/check/bulk`. The door accepts 10,000 names; longer lists are checked in the process. */
import { parseList } from '../../src/availability/bulk.ts'
import type { Finding, Target } from '../../src/availability/probe.ts'
import { createAvailability } from '../../src/availability/service.ts'
import { createLookupPolicy } from '../../src/availability/verdict.ts'
import { systemClock as clock } from '../../src/kernel/clock.ts'
import { nextTurn } from '../../src/kernel/event-loop.ts'
import { loadCatalogue } from '../../src/tlds/catalogue.ts'
import type { Part } from './part.ts'

const catalogue = loadCatalogue()
const TIMEOUT_MS = 60_000
const registered: Finding = {
  says: 'registered',
  evidence: { source: 'dns', server: 'bench', says: 'registered' } as never,
}
const probe = { query: async () => registered }

export const part: Part = {
  async build(size) {
    const availability = createAvailability({
      probes: { dns: probe, rdap: probe, whois: probe },
      policyFor: (tld) => createLookupPolicy(catalogue.find(tld)!, false, false),
      clock,
    })
    const { signal } = new AbortController()
    const spend = async () => ({ allowed: true, remaining: 1, seconds: 0 })
    const domains = Array.from({ length: size }, (_, at) => `grows-${at}.com`)
    const entries = parseList(domains, {
      catalogue,
      sleep: async () => {},
      nextTurn,
      context: { spend, signal },
    })
    const targets = async function* (): AsyncIterable<Target> {
      for await (const entry of entries) if (!('error' in entry)) yield entry
    }
    let outcomes = 0
    for await (const _outcome of availability.checkAll(targets(), { signal, timeoutMs: TIMEOUT_MS } as never))
      outcomes++
    if (outcomes !== size) throw new Error(`${outcomes} of ${size} names were checked.`)
    return { operations: {} }
  },
}
