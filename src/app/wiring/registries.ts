import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { tldOf } from '../../kernel/names.ts'
import type { HostState } from '../../kernel/pace/host-types.ts'
import { createPacer } from '../../kernel/pace/pacer.ts'
import type { Random } from '../../kernel/random.ts'
import type { QueryRegistry } from '../../kernel/registration.ts'
import { createProxyRules } from '../../kernel/upstream/proxy.ts'
import type { DnsClient } from '../../protocols/dns/client.ts'
import { createDelegationFinder, type DelegationFinder } from '../../protocols/dns/delegation-finder.ts'
import type { ServerAddress } from '../../protocols/dns/server-address.ts'
import { createTldServerRefresh } from '../../protocols/dns/tld-server-refresh.ts'
import { loadTldServers } from '../../protocols/dns/tld-servers.ts'
import { beforeWhois } from '../../protocols/whois43/das/client.ts'
import { DAS_SERVICES, type DasService } from '../../protocols/whois43/das/services.ts'
import { parseBootstrap } from '../../protocols/rdap/bootstrap-file.ts'
import { type Bootstrap, createBootstrap } from '../../protocols/rdap/bootstrap.ts'
import { createRdap } from '../../protocols/rdap/client.ts'
import { fileStore } from '../../protocols/rdap/file-store.ts'
import { createWhois43 } from '../../protocols/whois43/client.ts'
import { createWhoisRegistry } from '../../protocols/whois43/registry.ts'
import type { Catalogue } from '../../tlds/catalogue.ts'
import type { Config } from '../settings/config.ts'
import { createOpenAhead, type OpenAhead } from './open-ahead.ts'
import { type Outbound, PROVIDERS } from './outbound.ts'
import { openResolver, type Resolver } from './resolver.ts'
import { openWhoisServers } from './whois-hosts.ts'

/** Name servers and registries, with rate limits towards each. */
export type Registries = {
  readonly dns: DnsClient
  readonly delegations: DelegationFinder
  readonly recursors: readonly ServerAddress[]
  readonly serversOf: (tld: string) => readonly ServerAddress[]
  readonly bootstrap: Bootstrap
  readonly rdap: QueryRegistry
  readonly whois: QueryRegistry
  /** Asks the availability service of a registry, if it has one, before its WHOIS. */
  readonly beforeWhois: (whois: QueryRegistry) => QueryRegistry
  /** Prepares the RDAP server for what a query to the name servers may be followed by. */
  readonly duringDns: OpenAhead['duringDns']
  /** Asks the server of the bootstrap file, or a registry, for its headers: any answer shows that HTTPS works. Throws UpstreamError. */
  readonly probeHttps: (signal: AbortSignal) => Promise<{ readonly host: string; readonly proxy: string | undefined }>
  /** Why the last DNS query over HTTPS failed; undefined if it was answered. */
  readonly httpsProblem: () => string | undefined
  /** The WHOIS server of a TLD or suffix, `host[:port]`; undefined if it has none. */
  readonly whoisServerOf: (tld: string) => string | undefined
  /** How a server is queried at the moment; undefined if it was not queried recently. */
  readonly paceOf: (server: { source: 'rdap' | 'whois'; server: string }) => HostState | undefined
  /** Uses what an earlier process stored, and starts refreshing it. Starts to load what the settings name by URL. */
  start(): Promise<void>
  /** Resolves when what the settings name by URL was loaded or failed; the start does not wait for it. */
  loaded(): Promise<void>
  close(): Promise<void>
}

type Needs = {
  readonly config: Config
  readonly outbound: Outbound
  readonly catalogue: Catalogue
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Closed together with the registries. */
  readonly resolver?: Pick<Resolver, 'dns' | 'recursors' | 'httpsProblem'>
  readonly timeoutScale?: number
}

/** For one attempt; a lookup may make several. */
const ATTEMPT_TIMEOUT_MS = { rdap: 5_000, whois: 6_000 }
const ROOT_ZONE = 'https://www.internic.net/domain/root.zone'
/** It has 2.3 MB. */
const ROOT_ZONE_TIMEOUT_MS = 120_000
const PROBED_TLD = 'com'
const HTTPS_PROBE_TIMEOUT_MS = 5_000
const ANY_STATUS = Array.from({ length: 400 }, (_, at) => 200 + at)
const IANA_BOOTSTRAP = 'https://data.iana.org/rdap/dns.json'

