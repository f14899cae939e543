import type { Clock } from '../../src/kernel/clock.ts'
import type { DomainName } from '../../src/kernel/names.ts'
import type { Pacer } from '../../src/kernel/pace/pacer.ts'
import type { QueryRegistry, Registration } from '../../src/kernel/registration.ts'
import type { Upstream } from '../../src/kernel/upstream/client.ts'
import type { DelegationFinder } from '../../src/protocols/dns/delegation-finder.ts'
import type { ServerAddress } from '../../src/protocols/dns/server-address.ts'
import type { Bootstrap } from '../../src/protocols/rdap/bootstrap.ts'
import { createRdap } from '../../src/protocols/rdap/client.ts'
import type { Whois43 } from '../../src/protocols/whois43/client.ts'
import { createWhoisRegistry } from '../../src/protocols/whois43/registry.ts'
import type { Catalogue, Tld } from '../../src/tlds/catalogue.ts'
import { type NameNeeds, namesUnder } from './names.ts'
import { type Probe, UnexpectedShape } from './probe.ts'

type Needs = NameNeeds & {
  readonly catalogue: Catalogue
  readonly clock: Clock
  readonly upstream: Pick<Upstream, 'request'>
  readonly whois: Whois43
  readonly bootstrap: Pick<Bootstrap, 'baseFor'>
  readonly whoisServerOf: (tld: string) => string | undefined
  readonly serversOf: (tld: string) => readonly ServerAddress[]
  readonly delegations: DelegationFinder
  /** How many servers to ask per protocol. */
  readonly count: number
}

const ATTEMPT_TIMEOUT_MS = 8_000

/** Registries over RDAP and WHOIS, and name servers of TLDs: a taken name and a free one each. */
export function registryProbes(needs: Needs): Probe[] {
  const { catalogue, bootstrap, whoisServerOf, serversOf, count } = needs
  const known = catalogue.tlds.filter(({ enabled }) => enabled).toSorted(byPopularity)
  // The catalogue names the real server, whatever the settings put in its place.
  const rdap = oneOfEachServer(known, ({ rdapServer }) => rdapServer && new URL(rdapServer).host)
  // TLDs without RDAP first: nothing else can answer for them.
  const [withRdap, withoutRdap] = [known.filter(hasRdap), known.filter((tld) => !hasRdap(tld))]
  const whois = [withoutRdap, withRdap].flatMap((tlds) => oneOfEachServer(tlds, ({ whoisServer }) => whoisServer ?? ''))
  return [
    ...rdap
      .slice(0, count)
      .map(({ tld }) => rdapProbe(tld, new URL(bootstrap.baseFor(tld) ?? 'about:blank').host, needs)),
    ...whois.slice(0, count).map(({ tld }) => whoisProbe(tld, whoisServerOf(tld) ?? '', needs)),
    ...rdap.slice(0, count).map(({ tld }) => dnsProbe(tld, serversOf(tld), needs)),
  ]
}

const byPopularity = (a: Tld, b: Tld): number =>
  Number(b.categories.includes('top20')) - Number(a.categories.includes('top20'))

const hasRdap = ({ rdapServer }: Tld): boolean => rdapServer !== ''

/** The first TLD of each server, the servers with most TLDs first. */
function oneOfEachServer(tlds: readonly Tld[], serverOf: (tld: Tld) => string): Tld[] {
  const byServer = Map.groupBy(
    tlds.filter((tld) => serverOf(tld) !== ''),
    serverOf,
  )
  return [...byServer.values()].toSorted((a, b) => b.length - a.length).map(([first]) => first!)
}

const rdapProbe = (tld: string, host: string, needs: Needs): Probe => ({
  group: 'RDAP',
  provider: `.${tld}`,
  host,
  run: (recorder, signal) =>
    askBoth(
      createRdap({
        ...needs,
        upstream: recorder.upstream(needs.upstream),
        pacer: unpaced,
        attemptTimeoutMs: ATTEMPT_TIMEOUT_MS,
      }),
      tld,
      needs,
      signal,
    ),
})

