import { getServers } from 'node:dns'
import type { Clock } from '../../kernel/clock.ts'
import type { Random } from '../../kernel/random.ts'
import type { ResolveHost } from '../../kernel/upstream/host-addresses.ts'
import { createDnsClient, type DnsClient } from '../../protocols/dns/client.ts'
import { createHostResolver } from '../../protocols/dns/host-resolver.ts'
import { parseServerAddress, type ServerAddress } from '../../protocols/dns/server-address.ts'
import type { Config } from '../settings/config.ts'

/** Our DNS client, and the recursors it asks. */
export type Resolver = {
  readonly dns: DnsClient
  readonly recursors: readonly ServerAddress[]
  readonly resolveHost: ResolveHost
}

type Needs = { readonly config: Pick<Config, 'dnsServers'>; readonly clock: Clock; readonly random: Random }

export function openResolver({ config, clock, random }: Needs): Resolver {
  const recursors = (config.dnsServers ?? getServers()).map(parseServerAddress)
  const dns = createDnsClient({ clock, random })
  return { dns, recursors, resolveHost: createHostResolver({ client: dns, recursors }) }
}
