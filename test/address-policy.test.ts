import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { startDoor } from './support/door.ts'
import { loadFeeds } from '../src/auctions/sources/feed/load-feeds.ts'
import { runSync } from '../src/auctions/sources/sync-run.ts'
import { systemClock } from '../src/kernel/clock.ts'
import type { Log } from '../src/kernel/log.ts'
import type { DomainName } from '../src/kernel/names.ts'
import type { Upstream } from '../src/kernel/upstream/client.ts'
import { porkbunCheck } from '../src/registrars/sources/porkbun-check.ts'
import { fetchPorkbunPrices } from '../src/registrars/sources/porkbun-prices.ts'
import { secureRandom } from '../src/kernel/random.ts'
import { loadCatalogue } from '../src/tlds/catalogue.ts'
import { openBrowser } from '../src/app/wiring/browser.ts'
import { composeRoutes } from '../src/app/compose.ts'
import { type Config, loadConfig } from '../src/app/settings/config.ts'
import { UpstreamError } from '../src/kernel/errors.ts'
import { openEngines } from '../src/app/wiring/engines.ts'
import { openEthereum } from '../src/app/wiring/ethereum.ts'
import { openMarketplaces } from '../src/app/wiring/marketplaces.ts'
import { createOutbound } from '../src/app/wiring/outbound.ts'
import { checkLivePayments } from '../src/app/wiring/payments.ts'
import { openRegistries } from '../src/app/wiring/registries.ts'
import { fetchTrademarks } from '../src/app/commands/trademark-fetch.ts'
import { parseFetchOptions } from '../src/app/commands/trademark-fetch-options.ts'
import { openTrademarkRecords } from '../src/app/wiring/trademark-records.ts'

const NEVER = new AbortController().signal
const DOMAIN = 'example.com' as DomainName

/** Listens on a loopback address and counts connections; every request gets the same answer. */
async function listen(t: TestContext, host: string, answer = 'HTTP/1.1 500 Broken\r\nconnection: close\r\n\r\n') {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.on('error', () => {})
    socket.once('data', () => socket.end(answer))
  })
  server.listen(0, host)
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  return { server, host: `${host}:${port}`, url: `http://${host}:${port}`, connections: () => connections }
}

type ProviderContext = {
  readonly config: Config
  readonly log: Log
  readonly folder: string
  /** Aborts once the server was contacted or refused: registries would retry otherwise. */
  readonly signal: AbortSignal
  say(line: string): void
}
type Provider = {
  /** Settings that name the server, and everything else the provider needs. */
  env(server: { host: string; url: string }, folder: string): Record<string, string>
  /** Sends one request; its success does not matter. */
  ask(context: ProviderContext): Promise<unknown>
  /** Set if the sandbox refuses these settings. */
  readonly noSandbox?: true
}

const base = { clock: systemClock, random: secureRandom }

const needsOf = ({ config, log }: ProviderContext) => ({
  ...base,
  config,
  log,
  outbound: createOutbound({ config, clock: systemClock, log }),
})

async function withRegistries(context: ProviderContext, ask: (open: ReturnType<typeof openRegistries>) => unknown) {
  const registries = openRegistries({ ...needsOf(context), catalogue: loadCatalogue() })
  try {
    await ask(registries)
  } finally {
    await registries.close()
  }
}

/** Options with a deadline that is never reached: the signal ends the lookup. */
const lookupOptions = (signal: AbortSignal) => ({ signal, lane: 'test', deadline: systemClock.monotonic() + 300_000 })

async function thenClose(asked: Promise<unknown>, close: () => Promise<void>) {
  try {
    await asked
  } finally {
    await close()
  }
}

async function askMarketplace(context: ProviderContext, id: string) {
  const registries = { dns: null as never, recursors: [], delegations: null as never, serversOf: () => [] }
  const others = { registries, suffixes: new Set<string>(), auctions: null, salePageOf: () => null }
  const { marketplaces, close } = openMarketplaces({ ...needsOf(context), ...others })
  await thenClose(marketplaces.find((one) => one.id === id)!.find(DOMAIN, NEVER), close)
}

