import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { HostState } from '../../kernel/pace/host-types.ts'
import { createPacer } from '../../kernel/pace/pacer.ts'
import type { Random } from '../../kernel/random.ts'
import type { QueryRegistry } from '../../kernel/registration.ts'
import { createProxyRules } from '../../kernel/upstream/proxy.ts'
import type { DnsClient } from '../../protocols/dns/client.ts'
import { createDelegationFinder, type DelegationFinder } from '../../protocols/dns/delegation-finder.ts'
import type { ServerAddress } from '../../protocols/dns/server-address.ts'
import { loadTldServers } from '../../protocols/dns/tld-servers.ts'
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

/** Name servers and registries, with rate limits towards each. */
export type Registries = {
  readonly dns: DnsClient
  readonly delegations: DelegationFinder
  readonly recursors: readonly ServerAddress[]
  readonly serversOf: (tld: string) => readonly ServerAddress[]
  readonly bootstrap: Bootstrap
  readonly rdap: QueryRegistry
  readonly whois: QueryRegistry
  /** Prepares the RDAP server for what a query to the name servers may be followed by. */
  readonly duringDns: OpenAhead['duringDns']
  /** Asks the server of the bootstrap file, or a registry, for its headers: any answer shows that HTTPS works. Throws UpstreamError. */
  readonly probeHttps: (signal: AbortSignal) => Promise<{ readonly host: string; readonly proxy: string | undefined }>
  /** Why the last DNS query over HTTPS failed; undefined if it was answered. */
  readonly httpsProblem: () => string | undefined
  /** The WHOIS server of a TLD, `host[:port]`; undefined if it has none. */
  readonly whoisServerOf: (tld: string) => string | undefined
  /** How a server is queried at the moment; undefined if it was not queried recently. */
  readonly paceOf: (server: { source: 'rdap' | 'whois'; server: string }) => HostState | undefined
  /** Uses the stored bootstrap file and starts refreshing it. Starts to load what the settings name by URL. */
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
  const bootstrap = createBootstrap({
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
  const whoisServers = readWhoisServers(config.whoisServersFile)
  const whoisServerOf = (tld: string): string | undefined =>
    whoisServers[tld] ?? catalogue.find(tld)?.whoisServer ?? undefined

  // Port 43 signals rate limits only by silence and bans: a few queries at a time, whatever the server could handle.
  const whoisPacer = createPacer({ clock, random, timeoutScale, maxConcurrent: 4, initialBurst: 4 })
  const namedWhois = new Set(Object.values(whoisServers).map((server) => server.toLowerCase().replace(/:43$/, '')))
  const whois43 = createWhois43({
    clock,
    ...outbound.addressPolicy(['ONOMA_WHOIS_SERVERS'], (host) => namedWhois.has(host)),
    timeoutMs: PROVIDERS.registries.timeoutMs * timeoutScale,
    maxBytes: 256 * 1024,
  })

  const attemptTimeoutMs = ATTEMPT_TIMEOUT_MS.rdap * timeoutScale
  const rdap = createRdap({ upstream, pacer, bootstrap, clock, attemptTimeoutMs })
  const openAhead = createOpenAhead({ upstream, pacer, bootstrap })

  return {
    dns,
    recursors,
    delegations: createDelegationFinder({ client: dns, clock, random, recursors }),
    serversOf: (tld) => (config.dnsAuthoritative ? tldServers.find(tld) : []),
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
    whois: createWhoisRegistry({
      client: whois43,
      pacer: whoisPacer,
      serverOf: whoisServerOf,
      knownAs: (tld) => catalogue.find(tld)?.whoisServer ?? undefined,
      clock,
      attemptTimeoutMs: ATTEMPT_TIMEOUT_MS.whois * timeoutScale,
    }),
    whoisServerOf,
    paceOf: ({ source, server }) => (source === 'rdap' ? pacer : whoisPacer).state(server),
    async start() {
      if (location !== null && isUrl(location)) loading = fetchTldServers(location)
      await bootstrap.start()
    },
    loaded: () => loading,
    async close() {
      bootstrap.close()
      dns.close()
      await upstream.close()
    },
  }
}

const bundledServers = (catalogue: Catalogue) => ({
  publication: Date.parse(catalogue.sources.bootstrap),
  servers: new Map(
    catalogue.tlds.filter(({ rdapFrom }) => rdapFrom === 'iana').map(({ tld, rdapServer }) => [tld, rdapServer]),
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
