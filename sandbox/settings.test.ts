import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { suite, test } from 'node:test'
import { ConfigError } from '../src/app/settings/config.ts'
import { parseSandboxEnv, sandboxConfig } from './settings.ts'

const WORLD = { settings: { ONOMA_RDAP_BOOTSTRAP: 'http://127.0.0.1:1/rdap/dns.json' }, folder: '/world' }
const ANY_PORT = { PORT: '0', ENS_PORT: '0', ONOMA_METRICS: '0' }

suite('settings of the service in the sandbox', () => {
  test('the host is loopback, and the data folder is inside the temporary folder of the world', async () => {
    const { config, notes } = await sandboxConfig(parseSandboxEnv(ANY_PORT), WORLD)
    assert.equal(config.sandbox, true)
    assert.equal(config.host, '127.0.0.1')
    assert.equal(config.dataDir, '/world/data')
    assert.equal(config.logLevel, 'warn')
    assert.equal(config.metrics?.host, '127.0.0.1')
    assert.deepEqual(notes, [])
  })

  test('the public URL has the chosen port, even when any free port was requested', async () => {
    const { config } = await sandboxConfig(parseSandboxEnv(ANY_PORT), WORLD)
    assert.notEqual(config.port, 0)
    assert.equal(config.publicUrl, `http://127.0.0.1:${config.port}`)
    assert.equal(config.ensPort, null)
    assert.notEqual(config.metrics?.port, config.port)
  })

  test('settings that cannot lead outside are used', async () => {
    const { allowed, notes } = parseSandboxEnv({ ...ANY_PORT, ONOMA_LOG_LEVEL: 'silent', ONOMA_RATE_LIMIT: '7' })
    const { config } = await sandboxConfig(parseSandboxEnv({ ...allowed, ONOMA_METRICS: 'off' }), WORLD)
    assert.equal(config.logLevel, 'silent')
    assert.equal(config.rateLimit, 7)
    assert.equal(config.metrics, null)
    assert.deepEqual(notes, [])
  })

  test('settings that could lead outside are ignored, with a note that names them', async () => {
    const outside = {
      HOST: '0.0.0.0',
      ONOMA_DATA_DIR: '/precious',
      ONOMA_RDAP_BOOTSTRAP: 'https://data.iana.org/rdap/dns.json',
      ONOMA_DATABASE_URL: 'postgres://production/onoma',
    }
    const requested = parseSandboxEnv({ ...ANY_PORT, ...outside, ONOMA_REDIS_URL: '', HOME: '/root' })
    assert.deepEqual(requested.notes, [`Ignored in the sandbox: ${Object.keys(outside).join(', ')}.`])
    const { config } = await sandboxConfig(requested, WORLD)
    assert.equal(config.host, '127.0.0.1')
    assert.equal(config.dataDir, '/world/data')
    assert.equal(config.rdapBootstrap, WORLD.settings.ONOMA_RDAP_BOOTSTRAP)
    assert.deepEqual(config.warnings, [])
  })

  test('a port in use is replaced by a free one, with a note that names both', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const { port } = holder.address() as AddressInfo
    try {
      const { config, notes } = await sandboxConfig(parseSandboxEnv({ ...ANY_PORT, ENS_PORT: String(port) }), WORLD)
      assert.notEqual(config.ensPort, port)
      assert.notEqual(config.ensPort, null)
      assert.deepEqual(notes, [`Port ${port} is in use; the ENS port is ${config.ensPort} instead.`])
    } finally {
      holder.close()
      await once(holder, 'close')
    }
  })

  for (const name of ['ONOMA_PAY_TO', 'ONOMA_X402_SETTLEMENT_KEY', 'ONOMA_MPP_RPC_URLS']) {
    test(`refuses to start with ${name}: simulated and real money are never mixed`, () => {
      assert.throws(
        () => parseSandboxEnv({ [name]: '0x1' }),
        (error) => {
          assert.ok(error instanceof ConfigError)
          assert.match(error.message, new RegExp(`live payment settings \\(${name}\\)`))
          return true
        },
      )
    })
  }

  test('refuses to start with an invalid setting', () => {
    assert.throws(() => parseSandboxEnv({ PORT: 'eighty' }), /PORT must be a whole number/)
    assert.throws(() => parseSandboxEnv({ ONOMA_RATELIMIT: '7' }), /did you mean ONOMA_RATE_LIMIT/)
  })
})
