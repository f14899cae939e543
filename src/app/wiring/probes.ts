import type { Ens } from '../../ens/service.ts'
import type { DnsRequest } from '../../protocols/dns/client.ts'
import type { Probe } from './parts.ts'
import type { Registries } from './registries.ts'

/** Any zone would do; this one is asked most. */
const ZONE = 'com'
const TIMEOUT_MS = 3_000

/** Asks upstreams whether they answer. Each throws a sentence for clients if they do not. */
export function createProbes({ dns, recursors, serversOf }: Registries, ens: Pick<Ens, 'health'>) {
  const query = async (request: Pick<DnsRequest, 'servers' | 'recursion'>, signal: AbortSignal, problem: string) => {
    const { server } = await dns.query({
      name: ZONE,
      type: 'SOA',
      zone: ZONE,
      timeoutMs: TIMEOUT_MS,
      ...request,
      signal,
    })
    if (server === null) throw new Error(problem)
  }
  const resolvers: Probe = async (signal) => {
    if (recursors.length === 0) throw new Error('No resolver is configured.')
    await query({ servers: recursors, recursion: true }, signal, 'The resolvers do not answer.')
  }
  const nameServers: Probe = async (signal) => {
    const servers = serversOf(ZONE)
    // The operator has turned them off.
    if (servers.length === 0) return
    await query({ servers, recursion: false }, signal, `The name servers of .${ZONE} do not answer.`)
  }
  const ethereum: Probe = async (signal) => {
    const { ens: found } = await ens.health(signal)
    if (found.status !== 'ok') throw new Error(`ENS: ${found.status}.`)
  }
  return { resolvers, nameServers, ethereum }
}
