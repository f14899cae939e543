import assert from 'node:assert/strict'
import test from 'node:test'
import { problemsOf } from './config.fixture.ts'
import { loadConfig } from './config.ts'

const PAYEE = '0x52908400098527886E0F7030069857D2E4169EE7'
const KEY = `0x${'5a'.repeat(32)}`
const LIVE = { ONOMA_PAY_TO: PAYEE, ONOMA_X402_RPC_URLS: 'https://base.example', ONOMA_X402_SETTLEMENT_KEY: KEY }

for (const [name, value] of Object.entries({ ...LIVE, ONOMA_MPP_RPC_URLS: 'https://tempo.example' })) {
  test(`the sandbox does not run together with ${name}`, () => {
    const [problem] = problemsOf({ ONOMA_SANDBOX: 'on', [name]: value })
    assert.match(problem!, /^ONOMA_SANDBOX is on together with live payment settings/)
    assert.ok(problem!.includes(name))
    assert.deepEqual(problemsOf({ ONOMA_SANDBOX: 'on', [name]: '' }), [])
  })
}

test('payments are simulated on loopback without a public URL or proxy, off elsewhere, and live if any payment setting is set', () => {
  const modeOf = (env: Record<string, string>) => loadConfig(env).payments.mode
  assert.equal(modeOf({}), 'simulated')
  for (const HOST of ['127.0.0.1', '127.8.8.8', '::1', 'localhost']) assert.equal(modeOf({ HOST }), 'simulated', HOST)
  for (const HOST of ['0.0.0.0', '::', '192.0.2.1', 'names.example', '128.0.0.1', '127.names.example'])
    assert.equal(modeOf({ HOST }), 'off')
  assert.equal(modeOf({ NODE_ENV: 'production' }), 'off')
  assert.equal(modeOf({ ONOMA_SANDBOX: 'on', HOST: '0.0.0.0' }), 'off')
  // A public address or a trusted proxy means that others reach it, also when it listens on loopback.
  for (const ONOMA_PUBLIC_URL of ['https://names.example', 'http://127.0.0.1:8080', 'http://localhost'])
    assert.equal(modeOf({ ONOMA_PUBLIC_URL }), 'off', ONOMA_PUBLIC_URL)
  for (const ONOMA_TRUSTED_PROXIES of ['127.0.0.1', '10.0.0.0/8', '::1']) {
    assert.equal(modeOf({ ONOMA_TRUSTED_PROXIES }), 'off')
    assert.equal(modeOf({ ONOMA_TRUSTED_PROXIES, ONOMA_SANDBOX: 'on' }), 'off')
  }
  // The sandbox may be told its own address.
  for (const url of ['http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:8080'])
    assert.equal(modeOf({ ONOMA_PUBLIC_URL: url, ONOMA_SANDBOX: 'on' }), 'simulated', url)
  for (const url of ['https://names.example', 'http://127.0.0.1.names.example', 'http://192.0.2.1'])
    assert.equal(modeOf({ ONOMA_PUBLIC_URL: url, ONOMA_SANDBOX: 'on' }), 'off', url)
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
  [{ ...LIVE, ONOMA_X402_FACILITATOR_KEY_ID: 'a' }, /KEY_ID and ONOMA_X402_FACILITATOR_KEY_SECRET together/],
  [{ ...LIVE, ONOMA_X402_FACILITATOR_HEADER: 'X-Key: hunter2' }, /ONOMA_X402_FACILITATOR_URL is missing/],
  [{ ...LIVE, ONOMA_X402_FACILITATOR_KEY_SECRET: 'hunter2' }, /KEY_SECRET must be base64 of 64 bytes/],
  [{ ...LIVE, ONOMA_X402_MAX_GAS_SHARE: '1.5' }, /ONOMA_X402_MAX_GAS_SHARE must be a number above 0/],
  [{ ...LIVE, ONOMA_X402_MAX_ETHER_USD: '0' }, /ONOMA_X402_MAX_ETHER_USD must be a whole number/],
  [
    { ...LIVE, ONOMA_X402_WALLET_FACTORIES: `${PAYEE},0x1234` },
    /ONOMA_X402_WALLET_FACTORIES must be Ethereum addresses/,
  ],
  [{ ...LIVE, ONOMA_MPP_MAX_VALIDITY_SECONDS: '5' }, /ONOMA_MPP_MAX_VALIDITY_SECONDS must be a whole number/],
  [{ ...LIVE, ONOMA_PAY_TO: '0x1234' }, /^ONOMA_PAY_TO must be an Ethereum address/],
  [{ ...LIVE, ONOMA_X402_SETTLEMENT_KEY: 'hunter2' }, /^ONOMA_X402_SETTLEMENT_KEY must be a private key/],
] as const) {
  test(`${JSON.stringify(env).replaceAll('5a', '')} is rejected with the reason`, () => {
    const problems = problemsOf(env)
    assert.ok(
      problems.some((one) => problem.test(one)),
      problems.join('\n'),
    )
    assert.ok(!problems.join().includes('hunter2') && !problems.join().includes('5a5a'))
  })
}
