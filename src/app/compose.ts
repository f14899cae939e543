import { aftermarketRoutes } from '../aftermarket/routes.ts'
import { createAftermarket } from '../aftermarket/service.ts'
import { createRegistryHealth } from '../availability/registry-health.ts'
import { createLegacyTurns } from '../availability/legacy-turns.ts'
import { availabilityRoutes } from '../availability/routes.ts'
import { createAvailability } from '../availability/service.ts'
import { dnsProbe } from '../availability/sources/dns.ts'
import { registryProbe } from '../availability/sources/registry.ts'
import { createLookupPolicy } from '../availability/verdict.ts'
import { dnsRoutes } from '../dns/routes.ts'
import { dossierRoutes } from '../dossier/routes.ts'
import { createDns } from '../dns/service.ts'
import { recursorResolver } from '../dns/sources/recursors.ts'
import { ensListenerRoutes, ensRoutes } from '../ens/routes.ts'
import { createEns } from '../ens/service.ts'
import { createRegistrationTokens } from '../ens/transactions/registration-token.ts'
import { healthRoutes } from '../health/routes.ts'
import { type Clock, systemClock } from '../kernel/clock.ts'
import type { Route } from '../kernel/endpoint.ts'
import type { Screenshots } from '../intel/screenshots.ts'
import type { Log } from '../kernel/log.ts'
import { once } from '../kernel/once.ts'
import { type Random, secureRandom } from '../kernel/random.ts'
import { registrarRoutes } from '../registrars/routes.ts'
import { loadCatalogue } from '../tlds/catalogue.ts'
import { tldRoutes } from '../tlds/routes.ts'
import { creditRoutes, type OpenCredits } from '../payments/credit-routes.ts'
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
import { isLive } from '../trademark/statuses.ts'
import { openTrademarkIndex } from './wiring/trademark-index.ts'
import { openTrademarkRecords } from './wiring/trademark-records.ts'
import { createWhois } from '../whois/service.ts'
import { whoisRoutes } from '../whois/routes.ts'
import { openAuctions } from './wiring/auctions.ts'
import {
  addressesOf,
  createSalePages,
  hostingOf,
  isRegisteredAsCom,
  recordsOf,
  standingOf,
  stateOf,
} from './wiring/between-capabilities.ts'
import { openBrowser } from './wiring/browser.ts'
import type { Part } from './readiness.ts'
import type { Config } from './settings/config.ts'
import { openEngines } from './wiring/engines.ts'
import { openEthereum } from './wiring/ethereum.ts'
import { hostOf } from './wiring/host-of.ts'
import { loadKeys } from './wiring/keys.ts'
import { openMarketplaces } from './wiring/marketplaces.ts'
import { createOutbound } from './wiring/outbound.ts'
import { closedCredits } from './wiring/payment-credits.ts'
import { createNetworkCheck } from './wiring/network-check.ts'
import { createParts } from './wiring/parts.ts'
import { createProbes } from './wiring/probes.ts'
import { openRegistrars, type Registrars } from './wiring/registrars.ts'
import { openRegistries } from './wiring/registries.ts'
import { openResolver } from './wiring/resolver.ts'
import { version } from './version.ts'
import { sleep } from '../kernel/sleep.ts'

/** Every capability, created and connected. */
export type Capabilities = {
  readonly routes: readonly Route[]
  readonly screenshots: Pick<Screenshots, 'get'>
  /** Routes of the second base URL. */
  readonly ensListenerRoutes: readonly Route[]
  /** Where domains are registered, and what they cost. */
  readonly registrars: Pick<Registrars, 'registrars' | 'priceTable'>
  /** What can fail while the rest works. */
  readonly parts: readonly Part[]
  /**
   * Starts the background work of a service; a single command does not need it. Waits for no upstream: `settled`
   * resolves when those that are asked at the start have answered or failed.
   */
  start(): Promise<{ readonly settled: Promise<unknown> }>
  /** Sets the base of absolute links, once the URL of the service is known. */
  setPublicUrl(publicUrl: string): void
  /** Sets where credit is kept, once payments are open. */
  setCredits(open: OpenCredits): void
  close(): Promise<void>
}

type ComposeOptions = {
  readonly clock?: Clock
  readonly random?: Random
  readonly log?: Log
  /** Multiplies the timeouts of lookups; for tests on a busy machine. */
  readonly timeoutScale?: number
}

