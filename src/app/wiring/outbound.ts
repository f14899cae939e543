import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { createUpstream, type Upstream } from '../../kernel/upstream/client.ts'
import type { AddressPolicy, HostLookup } from '../../kernel/upstream/guard.ts'
import { createHostAddresses, type ResolveHost, systemResolver } from '../../kernel/upstream/host-addresses.ts'
import { hostsFilePath, localNames } from '../../kernel/upstream/hosts-file.ts'
import type { ProxySettings } from '../../kernel/upstream/proxy.ts'
import type { Config } from '../settings/config.ts'
import { version } from '../version.ts'
import { addressPolicy } from './address-policy.ts'

/** What every outbound connection has in common; each provider adds its own limits below. */
export type Outbound = {
  /** Opens an HTTP client for one provider. The caller closes it. */
  open(provider: Provider, options?: OpenOptions): Upstream
  /** The address rules, the DNS lookup and the proxies for connections that are not made by `open`: WHOIS, downloads. */
  addressPolicy(settings: readonly string[], isInFile?: (host: string) => boolean): GuardedLookup
}

type GuardedLookup = AddressPolicy & { readonly lookup?: HostLookup; readonly proxy?: ProxySettings }

type OpenOptions = {
  /** Whether a file that one of the provider's settings names contains the host. */
  readonly isInFile?: (host: string) => boolean
  /** Multiplies the deadline. */
  readonly timeoutScale?: number
  /** Reach loopback addresses only, whatever the settings name. */
  readonly loopbackOnly?: boolean
}

export type Provider = keyof typeof PROVIDERS

/** How the service names itself to every server it asks. */
export const USER_AGENT = `onoma/${version}`

const MEGABYTE = 1024 * 1024

/** For each provider the settings that name its hosts, and the limits of one request and of one host. */
export const PROVIDERS = {
  registries: {
    settings: ['ONOMA_RDAP_BOOTSTRAP', 'ONOMA_TLD_SERVERS'],
    timeoutMs: 10_000,
    maxBytes: 4 * MEGABYTE,
    connections: 100,
    http1Connections: 42,
    maxQueue: 20_000,
  },
  ethereum: {
    settings: ['ONOMA_ETH_RPC_URLS'],
    failsFast: true,
    timeoutMs: 8_000,
    maxBytes: 4 * MEGABYTE,
    connections: 64,
    maxQueue: 2_000,
  },
  payments: {
    settings: ['ONOMA_X402_RPC_URLS', 'ONOMA_X402_FACILITATOR_URL', 'ONOMA_MPP_RPC_URLS'],
    timeoutMs: 10_000,
    maxBytes: 4 * MEGABYTE,
    connections: 64,
    maxQueue: 2_000,
  },
  marketplaces: {
    settings: ['ONOMA_AFTERMARKET_SOURCE_A_URL', 'ONOMA_AFTERMARKET_SOURCE_C_URL', 'ONOMA_AFTERMARKET_SOURCE_D_URL'],
    failsFast: true,
    timeoutMs: 15_000,
    maxBytes: MEGABYTE,
    connections: 8,
    maxQueue: 256,
  },
  // Dynadot works on one request of a regular account at a time.
  'second marketplace': {
    settings: ['ONOMA_AFTERMARKET_SOURCE_B_URL'],
    failsFast: true,
    timeoutMs: 15_000,
    maxBytes: MEGABYTE,
    connections: 1,
    maxQueue: 64,
  },
  registrar: {
    settings: ['ONOMA_PRICES_URL', 'ONOMA_PREMIUM_URL'],
    timeoutMs: 30_000,
    maxBytes: 4 * MEGABYTE,
    connections: 2,
    maxQueue: 8,
  },
  engines: {
    settings: ['ONOMA_ENGINE_A_URL', 'ONOMA_ENGINE_B_URL'],
    failsFast: true,
    timeoutMs: 15_000,
    maxBytes: 4 * MEGABYTE,
    connections: 8,
    maxQueue: 256,
  },
  screenshots: {
    settings: ['ONOMA_SCREENSHOTS_S3_URL'],
    timeoutMs: 10_000,
    maxBytes: 16 * MEGABYTE,
    connections: 8,
    maxQueue: 64,
  },
  'trademark records': {
    settings: ['ONOMA_TRADEMARK_ENRICHMENT_URL'],
    failsFast: true,
    timeoutMs: 10_000,
    maxBytes: 4 * MEGABYTE,
    connections: 4,
    maxQueue: 256,
  },
  'trademark office': {
    settings: ['ONOMA_TRADEMARK_OFFICE_URL'],
    timeoutMs: 60_000,
    maxBytes: MEGABYTE,
    connections: 1,
    maxQueue: 4,
  },
} as const

type Needs = {
  readonly config: Pick<Config, 'sandbox' | 'namedHosts'> & Partial<Pick<Config, 'proxy'>>
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
  /** Resolves public host names; without it the system does. */
  readonly resolveHost?: ResolveHost
}

/** Decides once how the service reaches the outside: user agent, allowed addresses, deadlines, sizes, connections. */
export function createOutbound({ config, clock, log, resolveHost }: Needs): Outbound {
  const hostsFile = hostsFilePath(process.platform, process.env['SystemRoot'])
  const own = resolveHost ? [resolveHost] : []
  // Hosts of the internet are resolved by our own client, which can do many at once. A host that an operator named may
  // be known to the system only (a container network, a search domain, a resolver inside a company), so it comes first.
  const { lookup } = createHostAddresses({
    clock,
    resolvers: [localNames({ system: systemResolver, path: hostsFile }), ...own, systemResolver],
  })
  const { lookup: lookupNamed } = createHostAddresses({ clock, resolvers: [systemResolver, ...own] })
  const guarded = ({ named, ...policy }: AddressPolicy): GuardedLookup => ({
    ...policy,
    ...(named && { named: { ...named, lookup: lookupNamed } }),
    lookup,
  })
  // The sandbox and play money are on this machine, and nothing they do may leave it.
  const proxyFor = (isLocal: boolean) => (config.proxy && !isLocal ? { proxy: config.proxy } : {})
  return {
    open(provider, { isInFile, timeoutScale = 1, loopbackOnly = config.sandbox } = {}) {
      const { settings, timeoutMs, ...limits } = PROVIDERS[provider]
      return createUpstream({
        name: provider,
        userAgent: USER_AGENT,
        clock,
        ...guarded(addressPolicy({ config: { ...config, sandbox: loopbackOnly }, log, settings, isInFile })),
        ...proxyFor(loopbackOnly),
        ...limits,
        timeoutMs: timeoutMs * timeoutScale,
      })
    },
    addressPolicy: (settings, isInFile) => ({
      ...guarded(addressPolicy({ config, log, settings, isInFile })),
      ...proxyFor(config.sandbox),
    }),
  }
}
