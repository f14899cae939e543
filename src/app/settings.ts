import { FORMATS } from '../auctions/sources/feed/feed-map.ts'
import { PRESET_NAMES } from '../auctions/sources/feed/presets.ts'
import type { Kind } from './setting-kinds.ts'
import * as kinds from './setting-kinds.ts'

/** One thing an operator can set. `.env.example` and `docs/settings.md` are made from the table of them below. */
export type Setting<Value = unknown> = {
  /** What is in force when nothing is set, as an operator would write it; empty where there is no such text. */
  readonly default: string
  /** What happens without a value, where `default` cannot say it. */
  readonly unset?: string
  readonly meaning: string
  /** Never shown; may also come from a file named by NAME_FILE. */
  readonly secret?: true
  /** Absent where the name is reserved: known to this version, but not used by it yet. */
  readonly kind?: Kind<Value>
}

export type SettingTable = Readonly<Record<string, Setting>>

type About = { readonly meaning: string; readonly secret?: true }

const used = <Value>(kind: Kind<Value>, about: About & { readonly default: string }): Setting<Value> => ({
  ...about,
  kind,
})

/** Used, but without a text that stands for its default: its value is null then. */
const optional = <Value>(kind: Kind<Value>, about: About & { readonly unset: string }): Setting<Value | null> => ({
  ...about,
  default: '',
  kind,
})

const reserved = (meaning: string, unset: string): Setting<string> => ({ default: '', unset, meaning })
/** Whatever may hold a key or a password is treated as a secret from the first day. */
const reservedSecret = (meaning: string, unset: string): Setting<string> => ({
  ...reserved(meaning, unset),
  secret: true,
})

/** The settings of one auction feed. Three alike are told once. */
function auctionFeed<Letter extends 'A' | 'B' | 'C'>(letter: Letter, which: string) {
  const words = {
    URL: optional(kinds.feedLocation, {
      unset: 'none',
      meaning: `URL or file of the ${which} auction feed.`,
      secret: true,
    }),
    PRESET: optional(kinds.oneOf(...PRESET_NAMES), {
      unset: 'none',
      meaning: `Its shape: ${PRESET_NAMES.join(', ')}.`,
    }),
    FORMAT: optional(kinds.oneOf(...FORMATS), { unset: "the preset's", meaning: `Its format: ${FORMATS.join(', ')}.` }),
    COLUMNS: optional(kinds.text, {
      unset: "the preset's",
      meaning: 'Which column is what: JSON, or a file that holds it. See docs/auctions.md.',
    }),
    CURRENCY: optional(kinds.text, { unset: "the preset's", meaning: 'Currency of prices that do not name one.' }),
    TIME_ZONE: optional(kinds.text, { unset: 'UTC', meaning: 'Time zone of moments that do not name one.' }),
    INTERVAL: used(kinds.wholeNumber(1, 10_080), { default: '60', meaning: 'Minutes from one reading to the next.' }),
    HEADER: optional(kinds.httpHeader, {
      unset: 'none',
      meaning: 'A header for it, which may hold a key.',
      secret: true,
    }),
  }
  type Words = typeof words
  const named = Object.entries(words).map(([word, setting]) => [`ONOMA_AUCTIONS_SOURCE_${letter}_${word}`, setting])
  return Object.fromEntries(named) as {
    readonly [Word in keyof Words as `ONOMA_AUCTIONS_SOURCE_${Letter}_${Word}`]: Words[Word]
  }
}

