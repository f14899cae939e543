import { readFileSync } from 'node:fs'
import packageJson from '../../package.json' with { type: 'json' }
import { aftermarketRoutes } from '../aftermarket/routes.ts'
import { createAftermarket } from '../aftermarket/service.ts'
import { createRegistryHealth } from '../availability/registry-health.ts'
import { availabilityRoutes } from '../availability/routes.ts'
import { createAvailability } from '../availability/service.ts'
import { dnsProbe } from '../availability/sources/dns.ts'
import { registryProbe } from '../availability/sources/registry.ts'
import { routeOf } from '../availability/verdict.ts'
import { dnsRoutes } from '../dns/routes.ts'
import { createDns } from '../dns/service.ts'
import { recursorResolver } from '../dns/sources/recursors.ts'
import { ensListenerRoutes, ensRoutes } from '../ens/routes.ts'
import { createEns } from '../ens/service.ts'
import { createTokens } from '../ens/registration-token.ts'
import { healthRoutes } from '../health/routes.ts'
import { type Clock, systemClock } from '../kernel/clock.ts'
import type { Route } from '../kernel/endpoint.ts'
import { createLimit } from '../kernel/limit.ts'
import type { Screenshots } from '../intel/screenshots.ts'
import type { Log } from '../kernel/log.ts'
import { type Random, secureRandom } from '../kernel/random.ts'
import { bundledRegistrars, loadRegistrars } from '../registrars/links.ts'
import { registrarRoutes } from '../registrars/routes.ts'
import { loadCatalogue } from '../tlds/catalogue.ts'
import { tldRoutes } from '../tlds/routes.ts'
import { intelRoutes } from '../intel/routes.ts'
import { createIntel } from '../intel/service.ts'
import { presenceRoutes } from '../presence/routes.ts'
import { createPresence } from '../presence/service.ts'
import { valuationRoutes } from '../valuation/routes.ts'
import { createValuations } from '../valuation/service.ts'
import { createDescriber } from '../valuation/describe.ts'
import type { SalesBook } from '../valuation/sales-book.ts'
import { openSalesBook } from '../valuation/sources/sales-book.ts'
import { starterSales } from '../valuation/sources/starter.ts'
import { bundledAppraiser, bundledWords } from '../valuation/sources/bundled.ts'
import { trademarkRoutes } from '../trademark/routes.ts'
import { createTrademarks } from '../trademark/service.ts'
import { openTrademarkRecords } from './trademark-records.ts'
import { openIndex } from '../trademark/sources/index.ts'
import { createWhois } from '../whois/service.ts'
import { whoisRoutes } from '../whois/routes.ts'
import { openAuctions } from './auctions.ts'
import { addressesOf, hostingOf, isRegisteredAsCom, recordsOf, standingOf, stateOf } from './asking.ts'
import { openBrowser } from './browser.ts'
import type { Config } from './config.ts'
import { openEngines } from './engines.ts'
import { openEthereum } from './ethereum.ts'
import { loadKeys } from './keys.ts'
import { openMarketplaces } from './marketplaces.ts'
import { openRegistries } from './registries.ts'
import { wait } from './wait.ts'

export const version: string = packageJson.version

/** Every capability, created and connected; doors read the routes. */
export type Capabilities = {
  readonly routes: readonly Route[]
  readonly screenshots: Pick<Screenshots, 'get'>
  /** Those of the second base address. */
  readonly ensListenerRoutes: readonly Route[]
  /** Begins what goes on in the background of a service; a single command does without. */
  start(): Promise<void>
  /** Where the service is, once that is known: the start of the links it gives out. */
  servedAt(publicUrl: string): void
  close(): Promise<void>
}

type World = {
  readonly clock?: Clock
  readonly random?: Random
  readonly log?: Log
  /** Multiplies the timeouts of questions about names: what is true must not depend on how busy a machine is. */
  readonly timeoutScale?: number
}

