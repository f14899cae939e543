import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { ConfigError, loadConfig } from '../../src/app/settings/config.ts'
import { startService } from '../../src/app/service.ts'
import { SETTINGS } from '../../src/app/settings/table.ts'
import { route } from '../../src/kernel/endpoint.ts'
import { paidEcho } from '../../src/payments/contract.ts'
import { startDoor } from '../support/door.ts'
import { freePort } from '../support/servers/process.ts'
import { ALONE, quiet } from '../support/simulated-payments.ts'
import { open } from '../support/wire.ts'

const DEVELOPMENT_ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const DEVELOPMENT_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const SOMEBODY = '0x52908400098527886E0F7030069857D2E4169EE7'

suite('modes of payments', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'onoma-test-modes-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  const modeOf = (env: Record<string, string>) => loadConfig(env).payments.mode

  test('play money is the default only on a loopback host outside production', () => {
    for (const HOST of ['127.0.0.1', 'localhost', '::1']) assert.equal(modeOf({ HOST }), 'simulated')
    assert.equal(modeOf({}), 'simulated')
    for (const HOST of ['0.0.0.0', '::', '192.0.2.1']) assert.equal(modeOf({ HOST }), 'off')
    assert.equal(modeOf({ NODE_ENV: 'production' }), 'off')
  })

  test('play money does not go beyond this machine, in the sandbox neither', () => {
    assert.equal(modeOf({ ONOMA_SANDBOX: 'on' }), 'simulated')
    for (const HOST of ['0.0.0.0', '::', '192.0.2.1']) assert.equal(modeOf({ ONOMA_SANDBOX: 'on', HOST }), 'off')
  })

  test('without settings, and where others may reach it, nothing is sold and nothing promised', async () => {
    const config = loadConfig({ ...ALONE, NODE_ENV: 'production', ONOMA_DATA_DIR: folder })
    const service = await startService(config, { log: quiet })
    try {
      assert.deepEqual(service.payments, { mode: 'off', simulated: null })
      for (const path of ['echo', 'ledger']) {
        const response = await fetch(`${service.url}/v1/sandbox/${path}`)
        await response.body?.cancel()
        assert.equal(response.status, 404)
        assert.equal(response.headers.get('x-payments-mode'), null)
      }
      const document = await (await fetch(`${service.url}/openapi.json`)).text()
      assert.doesNotMatch(document, /x-payment-info/)
    } finally {
      await service.stop({ lingerMs: 0, graceMs: 0 })
    }
  })

  test('what is paid answers 503 while payments are off, before any 402, and looks at its parameters first', async () => {
    const door = await startDoor([
      route(paidEcho, () => {
        throw new Error('it must not come to this')
      }),
    ])
    try {
      const headers = { 'x-payment': 'e30=', 'payment-signature': 'e30=', authorization: 'Payment e30' }
      for (const init of [{}, { headers }]) {
        const { status, body, headers: received } = await door.get('/v1/sandbox/echo?say=hi', init)
        assert.equal(status, 503)
        assert.equal((body as { error: string }).error, 'service_unavailable')
        for (const name of ['www-authenticate', 'payment-required', 'x-payment-requirements']) {
          assert.equal(received.get(name), null)
        }
      }
      assert.equal((await door.get(`/v1/sandbox/echo?say=${'x'.repeat(201)}`)).status, 400)
    } finally {
      await door.stop()
    }
  })

  test('a half of live settings is no settings', () => {
    const missing = (env: Record<string, string>, sentence: RegExp) =>
      assert.throws(() => loadConfig(env), { name: 'ConfigError', message: sentence })
    missing({ ONOMA_PAY_TO: SOMEBODY }, /ONOMA_X402_RPC_URLS, ONOMA_MPP_RPC_URLS or both/)
    missing({ ONOMA_MPP_RPC_URLS: 'https://tempo.example' }, /ONOMA_PAY_TO is missing/)
    const base = { ONOMA_PAY_TO: SOMEBODY, ONOMA_X402_RPC_URLS: 'https://base.example' }
    missing(base, /exactly one of ONOMA_X402_SETTLEMENT_KEY and ONOMA_X402_FACILITATOR_URL/)
    missing({ ...base, ONOMA_SANDBOX: 'on', ONOMA_X402_FACILITATOR_URL: 'https://f.example' }, /ONOMA_SANDBOX is on/)
  })

  test('wrong live settings end the start with sentences, and nothing listens', async () => {
    const port = await freePort()
    const config = loadConfig({
      ...ALONE,
      PORT: String(port),
      ONOMA_DATA_DIR: folder,
      ONOMA_PAY_TO: DEVELOPMENT_ADDRESS,
      ONOMA_X402_RPC_URLS: 'http://127.0.0.1:1/v2/secret-of-the-node',
      ONOMA_X402_SETTLEMENT_KEY: DEVELOPMENT_KEY,
      ONOMA_MPP_RPC_URLS: 'https://127.0.0.1:1/secret-of-the-node',
    })
    assert.equal(config.payments.mode, 'live')
    const error = await startService(config, { log: quiet }).then(
      () => assert.fail('it started'),
      (error: unknown) => error,
    )
    assert.ok(error instanceof ConfigError)
    const { message } = error
    for (const sentence of [
      /Base points to this machine/,
      /Payments would go to a development or burn address that is not yours/,
      /The settlement key is a public development key/,
      /Tempo node is on this machine/,
      /recipient of MPP is a development or burn address/,
    ]) {
      assert.match(message, sentence)
    }
    assert.doesNotMatch(message, /secret-of-the-node/)
    assert.ok(!message.includes(DEVELOPMENT_KEY.slice(2)))
    // A sentence that names a setting names one that there is.
    const named = message.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? []
    assert.deepEqual(
      named.filter((name) => !(name in SETTINGS)),
      [],
    )
    await assert.rejects(open(port), { code: 'ECONNREFUSED' })
  })
})
