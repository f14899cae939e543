import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { loadConfig } from '../../src/app/settings/config.ts'
import { type Service, startService } from '../../src/app/service.ts'
import { callTool, errorOf } from '../support/mcp-payments.ts'
import { ALONE, quiet } from '../support/simulated-payments.ts'

const PAYEE = '0x52908400098527886E0F7030069857D2E4169EE7'

suite('ONOMA_PAYMENTS=free', () => {
  let folder: string
  let service: Service
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'onoma-test-free-'))
    const config = loadConfig({
      ...ALONE,
      ONOMA_DATA_DIR: folder,
      ONOMA_PAYMENTS: 'free',
      NODE_ENV: 'production',
      ONOMA_TRUSTED_PROXIES: '127.0.0.1',
    })
    service = await startService(config, { log: quiet })
  })
  after(async () => {
    await service.stop({ lingerMs: 0, graceMs: 0 })
    rmSync(folder, { recursive: true })
  })

  const ask = async (headers: Record<string, string> = {}, path = '/v1/valuation/example.com') => {
    const sent = httpRequest(`${service.url}${path}`, { headers, agent: false }).end()
    const [reply] = await once(sent, 'response')
    const text = await new Response(reply).text()
    return { status: reply.statusCode, headers: reply.headers, body: JSON.parse(text) }
  }

  test('a paid endpoint answers this machine without payment, and says so', async () => {
    const { status, body, headers } = await ask()
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.domain, 'example.com')
    assert.equal(headers['x-payments-mode'], 'free')
    assert.equal(headers['payment-response'], undefined)
    assert.ok(headers['ratelimit'], 'it counts like a free endpoint')
  })

  test('a client in a private network is answered through a proxy that is named, a public one is not', async () => {
    for (const client of ['192.168.1.7', '10.1.2.3', '172.17.0.1', 'fd00::7'])
      assert.equal((await ask({ 'x-forwarded-for': client })).status, 200, client)
    for (const client of ['203.0.113.7, 8.8.8.8', '8.8.8.8', '2606:4700::1111']) {
      const { status, body } = await ask({ 'x-forwarded-for': client })
      assert.equal(status, 503, client)
      assert.match(body.message, /free here, on this machine and in private networks only; .*public address/)
    }
  })

  test('wrong parameters are rejected as ever, and free endpoints are not touched', async () => {
    assert.equal((await ask({}, '/v1/valuation/example.com?tier=none')).status, 400)
    assert.equal((await ask({ 'x-forwarded-for': '8.8.8.8' }, '/health')).headers['x-payments-mode'], undefined)
  })

  test('an agent calls a paid tool without payment', async () => {
    const { result } = await callTool(service.url, { name: 'valueDomain', arguments: { domain: 'example.com' } })
    assert.equal(result!.structuredContent!['domain'], 'example.com', JSON.stringify(result))
    assert.equal(result!._meta!['onoma/payments-mode'], 'free')
  })

  test('a proxy that is not named may hide anybody', async () => {
    const config = loadConfig({ ...ALONE, ONOMA_DATA_DIR: folder, ONOMA_PAYMENTS: 'free' })
    const other = await startService(config, { log: quiet })
    try {
      const reply = await fetch(`${other.url}/v1/valuation/example.com`, { headers: { 'x-real-ip': '10.0.0.7' } })
      assert.equal(reply.status, 503)
      assert.match(await reply.text(), /x-real-ip\) that ONOMA_TRUSTED_PROXIES does not name/)
    } finally {
      await other.stop({ lingerMs: 0, graceMs: 0 })
    }
  })

  test('it is refused with settings for real money, and on a public address', () => {
    const rows: [Record<string, string>, RegExp][] = [
      [{ ONOMA_PAY_TO: PAYEE, ONOMA_MPP_RPC_URLS: 'https://t.example' }, /free together with .*ONOMA_PAY_TO/],
      [{ HOST: '8.8.8.8' }, /8\.8\.8\.8 is a public address/],
      [{ ONOMA_PUBLIC_URL: 'http://8.8.8.8:8080' }, /8\.8\.8\.8 is a public address/],
      [{ ONOMA_PUBLIC_URL: 'http://[2606:4700::1111]' }, /is a public address/],
      [{ ONOMA_PAYMENTS: 'off' }, /ONOMA_PAYMENTS must be one of free/],
    ]
    for (const [env, message] of rows)
      assert.throws(() => loadConfig({ ONOMA_PAYMENTS: 'free', ...env }), { name: 'ConfigError', message })
    for (const env of [{ HOST: '0.0.0.0' }, { HOST: '192.168.1.2' }, { ONOMA_PUBLIC_URL: 'http://nas.lan:8080' }])
      assert.equal(loadConfig({ ONOMA_PAYMENTS: 'free', ...env }).payments.mode, 'free')
  })
})

test('in a container without any payment setting, a paid endpoint says how to open it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-container-'))
  // As the image sets them.
  const env = { ...ALONE, NODE_ENV: 'production', HOST: '0.0.0.0', ONOMA_DATA_DIR: folder }
  const service = await startService(loadConfig(env), { log: quiet })
  t.after(async () => {
    await service.stop({ lingerMs: 0, graceMs: 0 })
    rmSync(folder, { recursive: true })
  })
  const url = `http://127.0.0.1:${new URL(service.url).port}`
  const reply = await fetch(`${url}/v1/valuation/example.com`)
  assert.equal(reply.status, 503)
  assert.match(await reply.text(), /ONOMA_PAYMENTS=free .*private networks/)
  const tool = await callTool(url, { name: 'valueDomain', arguments: { domain: 'example.com' } })
  assert.match(errorOf(tool).message, /ONOMA_PAYMENTS=free/)
})
