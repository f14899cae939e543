import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { request } from 'undici'
import { type Chain, startChain } from '../../sandbox/chain/start.ts'
import { type Names, startNames } from '../../sandbox/names/start.ts'
import { type Config, loadConfig } from '../../src/app/settings/config.ts'
import { type Service, startService } from '../../src/app/service.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { recordsSource } from '../../src/trademark/engine/build/file-source.ts'
import { ingest } from '../../src/trademark/engine/build/ingest.ts'
import { recordsOf } from '../../src/trademark/sources/records.fixture.ts'

describe('the whole service', () => {
  let service: Service
  const quiet = { debug() {}, info() {}, warn() {}, error() {} }
  let names: Names
  let chain: Chain
  let folder: string
  let config: Config
  before(async () => {
    names = await startNames()
    chain = await startChain()
    folder = mkdtempSync(join(tmpdir(), 'onoma-test-'))
    await ingest(folder, [recordsSource('records', recordsOf('ACME', 'ACME ROCKETS'))], { clock: systemClock })
    config = loadConfig({
      PORT: '0',
      ONOMA_METRICS: '0',
      ONOMA_PUBLIC_URL: 'https://names.example',
      ONOMA_SANDBOX: 'on',
      ...names.settings,
      ...chain.settings,
      ONOMA_TRADEMARK_INDEX: folder,
    })
    service = await startService({ ...config, ensPort: 0 }, { log: quiet, timeoutScale: 100 })
  })
  after(async () => {
    await service.stop({ lingerMs: 0, graceMs: 0 })
    await names.stop()
    await chain.stop()
    rmSync(folder, { recursive: true })
  })
  const get = async (url: string, headers: Record<string, string> = {}) => {
    const { statusCode, headers: received, body } = await request(url, { headers })
    return { status: statusCode, headers: received, text: await body.text() }
  }

  test('is idle until the first request, which its warm-up does not hold up', async () => {
    assert.equal(service.idle.aborted, false)
    assert.equal((await get(`${service.url}/health`)).status, 200)
    assert.equal(service.idle.aborted, true)
  })

  test('has a start page with a field, whose links work', async () => {
    const { status, headers, text } = await get(service.url)
    assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8'])
    assert.match(String(headers['content-security-policy']), /default-src 'none'/)
    assert.match(text, /name="q"/)
    const links = [...text.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, link]) => link!.replaceAll('&amp;', '&'))
    assert.ok(links.length >= 10)
    for (const link of new Set(links)) assert.equal((await get(service.url + link)).status, 200, link)
  })

  test('has an OpenAPI document with its public URLs', async () => {
    const { headers, text } = await get(`${service.url}/openapi.json`)
    const document = JSON.parse(text) as { servers: { url: string }[]; paths: object }
    assert.equal(document.servers[0]!.url, 'https://names.example')
    assert.ok('/v1/tlds' in document.paths)
    assert.ok('/screenshots/{file}' in document.paths)
    const ensUrl = `http://names.example:${new URL(service.ensUrl!).port}`
    assert.ok(text.includes(`{"default":"${ensUrl}"`), 'the second base address is not in the document')
    const again = await get(`${service.url}/openapi.json`, { 'if-none-match': String(headers['etag']) })
    assert.equal(again.status, 304)
  })

  test('serves metrics on the metrics port only', async () => {
    await get(`${service.url}/v1/tlds?category=web`)
    const { text } = await get(service.metricsUrl!)
    assert.match(text, /onoma_requests_total\{endpoint="listTlds",door="http",status="200"\} [1-9]/)
    assert.match(text, /onoma_rate_limit_clients 1\n/)
    assert.match(text, /nodejs_eventloop_lag/)
    assert.equal((await get(`${service.url}/metrics`)).status, 404)
    assert.equal((await get(service.metricsUrl!.replace('/metrics', '/'))).status, 404)
  })

  test('has no rate limit if it is off, and the OpenAPI document says so', async () => {
    const { rateLimit } = loadConfig({ ONOMA_RATE_LIMIT: 'off' })
    const open = await startService({ ...config, rateLimit, ensPort: null, metrics: null }, { log: quiet })
    try {
      for (let time = 0; time < 70; time++) {
        const { status, headers } = await get(`${open.url}/v1/tlds`)
        assert.deepEqual([status, headers['ratelimit'], headers['ratelimit-policy']], [200, undefined, undefined])
      }
      assert.match((await get(`${open.url}/openapi.json`)).text, /This service has no rate limit/)
    } finally {
      await open.stop({ lingerMs: 0, graceMs: 0 })
    }
  })

  test('serves the ENS endpoints on the second port, and nothing else there', async () => {
    assert.equal((await get(`${service.ensUrl}/health`)).status, 200)
    assert.equal((await get(`${service.ensUrl}/metadata?name=taken.eth`)).status, 200)
    assert.equal((await get(`${service.ensUrl}/v1/tlds`)).status, 404)
  })

  test('fails to start on a used metrics port only if it was set explicitly, and leaves nothing open', async () => {
    const port = Number(new URL(service.metricsUrl!).port)
    const base = { ...config, ensPort: null }
    const host = '127.0.0.1'
    await assert.rejects(startService({ ...base, metrics: { host, port, explicit: true } }, { log: quiet }), {
      name: 'ListenError',
    })
    const second = await startService({ ...base, metrics: { host, port, explicit: false } }, { log: quiet })
    assert.equal(second.metricsUrl, null)
    assert.equal((await get(`${second.url}/health`)).status, 200)
    await second.stop({ lingerMs: 0, graceMs: 0 })
    await assert.rejects(get(`${second.url}/health`))
  })
})
