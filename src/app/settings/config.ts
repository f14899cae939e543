import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FeedChoice } from '../../auctions/sources/feed/load-feeds.ts'
import type { SaleFeedChoice } from '../../auctions/sources/feed/sale-presets.ts'
import type { ProxySettings } from '../../kernel/upstream/proxy.ts'
import { auctionFeeds, auctionProblems, saleFeeds } from './auction-settings.ts'
import { aftermarketProblems, type AftermarketSettings, aftermarketSettings } from './aftermarket-settings.ts'
import { type EngineSettings, engineSettings } from './engine-settings.ts'
import { facilitatorProblems } from './facilitator.ts'
import { type LimitSettings, limitSettings } from './limits.ts'
import { proxySettings, resolversOverHttps, settingName, withProxyNames } from './network.ts'
import { freeProblems, paymentProblems, type PaymentSettings, paymentSettings } from './payment-settings.ts'
import { localUrl, portProblems } from './ports.ts'
import { priceProblems, type PriceSettings, priceSettings } from './price-settings.ts'
import { incompleteProviders, type ScreenshotSettings, screenshotSettings, type Values } from './providers.ts'
import type { Env, Given, ReadFile, Reading } from './read.ts'
import { hostsIn, readSettings, withoutCredentials } from './read.ts'
import type { Setting } from './table.ts'
import { isLivePayment, SETTINGS } from './table.ts'

/** The validated settings, loaded once at start-up. */
export type Config = {
  readonly host: string
  /** 0 lets the system choose. */
  readonly port: number
  /** Port of the second base URL; null if off. */
  readonly ensPort: number | null
  /** Without a trailing slash. */
  readonly publicUrl: string
  readonly dataDir: string
  /** Requests per minute and client address; null for no limit. */
  readonly rateLimit: number | null
  readonly limits: LimitSettings
  readonly trustedProxies: readonly string[]
  /** Recursive resolvers, `ip[:port]`; null for the system's own. */
  readonly dnsServers: readonly string[] | null
  /** URLs of resolvers over HTTPS, for where port 53 is closed; may be empty. */
  readonly dohUrls: readonly string[]
  /** Null if every host is reached directly. */
  readonly proxy: ProxySettings | null
  /** Whether name servers of TLDs are queried directly. */
  readonly dnsAuthoritative: boolean
  /** Files and URLs that replace bundled data; null for the bundled data. */
  readonly tldServers: string | null
  readonly rdapBootstrap: string | null
  readonly whoisServersFile: string | null
  /** Null for the bundled registrars. */
  readonly registrarsFile: string | null
  /** Null for the default public nodes. */
  readonly ethRpcUrls: readonly string[] | null
  /** Null for mainnet. */
  readonly ensContractsFile: string | null
  /** The first is the current one. Null to generate one. */
  readonly keys: readonly string[] | null
  /** Folder of the trademark index. */
  readonly trademarkIndex: string
  /** Where the register's files are downloaded; without a key nothing is. */
  readonly trademarkOffice: { readonly url: string; readonly key: string | null }
  /** Null if results are not enriched. */
  readonly trademarkEnrichment: { readonly url: string; readonly key: string | null } | null
  readonly aftermarket: AftermarketSettings
  readonly prices: PriceSettings
  /** The configured feeds. */
  readonly auctions: readonly FeedChoice[]
  /** The configured feeds of domains that are for sale without an end. */
  readonly saleFeeds: readonly SaleFeedChoice[]
  /** Whether the operator says that auctions whose terms restrict it may be shown to others. */
  readonly auctionTermsAccepted: boolean
  /** Null for an engine that is not configured. */
  readonly engines: { readonly a: EngineSettings | null; readonly b: EngineSettings | null }
  /** How open data services reach the operator; null if that is not known. */
  readonly contact: string | null
  /** Null to find Chromium on this machine. */
  readonly chromium: string | null
  /** Whether Chromium runs in its own sandbox. */
  readonly browserSandbox: boolean
  readonly screenshots: ScreenshotSettings
  /** Loopback port that serves all pages of the simulated web; null for the real web. */
  readonly sandboxPages: number | null
  readonly payments: PaymentSettings
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Null if metrics are off. `explicit` if the operator set this address. */
  readonly metrics: { readonly host: string; readonly port: number; readonly explicit: boolean } | null
  readonly sandbox: boolean
  /** The hosts in URLs the operator has set, by setting: these may have private addresses. Defaults are not included. */
  readonly namedHosts: Readonly<Record<string, readonly string[]>>
  /** Settings that have no effect; logged at start-up. */
  readonly warnings: readonly string[]
}

