import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { ConfigError, loadConfig, settingsInForce } from './config.ts'
import { readSettings } from './read.ts'
import { text, wholeNumber } from './kinds.ts'
import { SETTINGS } from './table.ts'
import type { SettingTable } from './table.ts'

type Env = Record<string, string | undefined>

function problemsOf(env: Env): readonly string[] {
  try {
    loadConfig(env)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems
  }
  return []
}

test('with no setting at all there is a complete configuration', () => {
  assert.deepEqual(loadConfig({}), {
    host: '127.0.0.1',
    port: 8080,
    ensPort: 8081,
    publicUrl: 'http://127.0.0.1:8080',
    dataDir: './var',
    rateLimit: 60,
    trustedProxies: [],
    dnsServers: null,
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
    aftermarket: { sourceA: null, sourceB: null, dns: false },
    auctions: [],
    engines: { a: null, b: null },
    chromium: null,
    screenshots: { days: 30, megabytes: 2048, s3: null },
    sandboxPages: null,
    trademarkIndex: 'var/trademark',
    payments: {
      mode: 'simulated',
      payTo: null,
      x402: { rpcUrls: null, settlementKey: null, facilitatorUrl: null, maxGasGwei: 5 },
      mpp: { rpcUrls: null, currency: null },
    },
    logLevel: 'info',
    metrics: { host: '127.0.0.1', port: 9464, explicit: false },
    sandbox: false,
    namedHosts: {},
    warnings: [],
  })
})

test('the configuration cannot be changed after it was read', () => {
  const config = loadConfig({ ONOMA_TRUSTED_PROXIES: '10.0.0.0/8' })
  for (const part of [config, config.trustedProxies, config.metrics, config.warnings]) assert.ok(Object.isFrozen(part))
})

test('every default of the table is accepted by its own kind', () => {
  for (const [name, setting] of Object.entries(SETTINGS as SettingTable)) {
    if (setting.kind && setting.default !== '') assert.notEqual(setting.kind.read(setting.default), undefined, name)
    assert.ok(setting.default !== '' || setting.unset, `${name} says what happens without it`)
  }
})

test('a setting left empty is a setting not made, and space around a value does not count', () => {
  assert.equal(loadConfig({ PORT: '', ONOMA_LOG_LEVEL: ' ' }).port, 8080)
  assert.equal(loadConfig({ PORT: ' 9000 ' }).port, 9000)
  assert.deepEqual(loadConfig({ ONOMA_DNS_SERVERS: '' }).warnings, [])
})

test('a number outside its range, or no number, is refused with the range in the sentence', () => {
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

test('all problems are told at once', () => {
  const problems = problemsOf({ PORT: 'http', ENS_PORT: '-1', ONOMA_METRICS: 'maybe', ONOMA_NONSENSE_AT_ALL: '1' })
  assert.equal(problems.length, 4)
  for (const name of ['PORT', 'ENS_PORT', 'ONOMA_METRICS', 'ONOMA_NONSENSE_AT_ALL']) {
    assert.ok(
      problems.some((problem) => problem.startsWith(name)),
      name,
    )
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
  test(`HOST=${value} is refused`, () => assert.match(problemsOf({ HOST: value })[0]!, /^HOST must be an IP address/))
}

for (const [env, url] of [
  [{ HOST: '0.0.0.0' }, 'http://127.0.0.1:8080'],
  [{ HOST: '::' }, 'http://[::1]:8080'],
  [{ HOST: '::1', PORT: '80' }, 'http://[::1]'],
  [{ ONOMA_PUBLIC_URL: 'https://names.example.org/' }, 'https://names.example.org'],
  [{ ONOMA_PUBLIC_URL: 'https://Example.org/onoma//' }, 'https://example.org/onoma'],
] as const) {
  test(`${JSON.stringify(env)} makes links that start with ${url}`, () => assert.equal(loadConfig(env).publicUrl, url))
}

for (const value of [
  'names.example.org',
  'ftp://a.b',
  'https://',
  'https://a.b/?x=1',
  'https://a.b/#x',
  'https://a.b?',
]) {
  test(`ONOMA_PUBLIC_URL=${value} is refused`, () => assert.equal(problemsOf({ ONOMA_PUBLIC_URL: value }).length, 1))
}

test('a password in a public URL is refused and not repeated', () => {
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
  test(`ONOMA_TRUSTED_PROXIES=${value} is refused`, () =>
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
  test(`ONOMA_METRICS=${value} is understood`, () =>
    assert.deepEqual(loadConfig({ ONOMA_METRICS: value }).metrics, metrics))
}

for (const value of ['70000', '::1', '::1:9100', ':9100', 'host:', 'true', '[::1]']) {
  test(`ONOMA_METRICS=${value} is refused`, () =>
    assert.match(problemsOf({ ONOMA_METRICS: value })[0]!, /^ONOMA_METRICS must be on, off, a port, or host:port/))
}

test('the log level is one of six words', () => {
  assert.equal(loadConfig({ ONOMA_LOG_LEVEL: 'Debug' }).logLevel, 'debug')
  assert.match(problemsOf({ ONOMA_LOG_LEVEL: 'verbose' })[0]!, /one of trace, debug, info, warn, error, silent/)
})

const PAYEE = '0x52908400098527886E0F7030069857D2E4169EE7'
const KEY = `0x${'5a'.repeat(32)}`
const LIVE = { ONOMA_PAY_TO: PAYEE, ONOMA_X402_RPC_URLS: 'https://base.example', ONOMA_X402_SETTLEMENT_KEY: KEY }

for (const [name, value] of Object.entries({ ...LIVE, ONOMA_MPP_RPC_URLS: 'https://tempo.example' })) {
  test(`the sandbox refuses to run beside ${name}`, () => {
    const [problem] = problemsOf({ ONOMA_SANDBOX: 'on', [name]: value })
    assert.match(problem!, /^ONOMA_SANDBOX is on beside live payment settings/)
    assert.ok(problem!.includes(name))
    assert.deepEqual(problemsOf({ ONOMA_SANDBOX: 'on', [name]: '' }), [])
  })
}

test('money is simulated on a machine of one’s own, off where others can reach it, and live as soon as it is set up', () => {
  const modeOf = (env: Record<string, string>) => loadConfig(env).payments.mode
  assert.equal(modeOf({}), 'simulated')
  for (const HOST of ['127.0.0.1', '127.8.8.8', '::1', 'localhost']) assert.equal(modeOf({ HOST }), 'simulated', HOST)
  for (const HOST of ['0.0.0.0', '::', '192.0.2.1', 'names.example', '128.0.0.1', '127.names.example'])
    assert.equal(modeOf({ HOST }), 'off')
  assert.equal(modeOf({ NODE_ENV: 'production' }), 'off')
  assert.equal(modeOf({ ONOMA_SANDBOX: 'on', HOST: '0.0.0.0' }), 'off')
  assert.equal(modeOf(LIVE), 'live')
  assert.equal(modeOf({ ...LIVE, HOST: '0.0.0.0', NODE_ENV: 'production' }), 'live')
})

for (const [env, problem] of [
  [{ ONOMA_PAY_TO: PAYEE }, /Set ONOMA_X402_RPC_URLS, ONOMA_MPP_RPC_URLS or both/],
  [{ ONOMA_MPP_RPC_URLS: 'https://tempo.example' }, /ONOMA_PAY_TO is missing/],
  [
    { ...LIVE, ONOMA_X402_SETTLEMENT_KEY: '' },
    /exactly one of ONOMA_X402_SETTLEMENT_KEY and ONOMA_X402_FACILITATOR_URL/,
  ],
  [{ ...LIVE, ONOMA_X402_FACILITATOR_URL: 'https://f.example' }, /exactly one of/],
  [{ ONOMA_PAY_TO: PAYEE, ONOMA_X402_SETTLEMENT_KEY: KEY }, /ONOMA_X402_RPC_URLS/],
  [{ ...LIVE, ONOMA_PAY_TO: '0x1234' }, /^ONOMA_PAY_TO must be an Ethereum address/],
  [{ ...LIVE, ONOMA_X402_SETTLEMENT_KEY: 'hunter2' }, /^ONOMA_X402_SETTLEMENT_KEY must be a private key/],
] as const) {
  test(`${JSON.stringify(env).replaceAll('5a', '')} is refused in words`, () => {
    const problems = problemsOf(env)
    assert.ok(
      problems.some((one) => problem.test(one)),
      problems.join('\n'),
    )
    assert.ok(!problems.join().includes('hunter2') && !problems.join().includes('5a5a'))
  })
}

test('a setting this version does not use yet gives a warning, never silence', () => {
  const { warnings } = loadConfig({ ONOMA_REDIS_URL: 'redis://cache.example', ONOMA_WORKERS: '4' })
  assert.deepEqual(warnings, [
    'ONOMA_REDIS_URL is set, but this version does not use it yet.',
    'ONOMA_WORKERS is set, but this version does not use it yet.',
  ])
})

for (const [name, hint] of [
  ['ONOMA_RATELIMIT', 'did you mean ONOMA_RATE_LIMIT?'],
  ['ONOMA_PORT', 'did you mean PORT?'],
  ['ONOMA_LOGLEVEL', 'did you mean ONOMA_LOG_LEVEL?'],
  ['ONOMA_ENIGNE_A_KEY', 'did you mean ONOMA_ENGINE_A_KEY?'],
  ['ONOMA_SOMETHING_ELSE_ALTOGETHER', 'without it, onoma config lists the names there are.'],
  ['ONOMA_RATE_LIMIT_FILE', 'ONOMA_RATE_LIMIT is no secret, set it directly.'],
  ['ONOMA_CONSTRUCTOR', 'without it, onoma config lists the names there are.'],
] as const) {
  test(`the unknown name ${name} is an error that says: ${hint}`, () => {
    const [problem, ...more] = problemsOf({ [name]: 'x' })
    assert.ok(problem!.startsWith(name) && problem!.endsWith(hint), problem)
    assert.deepEqual(more, [])
    assert.equal(problemsOf({ [name]: '' }).length, 1)
  })
}

test('names of other programs are none of our business', () => {
  assert.deepEqual(problemsOf({ PATH: '/bin', ONOMATOPOEIA: 'x', PORT_FILE: 'x' }), [])
})

// A table of our own, so that every way a secret can be wrong is shown by a small one.
const TABLE = {
  ONOMA_PIN: { default: '', unset: 'none', meaning: 'A secret.', secret: true, kind: wholeNumber(1000, 9999) },
  ONOMA_NAME: { default: 'x', meaning: 'No secret.', kind: text },
} as const satisfies SettingTable
const files: Record<string, string> = {
  '/run/pin': '1234\n',
  '/run/empty': '\n',
  '/run/wrong': 'hunter2',
  '/run/keys': 'k'.repeat(16),
}
const readFile = (path: string) => {
  if (path in files) return files[path]!
  throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
}

test('a secret may come from a file', () => {
  const { values, given, problems } = readSettings(TABLE, { ONOMA_PIN_FILE: '/run/pin' }, readFile)
  assert.deepEqual(problems, [])
  assert.equal(values.ONOMA_PIN, 1234)
  assert.equal(given.get('ONOMA_PIN')?.from, 'secret file')
})

for (const [env, problem] of [
  [{ ONOMA_PIN: '1234', ONOMA_PIN_FILE: '/run/pin' }, 'ONOMA_PIN and ONOMA_PIN_FILE are both set; keep one of them.'],
  [{ ONOMA_PIN_FILE: '/nowhere' }, 'ONOMA_PIN_FILE names the file "/nowhere", which cannot be read (ENOENT).'],
  [
    { ONOMA_PIN_FILE: '/run/empty' },
    'ONOMA_PIN_FILE names the file "/run/empty", which is empty; it must hold the value of ONOMA_PIN.',
  ],
  [{ ONOMA_PIN_FILE: '/run/wrong' }, 'ONOMA_PIN must be a whole number from 1000 to 9999.'],
  [{ ONOMA_PIN: 'hunter2' }, 'ONOMA_PIN must be a whole number from 1000 to 9999.'],
  [{ ONOMA_NAME_FILE: '/run/pin' }, 'ONOMA_NAME_FILE is not known: ONOMA_NAME is no secret, set it directly.'],
] as const) {
  test(`${JSON.stringify(env)} is refused: ${problem}`, () =>
    assert.deepEqual(readSettings(TABLE, env, readFile).problems, [problem]))
}

test('no secret is ever part of a complaint or of what is shown', () => {
  const secret = fc.stringMatching(/^[a-z]{16,24}$/)
  fc.assert(
    fc.property(secret, (value) => {
      const problems = readSettings(TABLE, { ONOMA_PIN: value }, readFile).problems
      assert.equal(problems.length, 1)
      assert.ok(!problems.join().includes(value))
      const shown = settingsInForce({
        ONOMA_KEYS: value,
        ONOMA_ENGINE_A_KEY: value,
        ONOMA_RDAP_BOOTSTRAP: `//u:${value}@h`,
      })
      assert.ok(!JSON.stringify(shown).includes(value))
    }),
  )
})

test('what is in force says where each value comes from', () => {
  const { settings, warnings } = settingsInForce(
    { PORT: '9000', HOST: '::1', ONOMA_KEYS_FILE: '/run/keys', ONOMA_REDIS_URL: 'redis://a.example' },
    new Set(['HOST']),
    readFile,
  )
  const rows = new Map(settings.map((row) => [row.setting, `${row.value} (${row.from})`]))
  assert.equal(rows.get('PORT'), '9000 (environment)')
  assert.equal(rows.get('HOST'), '::1 (.env file)')
  assert.equal(rows.get('ONOMA_PUBLIC_URL'), 'http://[::1]:9000 (default)')
  assert.equal(rows.get('ONOMA_TRUSTED_PROXIES'), '(none) (default)')
  assert.equal(rows.get('ONOMA_KEYS'), '******** (secret file)')
  assert.equal(rows.get('ONOMA_REDIS_URL'), '******** (environment)')
  assert.equal(rows.has('ONOMA_DATABASE_URL'), false)
  assert.equal(warnings.length, 1)
  assert.throws(() => settingsInForce({ PORT: 'x' }), ConfigError)
})

test('nodes and keys are lists, and one that is wrong is refused without being shown', () => {
  const urls = 'https://node.example/v3/secretsecret, http://127.0.0.1:8545'
  assert.deepEqual(loadConfig({ ONOMA_ETH_RPC_URLS: urls }).ethRpcUrls, urls.split(', '))
  assert.deepEqual(loadConfig({ ONOMA_KEYS: `${'a'.repeat(16)},${'b'.repeat(16)}` }).keys?.length, 2)
  const problems = problemsOf({ ONOMA_ETH_RPC_URLS: 'wss://node.example/secretsecret', ONOMA_KEYS: 'tooshort' })
  assert.equal(problems.length, 2)
  assert.ok(!/secretsecret|tooshort/.test(problems.join()))
})

test('settings that make sense only together are asked for together', () => {
  const rows: [Record<string, string>, RegExp][] = [
    [{ ONOMA_ENGINE_A_KIND: 'searxng' }, /^ONOMA_ENGINE_A_URL is missing: ONOMA_ENGINE_A_KIND is searxng\.$/],
    [{ ONOMA_ENGINE_B_KIND: 'brave' }, /^ONOMA_ENGINE_B_KEY is missing/],
    [{ ONOMA_ENGINE_A_KIND: 'google', ONOMA_ENGINE_A_KEY: 'k' }, /^ONOMA_ENGINE_A_CX is missing/],
    [
      {
        ONOMA_SCREENSHOTS_S3_URL: 'https://s3.example',
        ONOMA_SCREENSHOTS_S3_BUCKET: 'b',
        ONOMA_SCREENSHOTS_S3_ACCESS_KEY: 'a',
      },
      /^ONOMA_SCREENSHOTS_S3_SECRET_KEY is missing/,
    ],
    [{ ONOMA_SANDBOX_PAGES: '8000' }, /for the sandbox only/],
  ]
  for (const [env, words] of rows) {
    const [problem = '', ...others] = problemsOf(env)
    assert.match(problem, words)
    assert.deepEqual(others, [])
  }
  assert.deepEqual(loadConfig({ ONOMA_ENGINE_A_KIND: 'brave', ONOMA_ENGINE_A_KEY: 'k' }).engines.a, {
    kind: 'brave',
    url: 'https://api.search.brave.com/res/v1/web/search',
    key: 'k',
  })
})