export function composeRoutes(
  config: Config,
  { clock = systemClock, random = secureRandom, log = silentLog, timeoutScale = 1 }: ComposeOptions = {},
): Capabilities {
  let baseUrl = config.publicUrl
  let openCredits: OpenCredits = closedCredits
  const resolver = openResolver({ config, clock, random, log })
  const outbound = createOutbound({ config, clock, log, resolveHost: resolver.resolveHost })
  const catalogue = loadCatalogue()
  const registries = openRegistries({ config, outbound, catalogue, clock, random, log, resolver, timeoutScale })
  const registryHealth = createRegistryHealth(clock)
  const rdapServerOf = (tld: string) => hostOf(registries.bootstrap.baseFor(tld) ?? '')
  const whoisServerOf = (tld: string) => registries.whoisServerOf(tld) ?? ''
  const watched = {
    rdap: registryHealth.watch('rdap', registries.rdap, rdapServerOf),
    whois: registryHealth.watch('whois', registries.whois, whoisServerOf),
  }
  const lookupPolicyFor = (tld: string) =>
    createLookupPolicy(catalogue.find(tld)!, rdapServerOf(tld) !== '', whoisServerOf(tld) !== '')
  const registrars = openRegistrars({ config, outbound, clock, random, log })
  const registryVerdicts = createAvailability({
    probes: {
      dns: registries.duringDns(
        dnsProbe({ ...registries, isDecisive: (tld) => lookupPolicyFor(tld).lookup === 'dns', clock, timeoutScale }),
      ),
      rdap: registryProbe('rdap', watched.rdap, clock),
      whois: registryProbe('whois', registries.beforeWhois(watched.whois), clock),
    },
    policyFor: lookupPolicyFor,
    clock,
  })
  const availability = registrars.withPremium(registryVerdicts)
  const whois = createWhois({
    suffixes: catalogue.suffixes,
    hasRegistryService: (tld) => rdapServerOf(tld) !== '' || whoisServerOf(tld) !== '',
    findRecord: recordsOf(availability),
    timeoutScale,
  })
  const dns = createDns({
    resolver: recursorResolver({ client: registries.dns, recursors: registries.recursors, clock, timeoutScale }),
    clock,
  })
  const ethereum = openEthereum({ config, outbound, clock, log })
  // Loaded on first use: most commands need no key and should not create the key file.
  const keys = once(() => loadKeys({ config, random, log }))
  const ensTokens = once(() => createRegistrationTokens({ keys: keys(), clock, random }))
  const ens = createEns({
    ...ethereum,
    tokens: { issue: (registration) => ensTokens().issue(registration), open: (token) => ensTokens().open(token) },
    clock,
    random,
    timeoutScale,
  })
  const auctions = openAuctions({ config, clock, random, log })
  const salePages = createSalePages(clock)
  const marketplaces = openMarketplaces({
    config,
    outbound,
    registries,
    suffixes: catalogue.suffixes,
    auctions: auctions.index,
    salePageOf: salePages.find,
    clock,
  })
  const aftermarket = createAftermarket({ ...marketplaces, clock })
  const state = stateOf({ availability, suffixes: catalogue.suffixes })
  const engines = openEngines({ config, outbound, dns, clock, log })
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
  const browser = openBrowser({
    config,
    outbound,
    clock,
    random,
    log,
    resolve: addressesOf(registries.dns, registries.recursors),
    secret: () => keys()[0]!,
  })
  const intel = createIntel({
    ...browser,
    standingOf: standingOf({ availability, suffixes: catalogue.suffixes }),
    hostingOf: hostingOf(dns, catalogue.suffixes),
    urlOf: (id) => `${baseUrl}/screenshots/${id}.jpg`,
    onVisit: salePages.add,
    log,
  })
  const trademarkIndex = openTrademarkIndex({ config, clock, log })
  const trademarkRecords = openTrademarkRecords({ config, outbound, clock, log })
  const partRoutes = [
    ...availabilityRoutes({
      availability,
      catalogue,
      clock,
      sleep,
      health: registryHealth,
      paceOf: registries.paceOf,
      legacyTurns: createLegacyTurns(),
      timeoutScale,
    }),
    ...tldRoutes(catalogue),
    ...registrarRoutes({ ...registrars, suffixes: catalogue.suffixes, clock }),
    ...aftermarketRoutes(aftermarket),
    ...auctions.routes,
    ...presenceRoutes(presence),
    ...intelRoutes(intel),
    ...valuationRoutes(valuations),
    ...whoisRoutes(whois),
    ...dnsRoutes(dns),
    ...ensRoutes({ ens, clock }),
    ...creditRoutes(() => openCredits()),
    ...trademarkRoutes(
      createTrademarks({ ...trademarkIndex, index: trademarkIndex.current, clock, enrich: trademarkRecords.enrich }),
    ),
    ...healthRoutes({
      version,
      tlds: catalogue.all,
      cacheSize: () => availability.size + dns.size + aftermarket.size + presence.size,
    }),
  ]
  const routes = [
    ...partRoutes,
    ...dossierRoutes({ routes: partRoutes, catalogue, isLiveMark: isLive, clock, publicUrl: () => baseUrl }),
  ]
  const parts = createParts({
    config,
    auctions: auctions.index,
    sales: { problem: () => openSales?.problem() ?? null },
    trademarks: { ...trademarkIndex, isOff: () => !trademarkIndex.current()?.info() },
    browser,
    ...createProbes({ registries, ens, clock, random, sandbox: config.sandbox }),
  })
  const network = createNetworkCheck({ config, parts, registries, log })
  return {
    routes,
    screenshots: browser.screenshots,
    ensListenerRoutes: ensListenerRoutes({ ens, clock }),
    registrars,
    parts,
    async start() {
      browser.start()
      auctions.start()
      void trademarkIndex.start()
      const nodes = ethereum.start()
      await Promise.all([registries.start(), registrars.start()])
      network.start()
      return { settled: Promise.all([nodes, registries.loaded()]) }
    },
    setPublicUrl(publicUrl) {
      baseUrl = publicUrl
    },
    setCredits(open) {
      openCredits = open
    },
    async close() {
      openSales?.close()
      network.close()
      await Promise.all([
        registries.close(),
        registrars.close(),
        ethereum.close(),
        marketplaces.close(),
        engines.close(),
        auctions.close(),
        browser.close(),
        trademarkIndex.close(),
        trademarkRecords.close(),
      ])
    },
  }
}

/** 1 for the most frequent word of a frequency list, 0 for the last and for words not in it (rank -1). */
const commonness = (rank: number, words: number): number =>
  rank < 0 ? 0 : Math.max(0, 1 - Math.log(rank + 1) / Math.log(words + 1))

const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }
