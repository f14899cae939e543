import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { problemsOf } from './config.fixture.ts'
import { loadConfig } from './config.ts'
import { SETTINGS, type SettingTable } from './table.ts'

test('without any setting the configuration is complete', () => {
  assert.deepEqual(loadConfig({}), {
    host: '127.0.0.1',
    port: 8080,
    ensPort: 8081,
    publicUrl: 'http://127.0.0.1:8080',
    dataDir: './var',
    rateLimit: 60,
    limits: { documentRateLimit: 300, maxConnectionsPerClient: 256, maxRequests: 2_000, drainSeconds: 5 },
    trustedProxies: [],
    dnsServers: null,
    dohUrls: ['https://cloudflare-dns.com/dns-query', 'https://dns.google/dns-query'],
    proxy: null,
    dnsAuthoritative: true,
    tldServers: null,
    rdapBootstrap: null,
    whoisServersFile: null,
    registrarsFile: null,
    ethRpcUrls: null,
    ensContractsFile: null,
    keys: null,
    trademarkOffice: { url: 'https://api.uspto.gov/api/v1/datasets/products', key: null },
    trademarkEnrichment: null,
    aftermarket: { sourceA: null, sourceB: null, sourceC: null, sourceD: null, dns: true },
    prices: { url: 'https://api.porkbun.com/api/json/v3/pricing/get', premium: null },
    auctions: [],
    saleFeeds: [],
    auctionTermsAccepted: false,
    engines: { a: { kind: 'open', url: null, key: null }, b: null },
    contact: null,
    chromium: null,
    browserSandbox: true,
    screenshots: { days: 30, megabytes: 2048, s3: null },
    sandboxPages: null,
    trademarkIndex: 'var/trademark',
    payments: {
      mode: 'simulated',
      payTo: null,
      x402: {
        rpcUrls: null,
        settlementKey: null,
        facilitatorUrl: null,
        facilitatorAuth: null,
        walletFactories: [],
        gas: { maxShare: 0.25, maxEtherUsd: 5000, maxGwei: null },
      },
      mpp: { rpcUrls: null, currency: null, maxValiditySeconds: 60 },
    },
    logLevel: 'info',
    metrics: { host: '127.0.0.1', port: 9464, explicit: false },
    sandbox: false,
    namedHosts: {},
    warnings: [],
  })
})

test('the configuration is immutable', () => {
  const config = loadConfig({ ONOMA_TRUSTED_PROXIES: '10.0.0.0/8' })
  for (const part of [config, config.trustedProxies, config.metrics, config.warnings]) assert.ok(Object.isFrozen(part))
})

test('every default of the table is accepted by its own kind', () => {
  for (const [name, setting] of Object.entries(SETTINGS as SettingTable)) {
    if (setting.kind && setting.default !== '') assert.notEqual(setting.kind.read(setting.default), undefined, name)
    assert.ok(setting.default !== '' || setting.unset, `${name} says what happens without it`)
  }
})

test('an empty setting counts as not set, and values are trimmed', () => {
  assert.equal(loadConfig({ PORT: '', ONOMA_LOG_LEVEL: ' ' }).port, 8080)
  assert.equal(loadConfig({ PORT: ' 9000 ' }).port, 9000)
  assert.deepEqual(loadConfig({ ONOMA_DNS_SERVERS: '' }).warnings, [])
})

test('a number out of range or an invalid one is rejected with the range in the message', () => {
  assert.deepEqual(problemsOf({ PORT: '65536', ONOMA_RATE_LIMIT: '0' }), [
    'PORT must be a whole number from 0 to 65535, not "65536".',
    'ONOMA_RATE_LIMIT must be a whole number of at least 1, or off, not "0".',
  ])
  fc.assert(
    fc.property(fc.oneof(fc.integer({ min: -5, max: 70_000 }).map(String), fc.string()), (value) => {
      const trimmed = value.trim()
      const right = /^(?:off)?$/i.test(trimmed) || (/^\d+$/.test(trimmed) && Number(trimmed) >= 1)
      assert.equal(problemsOf({ ONOMA_RATE_LIMIT: value }).length, right ? 0 : 1)
    }),
  )
})

test('the rate limit has no upper bound, and can be turned off', () => {
  const limitOf = (text: string) => loadConfig({ ONOMA_RATE_LIMIT: text }).rateLimit
  assert.equal(limitOf('65536'), 65_536)
  assert.equal(limitOf('10000000000'), 10_000_000_000)
  assert.equal(limitOf('9'.repeat(40)), 999_999_999_999_999)
  for (const word of ['off', 'OFF', ' off ']) assert.equal(limitOf(word), null)
})

test('all problems are reported at once', () => {
  const problems = problemsOf({ PORT: 'http', ENS_PORT: '-1', ONOMA_METRICS: 'maybe', ONOMA_NONSENSE_AT_ALL: '1' })
  assert.equal(problems.length, 4)
  for (const name of ['PORT', 'ENS_PORT', 'ONOMA_METRICS', 'ONOMA_NONSENSE_AT_ALL']) {
    assert.ok(
      problems.some((problem) => problem.startsWith(name)),
      name,
    )
  }
})

test('a provider with a part of its credentials is an error that names the rest', () => {
  const rows: [Record<string, string>, string][] = [
    [{ ONOMA_AFTERMARKET_SOURCE_A_PARTNER_ID: 'me' }, 'ONOMA_AFTERMARKET_SOURCE_A_SIGN_KEY'],
    [{ ONOMA_AFTERMARKET_SOURCE_A_SIGN_KEY: 'key' }, 'ONOMA_AFTERMARKET_SOURCE_A_PARTNER_ID'],
    [{ ONOMA_AFTERMARKET_SOURCE_A_USERNAME: 'jo' }, 'ONOMA_AFTERMARKET_SOURCE_A_PASSWORD'],
    [{ ONOMA_AFTERMARKET_SOURCE_D_KEY: 'key' }, 'ONOMA_AFTERMARKET_SOURCE_D_SECRET_KEY'],
    [{ ONOMA_PREMIUM_KEY: 'key' }, 'ONOMA_PREMIUM_REGISTRAR'],
    [{ ONOMA_PREMIUM_REGISTRAR: 'porkbun', ONOMA_PREMIUM_KEY: 'key' }, 'ONOMA_PREMIUM_SECRET_KEY'],
    [
      { ONOMA_PREMIUM_REGISTRAR: 'namecheap', ONOMA_PREMIUM_KEY: 'key', ONOMA_PREMIUM_USER: 'jo' },
      'ONOMA_PREMIUM_CLIENT_IP',
    ],
  ]
  for (const [env, missing] of rows) {
    const problems = problemsOf(env)
    assert.deepEqual([problems.length, problems[0]?.startsWith(`${missing} is missing: `)], [1, true], missing)
  }
})

test('port 0 turns the second listener off', () => {
  assert.equal(loadConfig({ ENS_PORT: '0' }).ensPort, null)
})

test('two listeners may not share a port', () => {
  assert.match(problemsOf({ PORT: '8081' })[0]!, /PORT and ENS_PORT are both 8081/)
  assert.deepEqual(problemsOf({ PORT: '9464' }), [])
  assert.match(problemsOf({ PORT: '9464', ONOMA_METRICS: 'on' })[0]!, /PORT and ONOMA_METRICS both use port 9464/)
  assert.match(problemsOf({ HOST: '::', ONOMA_METRICS: '10.0.0.1:8081' })[0]!, /ENS_PORT and ONOMA_METRICS/)
  assert.deepEqual(problemsOf({ HOST: '10.0.0.1', PORT: '9464', ONOMA_METRICS: 'on' }), [])
  assert.deepEqual(problemsOf({ PORT: '0', ENS_PORT: '0', ONOMA_METRICS: '0' }), [])
})

for (const [value, host] of [
  ['0.0.0.0', '0.0.0.0'],
  ['::1', '::1'],
  ['[::1]', '::1'],
  ['names.example.org', 'names.example.org'],
  ['localhost', 'localhost'],
] as const) {
  test(`HOST=${value} is an address to listen on`, () => assert.equal(loadConfig({ HOST: value }).host, host))
}