/** A name that ends in `*` stands for a family: every name that starts so. */
export const SETTINGS = {
  PORT: used(kinds.port, { default: '8080', meaning: 'Port of the API. 0 lets the system choose one.' }),
  HOST: used(kinds.host, { default: '127.0.0.1', meaning: 'Address the service listens on.' }),
  ENS_PORT: used(kinds.optionalPort, {
    default: '8081',
    meaning: 'Port of the second base address, which serves ENS metadata and health. 0 turns it off.',
  }),
  ONOMA_PUBLIC_URL: optional(kinds.baseUrl, {
    unset: 'from HOST and PORT',
    meaning: 'How clients reach the API: the start of every absolute link it gives out.',
  }),
  ONOMA_DATA_DIR: used(kinds.text, {
    default: './var',
    meaning: 'Folder for what the service keeps: stores, indexes, screenshots, generated keys.',
  }),
  ONOMA_RATE_LIMIT: used(kinds.wholeNumber(1, 65_535), {
    default: '60',
    meaning: 'Requests a client address may make in a minute.',
  }),
  ONOMA_TRUSTED_PROXIES: optional(kinds.addressRanges, {
    unset: 'none',
    meaning: 'Addresses and CIDR ranges, comma-separated, whose X-Forwarded-For is believed.',
  }),
  ONOMA_DNS_SERVERS: optional(kinds.serverAddresses, {
    unset: 'system resolvers',
    meaning: 'Recursive resolvers, ip[:port], comma-separated.',
  }),
  ONOMA_DNS_AUTHORITATIVE: used(kinds.onOrOff, {
    default: 'on',
    meaning: 'Ask the name servers of a TLD directly (on), or recursive resolvers only (off).',
  }),
  ONOMA_TLD_SERVERS: optional(kinds.text, {
    unset: 'bundled',
    meaning: 'File or URL with the name servers of each TLD: {"tld": ["ip[:port]"]}. Others stay as bundled.',
  }),
  ONOMA_RDAP_BOOTSTRAP: optional(kinds.text, {
    unset: 'bundled, refreshed daily',
    meaning: "File or URL in the form of IANA's dns.json.",
  }),
  ONOMA_WHOIS_SERVERS: optional(kinds.text, {
    unset: 'bundled',
    meaning: 'File with the WHOIS server of each TLD: {"tld": "host[:port]"}. Those it does not name stay as bundled.',
  }),
  ONOMA_REGISTRARS: optional(kinds.text, {
    unset: 'bundled',
    meaning: 'File with the registrars: link templates, affiliate templates, prices.',
  }),
  ONOMA_LOG_LEVEL: used(kinds.oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'), {
    default: 'info',
    meaning: 'Least important log line that is written: trace, debug, info, warn, error or silent.',
  }),
  ONOMA_METRICS: used(kinds.metricsAddress, {
    default: 'on',
    meaning: 'Prometheus metrics at /metrics: on (127.0.0.1:9464), off, a port, or host:port.',
  }),
  ONOMA_ETH_RPC_URLS: optional(kinds.rpcUrls, {
    unset: 'two public nodes, limited by their hosts',
    meaning: 'Ethereum JSON-RPC URLs, comma-separated, tried in order.',
    secret: true,
  }),
  ONOMA_ENS_CONTRACTS: optional(kinds.text, {
    unset: 'mainnet addresses',
    meaning: 'File that overrides addresses of ENS contracts, and which controller registers.',
  }),
  ONOMA_KEYS: optional(kinds.secretKeys, {
    unset: 'generated in ONOMA_DATA_DIR',
    meaning: 'Keys for registration ids, comma-separated; the first is the current one. Share them between instances.',
    secret: true,
  }),
  ONOMA_TRADEMARK_INDEX: optional(kinds.text, {
    unset: 'trademark in ONOMA_DATA_DIR',
    meaning: 'Folder of the trademark index, which `onoma trademark import` fills.',
  }),
  ONOMA_TRADEMARK_OFFICE_KEY: optional(kinds.text, {
    unset: '`onoma trademark fetch` cannot be used',
    meaning: "Key for the trademark office's open data portal.",
    secret: true,
  }),
  ONOMA_TRADEMARK_OFFICE_URL: used(kinds.baseUrl, {
    default: 'https://api.uspto.gov/api/v1/datasets/products',
    meaning: 'Where `onoma trademark fetch` asks for files of the register.',
  }),
  ONOMA_TRADEMARK_ENRICHMENT_URL: optional(kinds.serialTemplate, {
    unset: 'nobody is asked: results have what the register says',
    meaning: 'Record system that is asked about every trademark found; has `{serial}` where the number goes.',
  }),
  ONOMA_TRADEMARK_ENRICHMENT_KEY: optional(kinds.text, {
    unset: 'none',
    meaning: 'Key for it, sent as `USPTO-API-KEY`.',
    secret: true,
  }),
  ONOMA_PAY_TO: optional(kinds.ethereumAddress, {
    unset: 'none: simulated payments on loopback, else paid endpoints are closed',
    meaning: 'Address that receives payments. Any payment setting means real money.',
  }),
  ONOMA_X402_RPC_URLS: optional(kinds.rpcUrls, {
    unset: 'x402 is not offered',
    meaning: 'JSON-RPC URLs of Base (chain 8453), comma-separated.',
    secret: true,
  }),
  ONOMA_X402_SETTLEMENT_KEY: optional(kinds.privateKey, {
    unset: 'none',
    meaning: 'Private key that settles x402 payments; needs a little ether on Base. One for each instance.',
    secret: true,
  }),
  ONOMA_X402_FACILITATOR_URL: optional(kinds.baseUrl, {
    unset: 'none',
    meaning: 'Facilitator that settles x402 payments, instead of a key.',
  }),
  ONOMA_X402_MAX_GAS_GWEI: optional(kinds.wholeNumber(1, 10_000), {
    unset: '5',
    meaning: 'Highest price of gas, in gwei, at which x402 payments are settled.',
  }),
  ONOMA_MPP_RPC_URLS: optional(kinds.rpcUrls, {
    unset: 'MPP is not offered',
    meaning: 'JSON-RPC URLs of Tempo (chain 4217), comma-separated.',
    secret: true,
  }),
  ONOMA_MPP_CURRENCY: optional(kinds.ethereumAddress, {
    unset: 'USDC.e',
    meaning: 'Token MPP payments are made in; a TIP-20 token in US dollars with six decimals.',
  }),
  ONOMA_AFTERMARKET_SOURCE_A_URL: used(kinds.baseUrl, {
    default: 'https://api.sedo.com/api/v1/DomainStatus',
    meaning: 'Where the first marketplace is asked; it answers in XML.',
  }),
  ONOMA_AFTERMARKET_SOURCE_A_PARTNER_ID: optional(kinds.text, {
    unset: 'source_a is not asked',
    meaning: 'Partner id at the first marketplace.',
  }),
  ONOMA_AFTERMARKET_SOURCE_A_SIGN_KEY: optional(kinds.text, {
    unset: 'source_a is not asked',
    meaning: 'Sign key at the first marketplace.',
    secret: true,
  }),
  ONOMA_AFTERMARKET_SOURCE_A_AFFILIATE_LINK: optional(kinds.linkTemplate, {
    unset: 'plain links',
    meaning: 'Link to a name at the first marketplace with your affiliate id; {domain} stands for the name.',
  }),
  ONOMA_AFTERMARKET_SOURCE_B_URL: optional(kinds.linkTemplate, {
    unset: 'source_b is not asked',
    meaning: 'Where the second marketplace is asked about {domain}; it answers in JSON.',
    secret: true,
  }),
  ONOMA_AFTERMARKET_SOURCE_B_HEADER: optional(kinds.httpHeader, {
    unset: 'none',
    meaning: 'Header with your credentials for the second marketplace, such as Authorization: Bearer …',
    secret: true,
  }),
  ONOMA_AFTERMARKET_SOURCE_B_NAME: used(kinds.text, {
    default: 'Afternic',
    meaning: "The second marketplace's name for people.",
  }),
  ONOMA_AFTERMARKET_SOURCE_B_LINK: used(kinds.linkTemplate, {
    default: 'https://www.afternic.com/forsale/{domain}',
    meaning: 'Page of a name at the second marketplace.',
  }),
  ONOMA_AFTERMARKET_SOURCE_B_AFFILIATE_LINK: optional(kinds.linkTemplate, {
    unset: 'plain links',
    meaning: 'The same with your affiliate id.',
  }),
  ONOMA_AFTERMARKET_DNS: used(kinds.onOrOff, {
    default: 'off',
    meaning:
      'Read the _for-sale record of every name asked about (on), or only where sources names dns_for_sale (off).',
  }),
  ...auctionFeed('A', 'first'),
  ...auctionFeed('B', 'second'),
  ...auctionFeed('C', 'third'),
  ONOMA_ENGINE_A_KIND: optional(kinds.oneOf('searxng', 'brave', 'google'), {
    unset: 'the engine is not asked',
    meaning: 'What the first search engine is: searxng, brave or google.',
  }),
  ONOMA_ENGINE_A_URL: optional(kinds.baseUrl, {
    unset: "the provider's own; searxng has none",
    meaning: 'Where the first search engine is asked.',
  }),
  ONOMA_ENGINE_A_KEY: optional(kinds.text, {
    unset: 'none',
    meaning: 'Token or key for the first search engine; searxng needs none.',
    secret: true,
  }),
  ONOMA_ENGINE_A_CX: optional(kinds.text, {
    unset: 'none',
    meaning: 'Which of your search engines the first one is, for google.',
  }),
  ONOMA_ENGINE_B_KIND: optional(kinds.oneOf('searxng', 'brave', 'google'), {
    unset: 'the engine is not asked',
    meaning: 'What the second search engine is: searxng, brave or google.',
  }),
  ONOMA_ENGINE_B_URL: optional(kinds.baseUrl, {
    unset: "the provider's own; searxng has none",
    meaning: 'Where the second search engine is asked.',
  }),
  ONOMA_ENGINE_B_KEY: optional(kinds.text, {
    unset: 'none',
    meaning: 'Token or key for the second search engine; searxng needs none.',
    secret: true,
  }),
  ONOMA_ENGINE_B_CX: optional(kinds.text, {
    unset: 'none',
    meaning: 'Which of your search engines the second one is, for google.',
  }),
  ONOMA_CHROMIUM: optional(kinds.text, {
    unset: 'found on PATH',
    meaning: 'Path or name of the Chromium that looks at pages.',
  }),
  ONOMA_SCREENSHOTS_DAYS: used(kinds.wholeNumber(1, 3650), {
    default: '30',
    meaning: 'Days a screenshot is kept on disk.',
  }),
  ONOMA_SCREENSHOTS_MEGABYTES: used(kinds.wholeNumber(1, 10_000_000), {
    default: '2048',
    meaning: 'Megabytes of screenshots kept on disk; the oldest go first.',
  }),
  ONOMA_SCREENSHOTS_S3_URL: optional(kinds.baseUrl, {
    unset: 'screenshots are kept on disk',
    meaning:
      'An S3-compatible service that keeps the screenshots instead, such as https://s3.eu-central-1.amazonaws.com.',
  }),
  ONOMA_SCREENSHOTS_S3_BUCKET: optional(kinds.text, { unset: 'none', meaning: 'Its bucket for screenshots.' }),
  ONOMA_SCREENSHOTS_S3_REGION: used(kinds.text, { default: 'us-east-1', meaning: 'Its region.' }),
  ONOMA_SCREENSHOTS_S3_ACCESS_KEY: optional(kinds.text, { unset: 'none', meaning: 'Its access key.', secret: true }),
  ONOMA_SCREENSHOTS_S3_SECRET_KEY: optional(kinds.text, { unset: 'none', meaning: 'Its secret key.', secret: true }),
  ONOMA_SANDBOX: used(kinds.onOrOff, {
    default: 'off',
    meaning: 'Set by the sandbox command only: everything outside is simulated. Refused beside live payment settings.',
  }),
  ONOMA_SANDBOX_PAGES: optional(kinds.wholeNumber(1, 65_535), {
    unset: 'none',
    meaning: 'Set by the sandbox command only: port on loopback where every page of the simulated web is.',
  }),

  ONOMA_DATABASE_URL: reservedSecret('PostgreSQL for what several instances must share.', 'embedded'),
  ONOMA_REDIS_URL: reservedSecret('Redis or Valkey for rate limits, shared cache and payment claims.', 'embedded'),
  ONOMA_WORKERS: { default: '1', meaning: 'Processes that share the port on one machine.' },
} as const satisfies SettingTable

/** Names that mean real money; the sandbox must not run beside them. */
export const isLivePayment = (name: string): boolean => /^ONOMA_(PAY_TO(_FILE)?$|X402_|MPP_)/.test(name)
