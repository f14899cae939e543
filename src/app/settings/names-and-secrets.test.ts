import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { problemsOf } from './config.fixture.ts'
import { ConfigError, loadConfig, settingsInForce } from './config.ts'
import { readSettings } from './read.ts'
import { text, wholeNumber } from './kinds.ts'
import type { SettingTable } from './table.ts'

test('a reserved setting gives a warning', () => {
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
  ['ONOMA_SOMETHING_ELSE_ALTOGETHER', 'unset it and run onoma config to list the names.'],
  ['ONOMA_RATE_LIMIT_FILE', 'ONOMA_RATE_LIMIT is not a secret, so set ONOMA_RATE_LIMIT directly.'],
  ['ONOMA_CONSTRUCTOR', 'unset it and run onoma config to list the names.'],
] as const) {
  test(`the unknown name ${name} is an error that says: ${hint}`, () => {
    const [problem, ...more] = problemsOf({ [name]: 'x' })
    assert.ok(problem!.startsWith(name) && problem!.endsWith(hint), problem)
    assert.deepEqual(more, [])
    assert.equal(problemsOf({ [name]: '' }).length, 1)
  })
}

test('settings of other programs are ignored', () => {
  assert.deepEqual(problemsOf({ PATH: '/bin', ONOMATOPOEIA: 'x', PORT_FILE: 'x' }), [])
})

// A small table for every way a secret can be invalid.
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
    'ONOMA_PIN_FILE names the file "/run/empty", which is empty; it must contain the value of ONOMA_PIN.',
  ],
  [{ ONOMA_PIN_FILE: '/run/wrong' }, 'ONOMA_PIN must be a whole number from 1000 to 9999.'],
  [{ ONOMA_PIN: 'hunter2' }, 'ONOMA_PIN must be a whole number from 1000 to 9999.'],
  [
    { ONOMA_NAME_FILE: '/run/pin' },
    'ONOMA_NAME_FILE is not a setting: ONOMA_NAME is not a secret, so set ONOMA_NAME directly.',
  ],
] as const) {
  test(`${JSON.stringify(env)} is rejected: ${problem}`, () =>
    assert.deepEqual(readSettings(TABLE, env, readFile).problems, [problem]))
}

test('no secret appears in a problem or in the displayed settings', () => {
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

test('effective settings say where each value comes from', () => {
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

test('nodes and keys are lists, and an invalid one is rejected without being shown', () => {
  const urls = 'https://node.example/v3/secretsecret, http://127.0.0.1:8545'
  assert.deepEqual(loadConfig({ ONOMA_ETH_RPC_URLS: urls }).ethRpcUrls, urls.split(', '))
  assert.deepEqual(loadConfig({ ONOMA_KEYS: `${'a'.repeat(16)},${'b'.repeat(16)}` }).keys?.length, 2)
  const problems = problemsOf({ ONOMA_ETH_RPC_URLS: 'wss://node.example/secretsecret', ONOMA_KEYS: 'tooshort' })
  assert.equal(problems.length, 2)
  assert.ok(!/secretsecret|tooshort/.test(problems.join()))
})

test('settings that are required together are reported together', () => {
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
    [{ ONOMA_SANDBOX_PAGES: '8000' }, /works only with ONOMA_SANDBOX=on/],
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
