import { PROVIDER_SETTINGS } from './providers-table.ts'
import * as kinds from './kinds.ts'
import { NETWORK_SETTINGS } from './network.ts'
import { optional, reservedSecret, type SettingTable, used } from './setting.ts'

export type { Setting, SettingTable } from './setting.ts'

/** A name that ends in `*` matches every setting with that prefix. */
export const SETTINGS = {
  PORT: used(kinds.port, { default: '8080', meaning: 'Port of the API. 0 lets the system choose one.' }),
  HOST: used(kinds.host, { default: '127.0.0.1', meaning: 'Address the service listens on.' }),
  ENS_PORT: used(kinds.optionalPort, {
    default: '8081',
    meaning: 'Port of the second base URL, which serves ENS metadata and health. 0 turns it off.',
  }),
  ONOMA_PUBLIC_URL: optional(kinds.baseUrl, {
    unset: 'from HOST and PORT',
    meaning: 'URL at which clients reach the API; absolute links start with it.',
  }),
  ONOMA_DATA_DIR: used(kinds.text, {
    default: './var',
    meaning: 'Folder for stored data: databases, indexes, screenshots, generated keys.',
  }),
  ONOMA_RATE_LIMIT: used(kinds.rateLimit, {
    default: '60',
    meaning: 'Maximum requests per minute and client address; off for no limit.',
  }),
  ONOMA_DOCUMENT_RATE_LIMIT: used(kinds.rateLimit, {
    default: '300',
    meaning:
      'Maximum documents, screenshots and MCP messages other than tool calls, per minute and client address; off for no limit.',
  }),
  ONOMA_MAX_CONNECTIONS_PER_CLIENT: used(kinds.wholeNumber(1, 10_000), {
    default: '256',
    meaning: 'Maximum open connections per client address (IPv6: per /64); trusted proxies have no limit.',
  }),
  ONOMA_MAX_REQUESTS: used(kinds.wholeNumber(1, 100_000), {
    default: '2000',
    meaning: 'Maximum requests being served at once; further ones get 503 with Retry-After. Health is always answered.',
  }),
  ONOMA_DRAIN_SECONDS: used(kinds.wholeNumber(0, 600), {
    default: '5',
    meaning: 'Seconds the service goes on answering after SIGTERM, while `/ready` is 503.',
  }),
  ONOMA_TRUSTED_PROXIES: optional(kinds.addressRanges, {
    unset: 'none',
    meaning: 'Addresses and CIDR ranges of trusted proxies, comma-separated; only their X-Forwarded-For is used.',
  }),
  ONOMA_DNS_SERVERS: optional(kinds.serverAddresses, {
    unset: 'system resolvers',
    meaning: 'Recursive resolvers, ip[:port], comma-separated.',
  }),
  ONOMA_DNS_AUTHORITATIVE: used(kinds.onOrOff, {
    default: 'on',
    meaning: 'Ask the name servers of a TLD directly (on), or recursive resolvers only (off).',
  }),
  ...NETWORK_SETTINGS,
  ONOMA_TLD_SERVERS: optional(kinds.text, {
    unset: 'bundled, refreshed weekly',
    meaning:
      'File or URL with the name servers of TLDs: {"tld": ["ip[:port]"]}. TLDs not listed keep the bundled ones.',
  }),
  ONOMA_RDAP_BOOTSTRAP: optional(kinds.text, {
    unset: 'bundled, refreshed daily',
    meaning: "RDAP bootstrap file or URL, in the format of IANA's dns.json.",
  }),
  ONOMA_WHOIS_SERVERS: optional(kinds.text, {
    unset: 'bundled, refreshed weekly',
    meaning:
      'File with the WHOIS servers of TLDs: {"tld": "host[:port]"}; "." is asked for the hosts of TLDs not listed, in place of whois.iana.org, and "tld:das" is the availability service of a TLD, or off.',
  }),
  ONOMA_REGISTRARS: optional(kinds.text, {
    unset: 'bundled',
    meaning: 'File with the registrars: link templates, affiliate templates, prices.',
  }),
  ONOMA_LOG_LEVEL: used(kinds.oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'), {
    default: 'info',
    meaning: 'Minimum log level: trace, debug, info, warn, error or silent.',
  }),
  ONOMA_METRICS: used(kinds.metricsAddress, {
    default: 'on',
    meaning: 'Prometheus metrics at /metrics: on (127.0.0.1:9464), off, a port, or host:port.',
  }),
  ONOMA_ETH_RPC_URLS: optional(kinds.rpcUrls, {
    unset: 'two public nodes with rate limits',
    meaning:
      'Ethereum JSON-RPC URLs, comma-separated, tried in order. ENS transactions need two that agree; a single one is trusted.',
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
    meaning: 'Where `onoma trademark fetch` downloads files of the register.',
  }),
  ONOMA_TRADEMARK_ENRICHMENT_URL: optional(kinds.serialTemplate, {
    unset: 'results are not enriched',
    meaning: 'Record system that enriches every trademark found; `{serial}` stands for the serial number.',
  }),
  ONOMA_TRADEMARK_ENRICHMENT_KEY: optional(kinds.text, {
    unset: 'none',
    meaning: 'Key for the record system, sent as `USPTO-API-KEY`.',
    secret: true,
  }),
  ONOMA_PAYMENTS: optional(kinds.oneOf('free'), {
    unset: 'as the payment settings say',
    meaning: 'free: paid endpoints answer without payment, to this machine and private networks only.',
  }),
  ONOMA_PAY_TO: optional(kinds.ethereumAddress, {
    unset: 'none: play money on this machine only, else paid endpoints are off',
    meaning: 'Address that receives payments. Any payment setting means real money.',
  }),
  ONOMA_X402_RPC_URLS: optional(kinds.rpcUrls, {
    unset: 'x402 is not offered',
    meaning: 'JSON-RPC URLs of Base (chain 8453), comma-separated.',
    secret: true,
  }),
  ONOMA_X402_SETTLEMENT_KEY: optional(kinds.privateKey, {
    unset: 'none',
    meaning: 'Private key that settles x402 payments; its address needs a little ether on Base. Use one per instance.',
    secret: true,
  }),
  ONOMA_X402_FACILITATOR_URL: optional(kinds.baseUrl, {
    unset: 'none',
    meaning: 'Facilitator that settles x402 payments, instead of a key.',
  }),
  ONOMA_X402_FACILITATOR_KEY_ID: optional(kinds.text, {
    unset: 'none',
    meaning: 'Key id for a facilitator of the Coinbase Developer Platform (CDP).',
  }),
  ONOMA_X402_FACILITATOR_KEY_SECRET: optional(kinds.cdpKeySecret, {
    unset: 'none',
    meaning: 'Secret of that key: base64 (Ed25519) or PEM (P-256). It signs a token for each request.',
    secret: true,
  }),
  ONOMA_X402_FACILITATOR_HEADER: optional(kinds.httpHeader, {
    unset: 'none',
    meaning: 'Header that authenticates requests to the facilitator, such as `Authorization: Bearer …`.',
    secret: true,
  }),
  ONOMA_X402_MAX_GAS_SHARE: optional(kinds.share, {
    unset: '0.25',
    meaning: 'Share of an x402 payment that its gas may cost; above it, paid requests get 503 before the work.',
  }),
  ONOMA_X402_MAX_ETHER_USD: optional(kinds.wholeNumber(1, 10_000_000), {
    unset: '5000',
    meaning: 'Highest price of ether, in dollars, that the cost of gas is computed with.',
  }),
  ONOMA_X402_MAX_GAS_GWEI: optional(kinds.wholeNumber(1, 10_000), {
    unset: 'the share of the payment alone decides',
    meaning: 'Additional limit of the gas price, in gwei, at which x402 payments are settled.',
  }),
  ONOMA_X402_WALLET_FACTORIES: optional(kinds.ethereumAddresses, {
    unset: 'none',
    meaning:
      'Contracts, comma-separated, that may deploy the wallet of an x402 payer together with its payment (ERC-6492), where the price covers the gas.',
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
  ONOMA_MPP_MAX_VALIDITY_SECONDS: optional(kinds.wholeNumber(10, 3600), {
    unset: '60',
    meaning:
      'How far in the future an MPP transaction with an expiring nonce may end. Tempo allows 30 seconds today; the rest is tolerance for clocks.',
  }),
  ...PROVIDER_SETTINGS,
  ONOMA_SANDBOX: used(kinds.onOrOff, {
    default: 'off',
    meaning:
      'Set by the sandbox command only: everything outside is simulated. Rejected together with live payment settings.',
  }),
  ONOMA_SANDBOX_PAGES: optional(kinds.wholeNumber(1, 65_535), {
    unset: 'none',
    meaning: 'Set by the sandbox command only: loopback port that serves every page of the simulated web.',
  }),

  ONOMA_DATABASE_URL: reservedSecret('PostgreSQL database shared by several instances.', 'embedded'),
  ONOMA_REDIS_URL: reservedSecret('Redis or Valkey for rate limits, shared cache and payment claims.', 'embedded'),
  ONOMA_WORKERS: { default: '1', meaning: 'Processes that share the port on one machine.' },
} as const satisfies SettingTable

/** Settings for real payments; the sandbox refuses to run with them. */
export const isLivePayment = (name: string): boolean => /^ONOMA_(PAY_TO(_FILE)?$|X402_|MPP_)/.test(name)