async function withRegistrar(context: ProviderContext, ask: (upstream: Upstream) => Promise<unknown>) {
  const upstream = needsOf(context).outbound.open('registrar')
  await thenClose(ask(upstream), () => upstream.close())
}

/** The engines under test are asked over HTTP only. */
const NO_DNS = {
  async lookUp(): Promise<never> {
    throw new UpstreamError('unavailable', 'no DNS in this test')
  },
}

async function askEngine(context: ProviderContext) {
  const { engines, close } = openEngines({ ...needsOf(context), dns: NO_DNS })
  await thenClose(engines[0]!.search('example', NEVER), close)
}

const engine = (kind: string): Provider => ({
  env: ({ url }) => ({
    ONOMA_ENGINE_A_KIND: kind,
    ONOMA_ENGINE_A_URL: url,
    ONOMA_ENGINE_A_KEY: 'secret-key',
    ONOMA_ENGINE_A_CX: 'cx',
  }),
  ask: askEngine,
})

const payments = (env: (url: string) => Record<string, string>): Provider => ({
  env: ({ url }) => ({ ONOMA_PAY_TO: `0x${'11'.repeat(20)}`, ...env(url) }),
  ask: (context) => checkLivePayments(needsOf(context)),
  noSandbox: true,
})

/** Every provider whose address an operator can set. */
const PROVIDERS: Readonly<Record<string, Provider>> = {
  'marketplace source_a': {
    env: ({ url }) => ({
      ONOMA_AFTERMARKET_SOURCE_A_URL: url,
      ONOMA_AFTERMARKET_SOURCE_A_PARTNER_ID: 'me',
      ONOMA_AFTERMARKET_SOURCE_A_SIGN_KEY: 'secret-key',
    }),
    ask: (context) => askMarketplace(context, 'source_a'),
  },
  'marketplace source_b': {
    env: ({ url }) => ({ ONOMA_AFTERMARKET_SOURCE_B_URL: url, ONOMA_AFTERMARKET_SOURCE_B_KEY: 'secret-key' }),
    ask: (context) => askMarketplace(context, 'source_b'),
  },
  'marketplace source_c': {
    env: ({ url }) => ({ ONOMA_AFTERMARKET_SOURCE_C_URL: url, ONOMA_AFTERMARKET_SOURCE_C_KEY: 'secret-key' }),
    ask: (context) => askMarketplace(context, 'source_c'),
  },
  'marketplace source_d': {
    env: ({ url }) => ({
      ONOMA_AFTERMARKET_SOURCE_D_URL: url,
      ONOMA_AFTERMARKET_SOURCE_D_KEY: 'secret-key',
      ONOMA_AFTERMARKET_SOURCE_D_SECRET_KEY: 'secret-key',
    }),
    ask: (context) => askMarketplace(context, 'source_d'),
  },
  'price list': {
    env: ({ url }) => ({ ONOMA_PRICES_URL: url }),
    ask: ({ config, ...context }) =>
      withRegistrar({ config, ...context }, (upstream) =>
        fetchPorkbunPrices({ upstream, url: config.prices.url! }, NEVER),
      ),
  },
  'premium names': {
    env: ({ url }) => ({
      ONOMA_PREMIUM_REGISTRAR: 'porkbun',
      ONOMA_PREMIUM_URL: url,
      ONOMA_PREMIUM_KEY: 'secret-key',
      ONOMA_PREMIUM_SECRET_KEY: 'secret-key',
    }),
    ask: ({ config, ...context }) =>
      withRegistrar({ config, ...context }, (upstream) => {
        const { premium } = config.prices
        return porkbunCheck({ upstream, key: '', secretKey: 'secret-key', url: premium!.url }).check(DOMAIN, NEVER)
      }),
  },
  'auction feed': {
    env: ({ url }) => ({
      ONOMA_AUCTIONS_SOURCE_B_URL: `${url}/feed.csv?key=secret-key`,
      ONOMA_AUCTIONS_SOURCE_B_PRESET: 'namecheap',
    }),
    async ask({ config, folder, say }) {
      const [settings] = loadFeeds(config.auctions)
      const path = join(folder, 'auctions.sqlite')
      const order = { path, settings: settings!, userAgent: 'test', sandbox: config.sandbox, holder: 'me' }
      say((await runSync(order, { clock: systemClock, signal: NEVER })).problem ?? '')
    },
  },
  searxng: engine('searxng'),
  brave: engine('brave'),
  'open knowledge': engine('open'),
  ...Object.fromEntries(['serper', 'tavily', 'exa', 'mojeek'].map((kind) => [kind, engine(kind)])),
  google: engine('google'),
  'screenshots in S3': {
    env: ({ url }) => ({
      ONOMA_SCREENSHOTS_S3_URL: url,
      ONOMA_SCREENSHOTS_S3_BUCKET: 'pictures',
      ONOMA_SCREENSHOTS_S3_ACCESS_KEY: 'access',
      ONOMA_SCREENSHOTS_S3_SECRET_KEY: 'secret-key',
    }),
    async ask(context) {
      const resolve = async () => []
      const { screenshots, close } = openBrowser({ ...needsOf(context), resolve, secret: () => Buffer.from('key') })
      await thenClose(screenshots.put(Buffer.from('picture'), NEVER), close)
    },
  },
  'Ethereum node': {
    env: ({ url }) => ({ ONOMA_ETH_RPC_URLS: `${url}/secret-key` }),
    async ask(context) {
      const { start, close } = openEthereum(needsOf(context))
      await thenClose(start(), close)
    },
  },
  'x402 node': payments((url) => ({
    ONOMA_X402_RPC_URLS: `${url}/secret-key`,
    ONOMA_X402_SETTLEMENT_KEY: `0x${'22'.repeat(32)}`,
  })),
  'x402 facilitator': payments((url) => ({
    ONOMA_X402_RPC_URLS: 'http://127.0.0.1:9/secret-key',
    ONOMA_X402_FACILITATOR_URL: url,
  })),
  // MPP is left out: it shares the rules of x402, and live mode refuses a loopback node before contacting it.
  'trademark records': {
    env: ({ url }) => ({ ONOMA_TRADEMARK_ENRICHMENT_URL: `${url}/{serial}` }),
    async ask(context) {
      const { enrich, close } = openTrademarkRecords(needsOf(context))
      await enrich!(['70000001'], NEVER)
      await close()
    },
  },
  'trademark office': {
    env: ({ url }) => ({ ONOMA_TRADEMARK_OFFICE_URL: url, ONOMA_TRADEMARK_OFFICE_KEY: 'secret-key' }),
    async ask({ config, say }) {
      const output = { write: (line: string) => say(line) }
      const importFiles = async () => true
      await fetchTrademarks(parseFetchOptions([]), { ...base, config, output, signal: NEVER, importFiles })
    },
  },
  'name servers of TLDs, at a URL': {
    env: ({ url }) => ({ ONOMA_TLD_SERVERS: url }),
    ask: (context) =>
      withRegistries(context, async (registries) => {
        await registries.start()
        await registries.loaded()
      }),
  },
  'RDAP bootstrap, at a URL': {
    env: ({ url }) => ({ ONOMA_RDAP_BOOTSTRAP: url }),
    ask: (context) => withRegistries(context, (registries) => registries.bootstrap.refresh()),
  },
  'RDAP server of a bootstrap file': {
    env({ host }, folder) {
      const file = join(folder, 'dns.json')
      const services = [[['com'], [`https://${host}/`]]]
      writeFileSync(file, JSON.stringify({ publication: '2026-01-01T00:00:00Z', services }))
      return { ONOMA_RDAP_BOOTSTRAP: file }
    },
    ask: (context) =>
      withRegistries(context, ({ rdap }) => rdap({ domain: DOMAIN, tld: 'com' }, lookupOptions(context.signal))),
  },
  'WHOIS server of a file': {
    env({ host }, folder) {
      const file = join(folder, 'whois.json')
      writeFileSync(file, JSON.stringify({ com: host }))
      return { ONOMA_WHOIS_SERVERS: file }
    },
    ask: (context) =>
      withRegistries(context, ({ whois }) => whois({ domain: DOMAIN, tld: 'com' }, lookupOptions(context.signal))),
  },
}