/** Invalid settings. The message has every problem, one per line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

const readUtf8: ReadFile = (path) => readFileSync(path, 'utf8')

export const loadConfig = (env: Env, readFile: ReadFile = readUtf8): Config =>
  toConfig(readSettings(SETTINGS, withProxyNames(env), readFile), isProduction(env))

const isProduction = (env: Env): boolean => env['NODE_ENV'] === 'production'

function toConfig({ values, given, problems: found, warnings }: Reading<typeof SETTINGS>, production: boolean): Config {
  const problems = [...found, ...sandboxProblems(values, [...given.keys()])]
  // Skip after a parse error: the default of an invalid port could clash by accident.
  if (found.length === 0) problems.push(...portProblems(values, given.has('ONOMA_METRICS')))
  const payments = paymentSettings(values, given, production)
  if (found.length === 0)
    problems.push(
      ...freeProblems(values, given),
      ...paymentProblems(payments),
      ...facilitatorProblems(values),
      ...aftermarketProblems(values),
      ...priceProblems(values),
      ...incompleteProviders(values),
      ...auctionProblems(values),
    )
  if (problems.length > 0) throw new ConfigError(problems)
  const { HOST: host, PORT: port, ONOMA_METRICS: metrics } = values
  return Object.freeze({
    host,
    port,
    ensPort: values.ENS_PORT,
    publicUrl: values.ONOMA_PUBLIC_URL ?? localUrl(host, port),
    dataDir: values.ONOMA_DATA_DIR,
    rateLimit: values.ONOMA_RATE_LIMIT,
    limits: limitSettings(values),
    trustedProxies: Object.freeze(values.ONOMA_TRUSTED_PROXIES ?? []),
    dnsServers: values.ONOMA_DNS_SERVERS && Object.freeze(values.ONOMA_DNS_SERVERS),
    dohUrls: Object.freeze(resolversOverHttps(values)),
    proxy: proxySettings(values),
    dnsAuthoritative: values.ONOMA_DNS_AUTHORITATIVE,
    tldServers: values.ONOMA_TLD_SERVERS,
    rdapBootstrap: values.ONOMA_RDAP_BOOTSTRAP,
    whoisServersFile: values.ONOMA_WHOIS_SERVERS,
    registrarsFile: values.ONOMA_REGISTRARS,
    ethRpcUrls: values.ONOMA_ETH_RPC_URLS && Object.freeze(values.ONOMA_ETH_RPC_URLS),
    ensContractsFile: values.ONOMA_ENS_CONTRACTS,
    keys: values.ONOMA_KEYS && Object.freeze(values.ONOMA_KEYS),
    trademarkIndex: values.ONOMA_TRADEMARK_INDEX ?? join(values.ONOMA_DATA_DIR, 'trademark'),
    trademarkOffice: Object.freeze({
      url: values.ONOMA_TRADEMARK_OFFICE_URL,
      key: values.ONOMA_TRADEMARK_OFFICE_KEY,
    }),
    trademarkEnrichment:
      values.ONOMA_TRADEMARK_ENRICHMENT_URL === null
        ? null
        : Object.freeze({
            url: values.ONOMA_TRADEMARK_ENRICHMENT_URL,
            key: values.ONOMA_TRADEMARK_ENRICHMENT_KEY,
          }),
    aftermarket: aftermarketSettings(values),
    prices: priceSettings(values),
    auctions: Object.freeze(auctionFeeds(values)),
    saleFeeds: Object.freeze(saleFeeds(values)),
    auctionTermsAccepted: values.ONOMA_AUCTIONS_TERMS !== null,
    engines: Object.freeze({ a: engineSettings('A', values), b: engineSettings('B', values) }),
    contact: values.ONOMA_CONTACT ?? values.ONOMA_PUBLIC_URL,
    chromium: values.ONOMA_CHROMIUM,
    browserSandbox: values.ONOMA_BROWSER_SANDBOX,
    screenshots: screenshotSettings(values),
    sandboxPages: values.ONOMA_SANDBOX_PAGES,
    payments,
    logLevel: values.ONOMA_LOG_LEVEL,
    metrics: metrics && Object.freeze({ ...metrics, explicit: given.has('ONOMA_METRICS') }),
    sandbox: values.ONOMA_SANDBOX,
    namedHosts: namedHosts(given),
    warnings: Object.freeze(warnings),
  })
}

const namedHosts = (given: ReadonlyMap<string, Given>): Config['namedHosts'] =>
  Object.freeze(
    Object.fromEntries(
      [...given].flatMap(([name, { text }]) => (hostsIn(text).length > 0 ? [[name, hostsIn(text)]] : [])),
    ),
  )

function sandboxProblems({ ONOMA_SANDBOX: sandbox, ONOMA_SANDBOX_PAGES: pages }: Values, given: readonly string[]) {
  const live = given.filter(isLivePayment)
  if (!sandbox && pages !== null)
    return ['ONOMA_SANDBOX_PAGES gives visited pages access to this machine; it works only with ONOMA_SANDBOX=on.']
  if (!sandbox || live.length === 0) return []
  return [`ONOMA_SANDBOX is on together with live payment settings (${live.join(', ')}); remove one or the other.`]
}

/** One line of `onoma config`. */
export type SettingInForce = {
  readonly setting: string
  readonly value: string
  readonly from: 'default' | 'environment' | '.env file' | 'secret file'
  readonly meaning: string
}