export function composeRoutes(
  config: Config,
  { clock = systemClock, random = secureRandom, log = silentLog, timeoutScale = 1 }: World = {},
): Capabilities {
  let address = config.publicUrl
  const catalogue = loadCatalogue()
  const registries = openRegistries({ config, catalogue, version, clock, random, log, timeoutScale })
  const registryHealth = createRegistryHealth(clock)
  const rdapServerOf = (tld: string) => hostOf(registries.bootstrap.baseFor(tld) ?? '')
  const whoisServerOf = (tld: string) => registries.whoisServerOf(tld) ?? ''
  const ask = {
    rdap: registryHealth.watch('rdap', registries.rdap, rdapServerOf),
    whois: registryHealth.watch('whois', registries.whois, whoisServerOf),
  }
  const wayOf = (tld: string) => routeOf(catalogue.find(tld)!, rdapServerOf(tld) !== '', whoisServerOf(tld) !== '')
  const availability = createAvailability({
    probes: {
      dns: dnsProbe({ ...registries, isDecisive: (tld) => wayOf(tld).lookup === 'dns', clock, timeoutScale }),
      rdap: registryProbe('rdap', ask.rdap, clock),
      whois: registryProbe('whois', ask.whois, clock),
    },
    routeOf: wayOf,
    clock,
  })
  const whois = createWhois({
    suffixes: catalogue.suffixes,
    canBeAsked: (tld) => rdapServerOf(tld) !== '' || whoisServerOf(tld) !== '',
    findRecord: recordsOf(availability),
    timeoutScale,
  })
  const dns = createDns({
    resolver: recursorResolver({ client: registries.dns, recursors: registries.recursors, clock, timeoutScale }),
    clock,
  })
  const ethereum = openEthereum({ config, version, clock, log })
  // Made at the first need: most commands have no use for a key, and should leave no file behind.
  const keys = once(() => loadKeys({ config, random, log }))
  const ensTokens = once(() => createTokens({ keys: keys(), clock, random }))
  const ens = createEns({
    ...ethereum,
    tokens: { issue: (registration) => ensTokens().issue(registration), open: (token) => ensTokens().open(token) },
    clock,
    random,
  })
  const marketplaces = openMarketplaces({ config, version, registries, clock, log })
  const aftermarket = createAftermarket({ ...marketplaces, clock })
  const auctions = openAuctions({ config, version, clock, random, log })
  const state = stateOf({ availability, suffixes: catalogue.suffixes })
  const engines = openEngines({ config, version, clock, log })
  const words = once(bundledWords)
  const presence = createPresence({
    ...engines,
    isRegistered: isRegisteredAsCom(state),
    commonnessOf: (word) => commonness(words().place(word), words().text.length),
    clock,
    random,
  })
  let openSales: SalesBook | undefined
  const sales = () =>
    (openSales ??= openSalesBook({
      folder: config.dataDir,
      starter: starterSales(createDescriber(words())),
      onTrouble: (error) =>
        log.warn({ error }, 'Imported sales cannot be used; comparables come from the starter set.'),
    }))
  const valuations = createValuations({
    appraiser: once(bundledAppraiser),
    sales,
    suffixes: catalogue.suffixes,
    clock,
  })
  const looking = openBrowser({
    config,
    version,
    clock,
    random,
    log,
    resolve: addressesOf(registries.dns, registries.recursors),
    secret: () => keys()[0]!,
  })
  const intel = createIntel({
    ...looking,
    standingOf: standingOf({ availability, suffixes: catalogue.suffixes }),
    hostingOf: hostingOf(dns, catalogue.suffixes),
    urlOf: (id) => `${address}/screenshots/${id}.jpg`,
    log,
  })
  const trademarkIndex = openTrademarks(config, log)
  const trademarkRecords = openTrademarkRecords({ config, version, clock, log })
  const { registrarsFile } = config
  const registrars = registrarsFile
    ? loadRegistrars(readSettingFile('ONOMA_REGISTRARS', registrarsFile))
    : bundledRegistrars()
  const legacyTurns = createLimit({ name: 'legacy checks', concurrent: 4, queue: 64 })
  const routes = [
    ...availabilityRoutes({ availability, catalogue, clock, wait, health: registryHealth, legacyTurns, timeoutScale }),
    ...tldRoutes(catalogue),
    ...registrarRoutes({ registrars, suffixes: catalogue.suffixes, clock }),
    ...aftermarketRoutes(aftermarket),
    ...auctions.routes,
    ...presenceRoutes(presence),
    ...intelRoutes(intel),
    ...valuationRoutes(valuations),
    ...whoisRoutes(whois),
    ...dnsRoutes(dns),
    ...ensRoutes({ ens, clock }),
    ...trademarkRoutes(createTrademarks({ index: () => trademarkIndex, clock, enrich: trademarkRecords.enrich })),
    ...healthRoutes({
      version,
      tlds: catalogue.all,
      cacheSize: () => availability.size + dns.size + aftermarket.size + presence.size,
    }),
  ]
  return {
    routes,
    screenshots: looking.screenshots,
    ensListenerRoutes: ensListenerRoutes({ ens, clock }),
    async start() {
      looking.start()
      auctions.start()
      // Nobody waits for it here: until it is read, a question does.
      trademarkIndex?.ready().catch((error: unknown) => log.error({ error }, 'The trademark index cannot be read.'))
      await Promise.all([registries.start(), ethereum.start()])
    },
    servedAt(publicUrl) {
      address = publicUrl
    },
    async close() {
      openSales?.close()
      await Promise.all([
        registries.close(),
        ethereum.close(),
        marketplaces.close(),
        engines.close(),
        auctions.close(),
        looking.close(),
        trademarkIndex?.close(),
        trademarkRecords.close(),
      ])
    },
  }
}

/** What is made at its first use, and then kept. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** 1 for the most used word of a list in the order of use, 0 for the last and for those not in it. */
const commonness = (place: number, words: number): number =>
  place < 0 ? 0 : Math.max(0, 1 - Math.log(place + 1) / Math.log(words + 1))

/** Asked several times for every name, of a few hundred servers. */
function hostOf(base: string): string {
  const known = hosts.get(base)
  if (known !== undefined) return known
  const host = URL.parse(base)?.host ?? ''
  hosts.set(base, host)
  return host
}
const hosts = new Map<string, string>()

/** A damaged index closes this capability, not the others. */
function openTrademarks({ trademarkIndex }: Config, log: Log) {
  try {
    return openIndex(trademarkIndex, {
      onTrouble: (error) => log.error({ error }, 'A newer trademark index cannot be used; the one before is searched.'),
    })
  } catch (error) {
    log.error({ error }, 'The trademark index cannot be used; trademark search is closed.')
    return null
  }
}

const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

function readSettingFile(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`${setting} names a file that cannot be read: ${path}`, { cause })
  }
}