export function openRegistries(needs: Needs): Registries {
  const { config, outbound, catalogue, clock, random, log, timeoutScale = 1 } = needs
  const upstream = outbound.open('registries', { isInFile: (host) => rdapHosts.has(host), timeoutScale })
  const pacer = createPacer({ clock, random, timeoutScale, maxConcurrent: upstream.maxConcurrent })
  const own = ownBootstrap(config)
  // Hosts in the operator's own file count as named by a setting; those in a downloaded file do not.
  let rdapHosts = own ? hostsOf(own.servers.values()) : new Set<string>()
  const files = createBootstrap({
    bundled: own ?? bundledServers(catalogue),
    overrides: unlistedServers(catalogue),
    load: (signal) => loadText(config.rdapBootstrap ?? IANA_BOOTSTRAP, signal),
    ...(config.rdapBootstrap === null && { store: fileStore(join(config.dataDir, 'rdap-bootstrap.json')) }),
    insecure: config.sandbox,
    clock,
    random,
    log,
  })
  const loadText = async (location: string, signal: AbortSignal | undefined): Promise<string> => {
    if (isUrl(location)) return (await upstream.request({ url: location, signal })).text()
    const text = await readFile(location, 'utf8')
    rdapHosts = hostsOf(readServers(text, config).values())
    return text
  }

  /** Of a TLD, or of a suffix such as `co.uk`, whose registry is that of `uk`. */
  const registryOf = (suffix: string): string => catalogue.find(suffix)?.registry ?? suffix
  const bootstrap: Bootstrap = { ...files, baseFor: (suffix) => files.baseFor(registryOf(suffix)) }

  const { dns, recursors, httpsProblem } = needs.resolver ?? openResolver({ config, clock, random, log })
  const { tldServers: location } = config
  let tldServers = loadTldServers(location === null || isUrl(location) ? {} : readJson('ONOMA_TLD_SERVERS', location))
  let loading = Promise.resolve()
  const fetchTldServers = async (url: string): Promise<void> => {
    try {
      tldServers = loadTldServers((await upstream.request({ url })).json())
    } catch (error) {
      log.warn({ error }, 'The name servers of ONOMA_TLD_SERVERS cannot be loaded; the bundled ones are used.')
    }
  }
  const tldServerRefresh = createTldServerRefresh({
    tlds: catalogue.zones,
    load: async (signal) =>
      (await upstream.request({ url: ROOT_ZONE, timeoutMs: ROOT_ZONE_TIMEOUT_MS, signal })).text(),
    store: fileStore(join(config.dataDir, 'tld-servers.json')),
    onServers: (file) => void (tldServers = loadTldServers({}, file)),
    clock,
    random,
    log,
  })
  // An operator's choice is final, and the sandbox must not reach the real internet.
  const isRefreshed = location === null && !config.sandbox && config.dnsAuthoritative
  const whoisNamed = readWhoisServers(config.whoisServersFile)

  // Port 43 signals rate limits only by silence and bans: a few queries at a time, whatever the server could handle.
  const whoisPacer = createPacer({ clock, random, timeoutScale, maxConcurrent: 4, initialBurst: 4 })
  const namedHosts = new Set(Object.values(whoisNamed).map((server) => server.toLowerCase().replace(/:43$/, '')))
  const policy = outbound.addressPolicy(['ONOMA_WHOIS_SERVERS'], (host) => namedHosts.has(host))
  const whois43 = createWhois43({
    clock,
    ...policy,
    timeoutMs: PROVIDERS.registries.timeoutMs * timeoutScale,
    maxBytes: 256 * 1024,
  })
  const whoisServers = openWhoisServers({ config, catalogue, client: whois43, policy, named: whoisNamed, clock, log })
  const whois = createWhoisRegistry({
    client: whois43,
    pacer: whoisPacer,
    serverOf: whoisServers.serverOf,
    replaceServer: whoisServers.replace,
    knownAs: whoisServers.hostOf,
    clock,
    attemptTimeoutMs: ATTEMPT_TIMEOUT_MS.whois * timeoutScale,
  })

  const attemptTimeoutMs = ATTEMPT_TIMEOUT_MS.rdap * timeoutScale
  const rdap = createRdap({ upstream, pacer, bootstrap, clock, attemptTimeoutMs })
  const openAhead = createOpenAhead({ upstream, pacer, bootstrap })

  return {
    dns,
    recursors,
    delegations: createDelegationFinder({ client: dns, clock, random, recursors }),
    serversOf: (suffix) => (config.dnsAuthoritative ? tldServers.find(tldOf(suffix)) : []),
    bootstrap,
    rdap: openAhead.whileQueued(rdap),
    duringDns: openAhead.duringDns,
    async probeHttps(signal) {
      // An operator who has a file of their own may not want anybody else to be asked.
      const base = config.rdapBootstrap === null ? IANA_BOOTSTRAP : bootstrap.baseFor(PROBED_TLD)
      const url = new URL(isUrl(config.rdapBootstrap ?? '') ? config.rdapBootstrap! : (base ?? IANA_BOOTSTRAP))
      await upstream.request({ url, method: 'HEAD', accept: ANY_STATUS, signal, timeoutMs: HTTPS_PROBE_TIMEOUT_MS })
      const proxy = config.sandbox ? undefined : createProxyRules(config.proxy ?? undefined)(url)?.host
      return { host: url.host, proxy }
    },
    httpsProblem,
    whois: (target, options) => {
      whoisServers.used(target.tld)
      return whois(target, options)
    },
    beforeWhois: (query) =>
      beforeWhois(
        {
          serviceOf: availabilityServices(registryOf, whoisNamed),
          policy,
          upstream,
          pacer: whoisPacer,
          clock,
          random,
          timeoutScale,
        },
        query,
      ),
    whoisServerOf: whoisServers.serverOf,
    paceOf: ({ source, server }) => (source === 'rdap' ? pacer : whoisPacer).state(server),
    async start() {
      if (location !== null && isUrl(location)) loading = fetchTldServers(location)
      await Promise.all([bootstrap.start(), whoisServers.start(), ...(isRefreshed ? [tldServerRefresh.start()] : [])])
    },
    loaded: () => loading,
    async close() {
      bootstrap.close()
      whoisServers.close()
      tldServerRefresh.close()
      dns.close()
      await upstream.close()
    },
  }
}

