import type { Availability } from '../../availability/service.ts'
import type { Dns } from '../../dns/service.ts'
import type { Standing } from '../../intel/standing.ts'
import { ApiError, UpstreamError } from '../../kernel/errors.ts'
import { type DomainName, parseDomain, splitDomain } from '../../kernel/names.ts'
import type { DnsClient } from '../../protocols/dns/client.ts'
import { recordsFor } from '../../protocols/dns/outcome.ts'
import type { ServerAddress } from '../../protocols/dns/server-address.ts'
import type { FindRecord } from '../../whois/service.ts'

/** Adapters through which one capability uses another, so that capabilities do not import each other. */

const CHECK_TIMEOUT_MS = 8_000
const RESOLVE_TIMEOUT_MS = 5_000

type Needs = { readonly availability: Availability; readonly suffixes: ReadonlySet<string> }

/** The verdict on the domain a name belongs to. */
export function standingOf({ availability, suffixes }: Needs) {
  return async (name: DomainName, signal: AbortSignal, client: string): Promise<Standing> => {
    const split = splitDomain(name, suffixes)
    if (split.kind === 'unsupported') return { state: 'unsupported', problem: split.problem }
    const target = { domain: split.registrable, label: split.label, tld: split.suffix }
    const { verdict } = await availability.check(target, { signal, timeoutMs: CHECK_TIMEOUT_MS, lane: client })
    const { state, failure: reason = 'upstream_error' } = verdict
    return state === 'unknown' ? { state, reason } : { state }
  }
}

/** The verdict on a domain with the registry's record, in the form WHOIS uses. */
export function recordsOf(availability: Availability): FindRecord {
  return async (target, options) => {
    const { verdict, checkedAt, ...found } = await availability.record(target, options)
    const { state, source, reason } = verdict
    return { ...found, state, source, ...(reason !== undefined && { reason }), storedAt: checkedAt }
  }
}

/** The state of the verdict only; `unknown` also for an unsupported TLD. */
export function stateOf(needs: Needs) {
  const standing = standingOf(needs)
  return async (name: DomainName, signal: AbortSignal, client: string) => {
    const { state } = await standing(name, signal, client)
    return state === 'unsupported' ? 'unknown' : state
  }
}

/** Whether the name is registered under .com; null if unknown, false if it cannot be a domain. */
export function isRegisteredAsCom(state: ReturnType<typeof stateOf>) {
  return async (label: string, signal: AbortSignal, client: string): Promise<boolean | null> => {
    const parsed = parseDomain(`${label}.com`)
    if (!parsed.ok) return false
    const found = await state(parsed.name, signal, client)
    return found === 'unknown' ? null : found === 'registered'
  }
}

/** Addresses of a name, and the name servers of its domain. A failed lookup counts as no records. */
export function hostingOf(dns: Dns, suffixes: ReadonlySet<string>) {
  const lookUp = async (domain: DomainName, signal: AbortSignal) => {
    try {
      return (await dns.lookUp(domain, signal)).records
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ApiError) && !(error instanceof UpstreamError)) throw error
      return { ns: [], a: [], aaaa: [] }
    }
  }
  return async (name: DomainName, signal: AbortSignal) => {
    const split = splitDomain(name, suffixes)
    // Awaited together: if both are aborted, neither rejection goes unhandled.
    const [own, above] = await Promise.all([
      lookUp(name, signal),
      split.kind === 'subdomain' ? lookUp(split.registrable, signal) : undefined,
    ])
    return { nameservers: (above ?? own).ns.map(({ host }) => host), addresses: [...own.a, ...own.aaaa] }
  }
}

/** All addresses of a host, from the configured resolvers. Throws if none of them answers. */
export function addressesOf(client: DnsClient, recursors: readonly ServerAddress[]) {
  return async (host: string, signal: AbortSignal): Promise<readonly string[]> => {
    const query = async (type: 'A' | 'AAAA') => {
      const request = { name: host, type, servers: recursors, recursion: true, inOrder: true }
      const { outcome, answers } = await client.query({ ...request, timeoutMs: RESOLVE_TIMEOUT_MS, signal })
      if (outcome === 'answer') return recordsFor(answers, host, type).map(({ address }) => address)
      // SERVFAIL means that the name's own servers do not work, so it has no usable address.
      if (outcome === 'nodata' || outcome === 'nxdomain' || outcome === 'servfail') return []
      throw new UpstreamError('unavailable', `the resolvers did not answer: ${outcome}`)
    }
    const found = await Promise.allSettled([query('A'), query('AAAA')])
    signal.throwIfAborted()
    const answered = found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    // One of the two is enough. If both failed, the addresses are unknown, which is not the same as none.
    if (answered.length === 0) throw (found[0] as PromiseRejectedResult).reason
    return answered.flat()
  }
}

/** Whether a domain has addresses and accepts mail. Throws UpstreamError if the resolvers do not answer. */
export function isInUse(dns: Pick<Dns, 'lookUp'>) {
  return async (domain: string, signal: AbortSignal): Promise<boolean> => {
    const parsed = parseDomain(domain)
    if (!parsed.ok) return false
    try {
      const { records } = await dns.lookUp(parsed.name, signal)
      // A null MX (RFC 7505) says that a domain accepts no mail.
      const hasMail = records.mx.some(({ host }) => host !== '' && host !== '.')
      return hasMail && records.a.length + records.aaaa.length > 0
    } catch (cause) {
      signal.throwIfAborted()
      if (!(cause instanceof ApiError)) throw cause
      if (cause.code === 'domain_not_found') return false
      throw new UpstreamError('unavailable', 'the resolvers did not answer', { cause })
    }
  }
}
