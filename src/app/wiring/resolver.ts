import { getServers } from 'node:dns'
import { networkInterfaces } from 'node:os'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Random } from '../../kernel/random.ts'
import type { ResolveHost } from '../../kernel/upstream/host-addresses.ts'
import { createDnsClient, type DnsClient } from '../../protocols/dns/client.ts'
import { createHostResolver } from '../../protocols/dns/host-resolver.ts'
import { createRecursorClient } from '../../protocols/dns/recursor-client.ts'
import { createRecursorHonesty, trustRecursors } from '../../protocols/dns/recursor-honesty.ts'
import { httpsServer, parseServerAddress, type ServerAddress } from '../../protocols/dns/server-address.ts'
import type { Config } from '../settings/config.ts'
import { openDoh } from './doh.ts'

/** Our DNS client, and the recursors it asks. */
export type Resolver = {
  readonly dns: DnsClient
  readonly recursors: readonly ServerAddress[]
  readonly resolveHost: ResolveHost
  /** Why the last query over HTTPS failed; undefined if it was answered. */
  readonly httpsProblem: () => string | undefined
}

type Needs = {
  readonly config: Pick<Config, 'dnsServers' | 'sandbox' | 'namedHosts' | 'dohUrls'> & Partial<Pick<Config, 'proxy'>>
  readonly clock: Clock
  readonly random: Random
  readonly log: Pick<Log, 'warn'>
}

export function openResolver({ config, clock, random, log }: Needs): Resolver {
  const plain = (config.dnsServers ?? systemResolvers()).map(parseServerAddress)
  const recursors = [...plain, ...config.dohUrls.map(httpsServer)]
  const client = createDnsClient({ clock, random })
  const doh = openDoh({ config, clock, log })
  // The world of the sandbox may have any name.
  const honesty = config.sandbox ? trustRecursors : createRecursorHonesty({ client, clock, random })
  const dns = createRecursorClient({ client, clock, doh, honesty })
  const resolveHost = createHostResolver({ client: dns, recursors, isIPv6Only: () => isIPv6Only(networkInterfaces()) })
  return { dns, recursors, resolveHost, httpsProblem: doh.problem }
}

/** Windows lists these for adapters without a resolver; nothing answers there. */
const SITE_LOCAL_PLACEHOLDER = /^fec0:0:0:ffff::[123](?:%|$)/i

const systemResolvers = (): string[] => getServers().filter((address) => !SITE_LOCAL_PLACEHOLDER.test(address))

/** Whether the machine has an IPv6 address of a network, and none of IPv4. */
export function isIPv6Only(interfaces: ReturnType<typeof networkInterfaces>): boolean {
  const outside = Object.values(interfaces).flatMap((addresses = []) =>
    addresses.filter(({ internal, address }) => !internal && !/^fe80:/i.test(address)),
  )
  return outside.length > 0 && outside.every(({ family }) => family === 'IPv6')
}