const whoisProbe = (tld: string, server: string, needs: Needs): Probe => ({
  group: 'WHOIS',
  provider: `.${tld}`,
  host: server,
  run: (recorder, signal) =>
    askBoth(
      createWhoisRegistry({
        client: recorder.whois(needs.whois),
        pacer: unpaced,
        serverOf: () => server,
        knownAs: () => needs.catalogue.find(tld)?.whoisServer ?? undefined,
        clock: needs.clock,
        attemptTimeoutMs: ATTEMPT_TIMEOUT_MS,
      }),
      tld,
      needs,
      signal,
    ),
})

/** Each host is asked twice, a name at a time: there is nothing to pace. */
const unpaced: Pick<Pacer, 'run'> = {
  run: (_host, send, { signal = new AbortController().signal, timeoutMs = ATTEMPT_TIMEOUT_MS } = {}) =>
    send({ signal, timeoutMs }),
}

/** Asks for the taken name, then for a free one. */
async function askBoth(query: QueryRegistry, tld: string, needs: Needs, signal: AbortSignal): Promise<string> {
  const ask = async (domain: DomainName) => {
    const deadline = needs.clock.monotonic() + ATTEMPT_TIMEOUT_MS
    return (await query({ domain, tld }, { signal, deadline, lane: 'probe' })).answer
  }
  const { taken, free } = namesUnder(tld, needs)
  const first = await ask(taken)
  if (first.kind === 'unclear') throw new UnexpectedShape(`${taken} is registered, and reads as unclear: ${first.said}`)
  if (first.kind === 'available') throw new UnexpectedShape(`${taken} is registered, and reads as available.`)
  const second = await ask(free)
  if (second.kind !== 'available') {
    const reading = second.kind === 'unclear' ? `unclear: ${second.said}` : second.kind
    throw new UnexpectedShape(`${free} is free, and reads as ${reading}.`)
  }
  if (first.kind === 'reserved') return `${taken} reserved, ${free} available`
  const fields = fieldsOf(first.registration)
  if (fields.length === 0) throw new UnexpectedShape(`The record of ${taken} has none of the fields that we read.`)
  return `${taken} registered (${fields.join(', ')}), ${free} available`
}

const fieldsOf = ({ registrar, dates, nameservers, status }: Registration): string[] => [
  ...(registrar?.name === undefined ? [] : ['registrar']),
  ...(dates?.created === undefined ? [] : ['created']),
  ...(dates?.expires === undefined ? [] : ['expires']),
  ...(nameservers.length === 0 ? [] : ['name servers']),
  ...(status.length === 0 ? [] : ['status']),
]

const dnsProbe = (tld: string, servers: readonly ServerAddress[], needs: Needs): Probe => ({
  group: 'DNS',
  provider: `.${tld}`,
  host: `name servers of .${tld}`,
  async run(recorder, signal) {
    const { taken, free } = namesUnder(tld, needs)
    const find = async (domain: string) => {
      const found = await needs.delegations.find({
        domain,
        zone: tld,
        servers,
        insist: true,
        timeoutMs: ATTEMPT_TIMEOUT_MS,
        signal,
      })
      const { server, question, rcode } = found.evidence
      if (rcode === null)
        throw new Error(`no name server of .${tld} answers: ${'why' in found ? found.why : found.kind}`)
      recorder.record(`${server}: ${question}`, rcode, found.kind)
      return found
    }
    const [first, second] = [await find(taken), await find(free)]
    if (first.kind !== 'delegated') throw new UnexpectedShape(`${taken} has name servers, and reads as ${first.kind}.`)
    if (second.kind !== 'not_delegated') throw new UnexpectedShape(`${free} is free, and reads as ${second.kind}.`)
    const isDirect = !first.viaRecursor && !second.viaRecursor
    return isDirect
      ? `referral and ${second.evidence.rcode}`
      : 'answered by a resolver only: outgoing port 53 may be blocked'
  },
})
