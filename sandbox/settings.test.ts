import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { suite, test } from 'node:test'
import { ConfigError } from '../src/app/settings/config.ts'
import { readWishes, sandboxConfig } from './settings.ts'

const WORLD = { settings: { ONOMA_RDAP_BOOTSTRAP: 'http://127.0.0.1:1/rdap/dns.json' }, folder: '/world' }
const ANY_PORT = { PORT: '0', ENS_PORT: '0', ONOMA_METRICS: '0' }

suite('the service in the sandbox', () => {
  test('lives on loopback, with data that goes away with the world', async () => {
    const { config, notes } = await sandboxConfig(readWishes(ANY_PORT), WORLD)
    assert.equal(config.sandbox, true)
    assert.equal(config.host, '127.0.0.1')
    assert.equal(config.dataDir, '/world/data')
    assert.equal(config.logLevel, 'warn')
    assert.equal(config.metrics?.host, '127.0.0.1')
    assert.deepEqual(notes, [])
  })

  test('knows its own address before it starts, also when any port will do', async () => {
    const { config } = await sandboxConfig(readWishes(ANY_PORT), WORLD)
    assert.notEqual(config.port, 0)
    assert.equal(config.publicUrl, `http://127.0.0.1:${config.port}`)
    assert.equal(config.ensPort, null)
    assert.notEqual(config.metrics?.port, config.port)
  })

  test('does as it is told where that cannot lead outside', async () => {
    const { chosen, notes } = readWishes({ ...ANY_PORT, ONOMA_LOG_LEVEL: 'silent', ONOMA_RATE_LIMIT: '7' })
    const { config } = await sandboxConfig(readWishes({ ...chosen, ONOMA_METRICS: 'off' }), WORLD)
    assert.equal(config.logLevel, 'silent')
    assert.equal(config.rateLimit, 7)
    assert.equal(config.metrics, null)
    assert.deepEqual(notes, [])
  })

  test('is told nothing that leads outside, and says so', async () => {
    const outside = {
      HOST: '0.0.0.0',
      ONOMA_DATA_DIR: '/precious',
      ONOMA_RDAP_BOOTSTRAP: 'https://data.iana.org/rdap/dns.json',
      ONOMA_DATABASE_URL: 'postgres://production/onoma',
    }
    const wishes = readWishes({ ...ANY_PORT, ...outside, ONOMA_REDIS_URL: '', HOME: '/root' })
    assert.deepEqual(wishes.notes, [`Without effect in the sandbox: ${Object.keys(outside).join(', ')}.`])
    const { config } = await sandboxConfig(wishes, WORLD)
    assert.equal(config.host, '127.0.0.1')
    assert.equal(config.dataDir, '/world/data')
    assert.equal(config.rdapBootstrap, WORLD.settings.ONOMA_RDAP_BOOTSTRAP)
    assert.deepEqual(config.warnings, [])
  })

  test('takes a free port where the wanted one is taken, and says which', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const { port } = holder.address() as AddressInfo
    try {
      const { config, notes } = await sandboxConfig(readWishes({ ...ANY_PORT, ENS_PORT: String(port) }), WORLD)
      assert.notEqual(config.ensPort, port)
      assert.notEqual(config.ensPort, null)
      assert.deepEqual(notes, [`Port ${port} is taken: the ENS port is ${config.ensPort} this time.`])
    } finally {
      holder.close()
      await once(holder, 'close')
    }
  })

  for (const name of ['ONOMA_PAY_TO', 'ONOMA_X402_SETTLEMENT_KEY', 'ONOMA_MPP_RPC_URLS']) {
    test(`does not start beside ${name}: simulated and real money never meet`, () => {
      assert.throws(
        () => readWishes({ [name]: '0x1' }),
        (error) => {
          assert.ok(error instanceof ConfigError)
          assert.match(error.message, new RegExp(`live payment settings \\(${name}\\)`))
          return true
        },
      )
    })
  }

  test('does not start with a setting that is wrong', () => {
    assert.throws(() => readWishes({ PORT: 'eighty' }), /PORT must be a whole number/)
    assert.throws(() => readWishes({ ONOMA_RATELIMIT: '7' }), /did you mean ONOMA_RATE_LIMIT/)
  })
})
