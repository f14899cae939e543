import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, suite, test, type TestContext } from 'node:test'
import { type Names, startNames } from '../sandbox/names/start.ts'
import { startService } from '../src/app/service.ts'
import { examine } from '../src/app/commands/doctor.ts'
import { openDatabase } from '../src/auctions/sources/schema.ts'
import { loadConfig } from '../src/app/settings/config.ts'
import { type Clock, systemClock } from '../src/kernel/clock.ts'
import { recordsSource } from '../src/trademark/engine/build/file-source.ts'
import { ingest } from '../src/trademark/engine/build/ingest.ts'
import { recordsOf } from '../src/trademark/sources/records.fixture.ts'
import { openToWrite, salesFile } from '../src/valuation/sources/sales-file.ts'
import { newWallet } from './support/paid-wallets.ts'
import { quiet } from './support/simulated-payments.ts'

type Ready = { status: string; parts: Record<string, { status: string; reason?: string }> }

const DAY_MS = 86_400_000
const GARBAGE = 'whatever this is, it is not what the name says. '.repeat(500)

suite('a start with a bad data directory', () => {
  let names: Names
  before(async () => {
    names = await startNames()
  })
  after(() => names.stop())

  const folderFor = (t: TestContext): string => {
    const folder = mkdtempSync(join(tmpdir(), 'onoma-test-disk-'))
    t.after(() => rmSync(folder, { recursive: true }))
    return folder
  }

  const configFor = (folder: string, settings: Readonly<Record<string, string>> = {}) =>
    loadConfig({
      PORT: '0',
      ENS_PORT: '0',
      ONOMA_METRICS: 'off',
      ONOMA_SANDBOX: 'on',
      ONOMA_ETH_RPC_URLS: 'http://127.0.0.1:9',
      ...names.settings,
      ONOMA_DATA_DIR: join(folder, 'data'),
      ONOMA_TRADEMARK_INDEX: join(folder, 'trademark'),
      ONOMA_AUCTIONS_SOURCE_A_URL: join(folder, 'feed-that-is-not-there.csv'),
      ONOMA_AUCTIONS_SOURCE_A_PRESET: 'namecheap',
      ...settings,
    })

  async function startIn(t: TestContext, folder: string, { settings = {}, clock = systemClock } = {}) {
    const service = await startService(configFor(folder, settings), { log: quiet, clock, timeoutScale: 100 })
    t.after(() => service.stop({ lingerMs: 0, graceMs: 0 }))
    const get = async (path: string) => {
      const response = await fetch(service.url + path)
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    /** Free endpoints answer, whatever else does not work. */
    for (const path of ['/health', '/v1/tlds?category=top20', '/v1/register?domain=example.com']) {
      assert.equal((await get(path)).status, 200, path)
    }
    const { body } = await get('/v1/check?domain=free-shop.com')
    assert.equal(body['available'], true)
    const ready = async () => {
      const { status, body: report } = await get('/ready')
      const { parts } = report as Ready
      const failed = Object.keys(parts).filter((name) => parts[name]!.status === 'failed')
      assert.equal(status, failed.length === 0 ? 200 : 503)
      assert.equal(report['status'], failed.length === 0 ? 'ready' : 'not_ready')
      return { failed, parts }
    }
    return { get, ready }
  }

  const doctor = async (folder: string, settings: Readonly<Record<string, string>> = {}) => {
    let text = ''
    const output = { write: (part: string) => void (text += part) }
    const isHealthy = await examine({ json: true }, { config: configFor(folder, settings), output })
    const { parts } = JSON.parse(text) as {
      parts: { part: string; status: string; reason?: string; advice?: string }[]
    }
    const found = (name: string) => parts.find(({ part }) => part === name)!
    return { isHealthy, found }
  }

  const indexIn = async (folder: string): Promise<string> => {
    const index = join(folder, 'trademark')
    mkdirSync(index)
    await ingest(index, [recordsSource('records', recordsOf('ACME'))], { clock: systemClock })
    return index
  }

  test('that is fine is ready, and a part that is off is no failure', async (t) => {
    const { ready } = await startIn(t, folderFor(t))
    const { failed, parts } = await ready()
    assert.deepEqual(failed, [])
    assert.deepEqual(
      [parts['disk'], parts['auctions'], parts['trademarks']?.status],
      [{ status: 'ok' }, { status: 'ok' }, 'off'],
    )
  })

  test('that cannot be created or written', async (t) => {
    const folder = folderFor(t)
    writeFileSync(join(folder, 'data'), 'a file in the place of the folder')
    const { get, ready } = await startIn(t, folder)
    const { failed, parts } = await ready()
    assert.deepEqual(failed, ['disk', 'keys', 'auctions'])
    assert.match(parts['disk']!.reason!, /^The data directory cannot be written \(ENOTDIR\)\.$/)
    const auctions = await get('/v1/auctions')
    assert.deepEqual([auctions.status, auctions.body['error']], [503, 'service_unavailable'])
    assert.match(String(auctions.body['message']), /^The file of the auctions cannot be used: /)
    const { isHealthy, found } = await doctor(folder)
    assert.equal(isHealthy, false)
    assert.match(found('disk').advice!, /ONOMA_DATA_DIR/)
  })

  test('with damaged auctions: the file is moved aside, and the feeds fill a new one', async (t) => {
    const folder = folderFor(t)
    mkdirSync(join(folder, 'data'))
    writeFileSync(join(folder, 'data', 'auctions.sqlite'), GARBAGE)
    assert.equal((await doctor(folder)).found('auctions').status, 'failed')
    const { get, ready } = await startIn(t, folder)
    const auctions = await get('/v1/auctions')
    assert.deepEqual([auctions.status, auctions.body['message']], [503, 'No auctions have been loaded yet.'])
    const aside = readdirSync(join(folder, 'data')).find((name) => name.startsWith('auctions.sqlite.damaged-'))
    assert.equal(readFileSync(join(folder, 'data', aside!), 'utf8'), GARBAGE)
    assert.deepEqual((await ready()).failed, [])
  })

  test('with auctions of a later version: they are left as they are, and the reason is told', async (t) => {
    const folder = folderFor(t)
    mkdirSync(join(folder, 'data'))
    const later = new DatabaseSync(join(folder, 'data', 'auctions.sqlite'))
    later.exec('PRAGMA user_version = 99')
    later.close()
    const { get, ready } = await startIn(t, folder)
    const { message } = (await get('/v1/auctions')).body
    assert.match(String(message), /: auctions\.sqlite has schema version 99/)
    const { failed, parts } = await ready()
    assert.deepEqual(failed, ['auctions'])
    const { status, reason } = (await doctor(folder)).found('auctions')
    assert.deepEqual([status, reason], ['failed', parts['auctions']!.reason])
  })

  for (const [what, damage] of [
    ['index.json', (index: string) => writeFileSync(join(index, 'index.json'), GARBAGE)],
    [
      'a segment',
      (index: string) =>
        truncateSync(
          join(
            index,
            readdirSync(index).find((name) => name.endsWith('.seg') || name.includes('segment'))!,
          ),
          100,
        ),
    ],
  ] as const) {
    test(`with a trademark index whose ${what} is damaged: nothing is moved, and the reason is told`, async (t) => {
      const folder = folderFor(t)
      const index = await indexIn(folder)
      const before = readdirSync(index)
      damage(index)
      const { get, ready } = await startIn(t, folder)
      const { failed, parts } = await ready()
      assert.deepEqual(failed, ['trademarks'])
      assert.match(parts['trademarks']!.reason!, /damaged/)
      assert.ok(!parts['trademarks']!.reason!.includes(folder))
      const search = await get('/v1/trademark/search?q=acme')
      assert.deepEqual([search.status, search.body['message']], [503, parts['trademarks']!.reason])
      assert.deepEqual(
        readdirSync(index).filter((name) => before.includes(name)),
        before,
      )
      assert.equal((await doctor(folder)).found('trademarks').status, 'failed')
    })
  }

  for (const [what, damage] of [
    ['that is no database', () => GARBAGE],
    [
      'whose pages are overwritten',
      (folder: string) => {
        const path = salesFile(folder)
        openToWrite(path).close()
        const bytes = readFileSync(path)
        return bytes.fill(0x5a, 4096)
      },
    ],
  ] as const) {
    test(`with a file of sales ${what}: valuations go on, it is not touched, and the reason is told`, async (t) => {
      const folder = folderFor(t)
      const data = join(folder, 'data')
      mkdirSync(data)
      const content = damage(data)
      writeFileSync(salesFile(data), content)
      const { get, ready } = await startIn(t, folder)
      const { failed, parts } = await ready()
      assert.deepEqual(failed, [])
      assert.equal(parts['sales']!.status, 'degraded')
      assert.match(parts['sales']!.reason!, /^The imported sales cannot be used: it is .*import the sales again\.$/)
      assert.equal((await get('/v1/valuation/example.com')).status, 402)
      assert.deepEqual(readFileSync(salesFile(data)), Buffer.from(content))
      const { isHealthy, found } = await doctor(folder)
      assert.equal(isHealthy, false)
      assert.match(found('sales').advice!, /onoma sales import/)
    })
  }

  test('with auctions in the schema of an earlier version: they are upgraded', async (t) => {
    const folder = folderFor(t)
    const data = join(folder, 'data')
    mkdirSync(data)
    openDatabase(join(data, 'auctions.sqlite')).close()
    const auctions = new DatabaseSync(join(data, 'auctions.sqlite'))
    auctions.exec('DROP TABLE sale_listing; DELETE FROM source WHERE id >= 100')
    auctions.exec(`ALTER TABLE auction DROP COLUMN name; ALTER TABLE auction ADD COLUMN start INTEGER NOT NULL DEFAULT 0;
      CREATE TABLE name_index (name TEXT); PRAGMA user_version = 1`)
    auctions.close()
    const { ready, get } = await startIn(t, folder)
    assert.equal((await get('/v1/auctions')).body['message'], 'No auctions have been loaded yet.')
    assert.deepEqual((await ready()).failed, [])
  })

  test('with a damaged payment ledger: payments are closed, and the ledger is never replaced', async (t) => {
    const folder = folderFor(t)
    mkdirSync(join(folder, 'data'))
    const path = join(folder, 'data', 'payments.sqlite')
    writeFileSync(path, GARBAGE)
    const live = {
      ONOMA_SANDBOX: 'off',
      ONOMA_PAY_TO: '0x52908400098527886E0F7030069857D2E4169EE7',
      ONOMA_X402_RPC_URLS: 'https://base.invalid',
      ONOMA_X402_SETTLEMENT_KEY: newWallet().key,
      ONOMA_PUBLIC_URL: 'https://names.example',
      ONOMA_ETH_RPC_URLS: 'https://node.invalid',
    }
    const { get, ready } = await startIn(t, folder, { settings: live })
    const { failed, parts } = await ready()
    assert.deepEqual(failed, ['ledger'])
    assert.match(parts['ledger']!.reason!, /^Payment ledger: /)
    assert.equal((await get('/v1/valuation/example.com')).status, 503)
    const { found } = await doctor(folder, live)
    assert.match(found('ledger').advice!, /never replaced/)
    assert.equal(readFileSync(path, 'utf8'), GARBAGE)
  })

  test('with damaged copies of what can be downloaded again', async (t) => {
    const folder = folderFor(t)
    mkdirSync(join(folder, 'data'))
    writeFileSync(join(folder, 'data', 'rdap-bootstrap.json'), GARBAGE)
    writeFileSync(join(folder, 'data', 'screenshots'), GARBAGE)
    const { ready } = await startIn(t, folder)
    assert.deepEqual((await ready()).failed, [])
  })

  for (const days of [-3, 3]) {
    test(`with a clock that is ${days} days off`, async (t) => {
      const clock: Clock = { ...systemClock, now: () => Date.now() + days * DAY_MS }
      const { ready } = await startIn(t, folderFor(t), { clock })
      assert.deepEqual((await ready()).failed, [])
    })
  }
})