for (const value of ['http://localhost', 'localhost:80', '10.0.0', '1.2.3.256', 'a b', '-a', '::g', '[::1]:80']) {
  test(`HOST=${value} is rejected`, () => assert.match(problemsOf({ HOST: value })[0]!, /^HOST must be an IP address/))
}

for (const [env, url] of [
  [{ HOST: '0.0.0.0' }, 'http://127.0.0.1:8080'],
  [{ HOST: '::' }, 'http://[::1]:8080'],
  [{ HOST: '::1', PORT: '80' }, 'http://[::1]'],
  [{ ONOMA_PUBLIC_URL: 'https://names.example.org/' }, 'https://names.example.org'],
  [{ ONOMA_PUBLIC_URL: 'https://Example.org/onoma//' }, 'https://example.org/onoma'],
] as const) {
  test(`${JSON.stringify(env)} gives the public URL ${url}`, () => assert.equal(loadConfig(env).publicUrl, url))
}

for (const value of [
  'names.example.org',
  'ftp://a.b',
  'https://',
  'https://a.b/?x=1',
  'https://a.b/#x',
  'https://a.b?',
]) {
  test(`ONOMA_PUBLIC_URL=${value} is rejected`, () => assert.equal(problemsOf({ ONOMA_PUBLIC_URL: value }).length, 1))
}

test('a password in a public URL is rejected and not echoed', () => {
  const [problem] = problemsOf({ ONOMA_PUBLIC_URL: 'https://me:hunter/2@a.b' })
  assert.match(problem!, /^ONOMA_PUBLIC_URL must be an http or https URL without user, password/)
  assert.doesNotMatch(problem!, /hunter/)
})

for (const [value, ranges] of [
  ['10.0.0.0/8, fd00::/8,192.0.2.1', ['10.0.0.0/8', 'fd00::/8', '192.0.2.1']],
  ['::1/128', ['::1/128']],
  ['0.0.0.0/0', ['0.0.0.0/0']],
] as const) {
  test(`ONOMA_TRUSTED_PROXIES=${value} is accepted`, () =>
    assert.deepEqual(loadConfig({ ONOMA_TRUSTED_PROXIES: value }).trustedProxies, ranges))
}

for (const value of [
  '10.0.0.0/33',
  '::/129',
  '10.0.0.0/',
  '10.0.0/8',
  'proxy',
  '10.0.0.1,',
  'fe80::1%eth0',
  '1.1.1.1/-1',
]) {
  test(`ONOMA_TRUSTED_PROXIES=${value} is rejected`, () =>
    assert.match(
      problemsOf({ ONOMA_TRUSTED_PROXIES: value })[0]!,
      /^ONOMA_TRUSTED_PROXIES must be IP addresses or CIDR/,
    ))
}

for (const [value, metrics] of [
  ['off', null],
  ['on', { host: '127.0.0.1', port: 9464, explicit: true }],
  ['9100', { host: '127.0.0.1', port: 9100, explicit: true }],
  ['0.0.0.0:9100', { host: '0.0.0.0', port: 9100, explicit: true }],
  ['[::1]:9100', { host: '::1', port: 9100, explicit: true }],
  ['metrics.internal:9100', { host: 'metrics.internal', port: 9100, explicit: true }],
] as const) {
  test(`ONOMA_METRICS=${value} is accepted`, () =>
    assert.deepEqual(loadConfig({ ONOMA_METRICS: value }).metrics, metrics))
}

for (const value of ['70000', '::1', '::1:9100', ':9100', 'host:', 'true', '[::1]']) {
  test(`ONOMA_METRICS=${value} is rejected`, () =>
    assert.match(problemsOf({ ONOMA_METRICS: value })[0]!, /^ONOMA_METRICS must be on, off, a port, or host:port/))
}

test('the log level is one of six words', () => {
  assert.equal(loadConfig({ ONOMA_LOG_LEVEL: 'Debug' }).logLevel, 'debug')
  assert.match(problemsOf({ ONOMA_LOG_LEVEL: 'verbose' })[0]!, /one of trace, debug, info, warn, error, silent/)
})
