import { isIP } from 'node:net'
import type { Clock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { createUpstream, type Upstream } from '../../kernel/upstream/client.ts'
import { createHostAddresses, type ResolveHost, systemResolver } from '../../kernel/upstream/host-addresses.ts'
import { createDohClient, type DohClient } from '../../protocols/dns/doh.ts'
import type { Config } from '../settings/config.ts'
import { addressPolicy } from './address-policy.ts'
import { USER_AGENT } from './outbound.ts'

type Needs = {
  readonly config: Pick<Config, 'sandbox' | 'namedHosts'> & Partial<Pick<Config, 'proxy'>>
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
}

/** Addresses that these providers publish: where port 53 is closed, their names cannot be looked up. */
const PUBLISHED: Readonly<Record<string, readonly string[]>> = {
  'cloudflare-dns.com': ['1.1.1.1', '1.0.0.1', '2606:4700:4700::1111', '2606:4700:4700::1001'],
  'dns.google': ['8.8.8.8', '8.8.4.4', '2001:4860:4860::8888', '2001:4860:4860::8844'],
  'dns.quad9.net': ['9.9.9.9', '149.112.112.112', '2620:fe::fe', '2620:fe::9'],
}
const PUBLISHED_TTL_MS = 3_600_000

const publishedAddresses: ResolveHost = async (hostname) => {
  const addresses = (PUBLISHED[hostname] ?? []).map((address) => ({ address, family: isIP(address) }))
  return addresses.length === 0 ? null : { addresses, ttlMs: PUBLISHED_TTL_MS }
}

/** DNS over HTTPS. Its connections are opened with the first query: most networks need none. */
export function openDoh({ config, clock, log }: Needs): DohClient & { close(): Promise<void> } {
  const open = (): Upstream => {
    const { lookup } = createHostAddresses({ clock, resolvers: [publishedAddresses, systemResolver] })
    const { named, ...policy } = addressPolicy({ config, log, settings: ['ONOMA_DOH_URLS'] })
    return createUpstream({
      name: 'resolvers over HTTPS',
      userAgent: USER_AGENT,
      clock,
      ...policy,
      ...(named && { named: { ...named, lookup } }),
      lookup,
      proxy: config.proxy ?? undefined,
      failsFast: true,
      timeoutMs: 5_000,
      maxBytes: 65_535,
      connections: 64,
      http1Connections: 16,
      maxQueue: 4096,
    })
  }
  let opened: Upstream | undefined
  // Nobody who is still waiting for an answer could do anything with it: the service is stopping.
  const closing = new AbortController()
  const request: Upstream['request'] = async (one) => {
    const signal = one.signal ? AbortSignal.any([one.signal, closing.signal]) : closing.signal
    return (opened ??= open()).request({ ...one, signal })
  }
  return {
    ...createDohClient({ upstream: { request }, clock }),
    async close() {
      closing.abort(new UpstreamError('unavailable', 'the service is closed'))
      await opened?.close()
    },
  }
}