const bundledServers = (catalogue: Catalogue) => ({
  publication: Date.parse(catalogue.sources.bootstrap),
  servers: new Map(
    [...catalogue.tlds, ...catalogue.secondLevel]
      .filter(({ rdapFrom }) => rdapFrom === 'iana')
      .map(({ registry, rdapServer }) => [registry, rdapServer]),
  ),
})

/** The operator's bootstrap file, loaded before the first lookup; undefined for a URL, which `start` loads. */
function ownBootstrap(config: Config) {
  const { rdapBootstrap: location } = config
  if (location === null || isUrl(location)) return undefined
  try {
    const text = readFileSync(location, 'utf8')
    return { publication: parseBootstrap(text).publication, servers: readServers(text, config) }
  } catch (cause) {
    throw new Error(`ONOMA_RDAP_BOOTSTRAP names a file that cannot be used: ${location}`, { cause })
  }
}

const readServers = (text: string, { sandbox }: Config): Map<string, string> => {
  const { bases } = parseBootstrap(text, { insecure: sandbox })
  return new Map([...bases].map(([tld, [base]]) => [tld, base!]))
}

const hostsOf = (urls: Iterable<string>): Set<string> => new Set([...urls].map((url) => new URL(url).host))

const isUrl = (location: string): boolean => /^https?:\/\//.test(location)

/** Servers IANA does not list, or lists without https, which a refreshed file leaves out. */
const unlistedServers = (catalogue: Catalogue) =>
  new Map(
    catalogue.tlds
      .filter(({ rdapFrom, rdapServer }) => rdapFrom === 'ours' || rdapServer.startsWith('http:'))
      .map(({ tld, rdapServer }) => [tld, rdapServer]),
  )

/**
 * The availability service of a suffix. `"be:das"` in ONOMA_WHOIS_SERVERS names another server, or `off`. If the file
 * names only the WHOIS server of the registry, the service is not asked: that server is meant to see all queries.
 */
const availabilityServices =
  (registryOf: (suffix: string) => string, named: Readonly<Record<string, string>>) =>
  (suffix: string): DasService | undefined => {
    const registry = registryOf(suffix)
    const service = DAS_SERVICES.get(registry)
    const server = named[`${registry}:das`]
    if (!service || server === 'off') return undefined
    if (server !== undefined) return { ...service, server }
    return named[registry] === undefined && named[suffix] === undefined ? service : undefined
  }

const WhoisServers = z.record(z.string(), z.string().regex(/^[a-z0-9.-]+(?::\d{1,5})?$/i, 'must be host or host:port'))

function readWhoisServers(path: string | null): Readonly<Record<string, string>> {
  const parsed = WhoisServers.safeParse(readJson('ONOMA_WHOIS_SERVERS', path))
  if (parsed.success) return parsed.data
  const { path: at, message } = parsed.error.issues[0]!
  throw new Error(
    `The file named by ONOMA_WHOIS_SERVERS is not valid at ${at.map(String).join('.') || 'its top level'}: ${message}`,
  )
}

function readJson(setting: string, path: string | null): unknown {
  if (path === null) return {}
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new Error(`${setting} names a file that cannot be read or is not JSON: ${path}`, { cause })
  }
}
