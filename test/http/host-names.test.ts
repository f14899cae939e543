import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { type Names, startNames } from '../../sandbox/names/start.ts'
import { type Service, startService } from '../../src/app/service.ts'
import { loadConfig } from '../../src/app/settings/config.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

type Result = { domain: string; available: boolean; status: string[]; source: string }

suite('registries with host names', () => {
  let names: Names
  let service: Service
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-hosts-'))
  before(async () => {
    names = await startNames({ seed: 7, byHostName: true })
    const config = loadConfig({
      PORT: '0',
      ENS_PORT: '0',
      ONOMA_METRICS: 'off',
      ONOMA_SANDBOX: 'on',
      ONOMA_RATE_LIMIT: '65535',
      ONOMA_DATA_DIR: folder,
      ...names.settings,
    })
    service = await startService(config, { log: quiet, timeoutScale: 10 })
  })
  after(async () => {
    await service.stop({ lingerMs: 0, graceMs: 0 })
    await names.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const check = async (domains: string[]): Promise<Result[]> => {
    const response = await fetch(`${service.url}/v1/check/bulk`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ domains }),
    })
    return ((await response.json()) as { results: Result[] }).results
  }

  test('a list takes one resolution of the registry, however many connections it needs', async () => {
    names.resetCounters()
    const domains = Array.from({ length: 60 }, (_, at) => `host-name-${at}.com`)
    const results = await check(domains)
    for (const { domain, available } of results) assert.equal(available, names.truthOf(domain).state === 'free', domain)
    const { dns, rdapConnections } = names.counters()
    assert.ok(rdapConnections > 1, `${rdapConnections} connections`)
    // IPv4 and IPv6; a datagram may be lost and sent again on a busy machine.
    assert.ok(dns.recursor.udp >= 2 && dns.recursor.udp <= 6, `${dns.recursor.udp} queries`)
  })

  test('a WHOIS server is resolved by the same client', async () => {
    const { tlds } = Object.values(names.registries).find(({ rdap }) => rdap === null)!
    const domain = Array.from({ length: 50 }, (_, at) => `host-name-${at}.${tlds[0]}`).find(
      (name) => names.truthOf(name).state === 'free',
    )!
    const [result] = await check([domain])
    assert.deepEqual([result!.available, result!.source], [true, 'whois'])
  })
})
