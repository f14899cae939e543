import type { Availability } from '../availability/service.ts'
import type { Dns } from '../dns/service.ts'
import type { Standing } from '../intel/standing.ts'
import { ApiError, UpstreamError } from '../kernel/errors.ts'
import { type DomainName, parseDomain, splitDomain } from '../kernel/names.ts'
import type { DnsClient } from '../protocols/dns/client.ts'
import { recordsFor } from '../protocols/dns/outcome.ts'
import type { ServerAddress } from '../protocols/dns/server-address.ts'
import type { FindRecord } from '../whois/service.ts'

/** What one capability may ask another, in the words of who asks. */

const CHECK_MS = 8_000
const RESOLVE_MS = 5_000

type Checking = { readonly availability: Availability; readonly suffixes: ReadonlySet<string> }

/** The verdict on the domain a name belongs to. */
export function standingOf({ availability, suffixes }: Checking) {
  return async (name: DomainName, signal: AbortSignal): Promise<Standing> => {
    const split = splitDomain(name, suffixes)
    if (split.kind === 'unsupported') return { state: 'unsupported', problem: split.problem }
    const target = { domain: split.registrable, label: split.label, tld: split.suffix }
    const { verdict } = await availability.check(target, { signal, deadlineMs: CHECK_MS, lane: 'within' })
    const { state, failure: reason = 'upstream_error' } = verdict
    return state === 'unknown' ? { state, reason } : { state }
  }
}

/** The verdict about a domain, with the registry's record, as WHOIS wants it. */
export function recordsOf(availability: Availability): FindRecord {
  return async (target, options) => {
    const { verdict, checkedAt, ...found } = await availability.record(target, options)
    const { state, source, reason } = verdict
    return { ...found, state, source, ...(reason !== undefined && { reason }), storedAt: checkedAt }
  }
}

/** The state alone; `unknown` also for a TLD that is not supported. */
export function stateOf(checking: Checking) {
  const standing = standingOf(checking)
  return async (name: DomainName, signal: AbortSignal) => {
    const { state } = await standing(name, signal)
    return state === 'unsupported' ? 'unknown' : state
  }
}

/** Whether the name is registered under .com; null where that is not known. What cannot be a domain is not registered. */
export function isRegisteredAsCom(state: ReturnType<typeof stateOf>) {
  return async (label: string, signal: AbortSignal): Promise<boolean | null> => {
    const reading = parseDomain(`${label}.com`)
    if (!reading.ok) return false
    const found = await state(reading.name, signal)
    return found === 'unknown' ? null : found === 'registered'
  }
}

/**
 * Addresses of a name, and the name servers of the domain it belongs to; what cannot be found out is not known, and no
 * reason to fail.
 */
export function hostingOf(dns: Dns, suffixes: ReadonlySet<string>) {
  const look = async (domain: DomainName, signal: AbortSignal) => {
    try {
      return (await dns.look(domain, signal)).records
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ApiError) && !(error instanceof UpstreamError)) throw error
      return { ns: [], a: [], aaaa: [] }
    }
  }
  return async (name: DomainName, signal: AbortSignal) => {
    const split = splitDomain(name, suffixes)
    // Together: of two that are given up at once, neither may be left without somebody who hears of it.
    const [own, above] = await Promise.all([
      look(name, signal),
      split.kind === 'subdomain' ? look(split.registrable, signal) : undefined,
    ])
    return { nameservers: (above ?? own).ns.map(({ host }) => host), addresses: [...own.a, ...own.aaaa] }
  }
}

/** All addresses of a host, by our own resolvers; throws where they cannot tell. */
export function addressesOf(client: DnsClient, recursors: readonly ServerAddress[]) {
  return async (host: string, signal: AbortSignal): Promise<readonly string[]> => {
    const ask = async (type: 'A' | 'AAAA') => {
      const question = { name: host, type, servers: recursors, recursion: true, inOrder: true, deadlineMs: RESOLVE_MS }
      const { outcome, answers } = await client.ask({ ...question, signal })
      if (outcome === 'answer') return recordsFor(answers, host, type).map(({ address }) => address)
      // SERVFAIL is the resolver's word that the servers of the name do not work: it has no address either.
      if (outcome === 'nodata' || outcome === 'nxdomain' || outcome === 'servfail') return []
      throw new UpstreamError('unavailable', `the resolvers could not tell: ${outcome}`)
    }
    const found = await Promise.allSettled([ask('A'), ask('AAAA')])
    signal.throwIfAborted()
    const heard = found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    // One of the two is enough to get there; that neither could be found out is not the same as none.
    if (heard.length === 0) throw (found[0] as PromiseRejectedResult).reason
    return heard.flat()
  }
}