/** Makes one request to a provider; returns everything it logged, reported or threw, as text. */
async function ask(t: TestContext, { env, ask }: Provider, place: Awaited<ReturnType<typeof listen>>, more = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const lines: string[] = []
  const decided = new AbortController()
  place.server.once('connection', () => decided.abort(new Error('the server was contacted')))
  const say = (line: string) => {
    lines.push(line)
    if (line.includes('refused: ')) decided.abort(new Error('the connection was refused'))
  }
  const write = (facts: object, sentence: string) => say(`${sentence} ${JSON.stringify(facts)}`)
  const log = { debug() {}, info() {}, warn: write, error: write }
  const config = loadConfig({ ONOMA_DATA_DIR: folder, ...env(place, folder), ...more })
  await ask({ config, log, folder, say, signal: decided.signal }).catch((error: unknown) => say(String(error)))
  return lines.join('\n')
}

suite('a host that an operator names in a setting', () => {
  for (const [name, provider] of Object.entries(PROVIDERS)) {
    test(`may have a private address: ${name}`, async (t) => {
      const server = await listen(t, '127.0.0.2')
      const said = await ask(t, provider, server)
      assert.ok(server.connections() > 0, said)
      assert.doesNotMatch(said, /refused: |secret-key/)
    })

    test(`cannot redirect to another private host: ${name}`, async (t) => {
      const inside = await listen(t, '127.0.0.3')
      const redirect = `HTTP/1.1 302 Found\r\nlocation: ${inside.url}/x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`
      const outside = await listen(t, '127.0.0.2', redirect)
      const said = await ask(t, provider, outside)
      assert.equal(inside.connections(), 0)
      assert.doesNotMatch(said, /secret-key/)
    })

    if (provider.noSandbox) continue
    test(`is contacted in the sandbox only on the address of the simulation: ${name}`, async (t) => {
      const real = await listen(t, '127.0.0.2')
      const refused = await ask(t, provider, real, { ONOMA_SANDBOX: 'on' })
      assert.equal(real.connections(), 0)
      assert.match(refused, new RegExp(`refused: ${RegExp.escape(real.host)} is an address that is not allowed here`))
      assert.doesNotMatch(refused, /secret-key/)
      const simulated = await listen(t, '127.0.0.1')
      const said = await ask(t, provider, simulated, { ONOMA_SANDBOX: 'on' })
      assert.ok(simulated.connections() > 0, said)
    })
  }

  test('that redirects to another private host is refused, with the setting that would allow it', async (t) => {
    const inside = await listen(t, '127.0.0.3')
    const redirect = `HTTP/1.1 302 Found\r\nlocation: ${inside.url}/x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`
    const said = await ask(t, PROVIDERS['auction feed']!, await listen(t, '127.0.0.2', redirect))
    const setting = 'ONOMA_AUCTIONS_SOURCE_B_URL'
    assert.ok(said.includes(`refused: ${inside.host} is a private address; name it in ${setting} to allow it`), said)
  })

  test('has the reason of a refusal in the API response', async (t) => {
    const place = await listen(t, '127.0.0.2')
    const env = {
      ONOMA_AFTERMARKET_SOURCE_B_URL: place.url,
      ONOMA_AFTERMARKET_SOURCE_B_KEY: 'secret-key',
      ONOMA_SANDBOX: 'on',
    }
    const capabilities = composeRoutes(loadConfig(env))
    const door = await startDoor(capabilities.routes)
    t.after(async () => {
      await door.stop()
      await capabilities.close()
    })
    const { status, body, text } = await door.get('/v1/aftermarket/example.com?sources=source_b')
    const [error] = (body as { errors: { code: string; message: string }[] }).errors
    const message = `source_b: refused: ${place.host} is an address that is not allowed here.`
    assert.partialDeepStrictEqual([status, error], [503, { code: 'unavailable', message }])
    assert.doesNotMatch(text, /secret-key/)
  })
})