/**
 * The effective settings and their origin: all that this version uses, and reserved ones that were set. `fromEnvFile` has
 * the names that came from a `.env` file.
 */
export function settingsInForce(
  env: Env,
  fromEnvFile: ReadonlySet<string> = new Set(),
  readFile: ReadFile = readUtf8,
): { settings: SettingInForce[]; warnings: readonly string[] } {
  const reading = readSettings(SETTINGS, withProxyNames(env), readFile)
  const inFile = new Set([...fromEnvFile].map(settingName))
  const { publicUrl, warnings } = toConfig(reading, isProduction(env))
  const effective: Readonly<Record<string, string>> = { ONOMA_PUBLIC_URL: publicUrl }
  const given = [...reading.given.values()]
  const settings = Object.entries<Setting>(SETTINGS).flatMap(([name, setting]): SettingInForce[] => {
    const mine = given.filter((one) => one.setting === setting)
    if (mine.length > 0) return mine.map((one) => inForce(one, inFile))
    const value = effective[name] ?? (setting.default || `(${setting.unset})`)
    return setting.kind ? [{ setting: name, value, from: 'default', meaning: setting.meaning }] : []
  })
  return { settings, warnings }
}

const inForce = ({ name, text, from, setting }: Given, fromEnvFile: ReadonlySet<string>): SettingInForce => ({
  setting: name,
  value: setting.secret ? '********' : withoutCredentials(text),
  from: from === 'environment' && fromEnvFile.has(name) ? '.env file' : from,
  meaning: setting.kind ? setting.meaning : `${setting.meaning} Not used by this version yet.`,
})
