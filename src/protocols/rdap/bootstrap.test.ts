import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { manualClock } from '../../kernel/clock.ts'
import { seededRandom } from '../../kernel/random.ts'
import { createBootstrap } from './bootstrap.ts'
import { parseBootstrap } from './bootstrap-file.ts'
import { fileStore } from './file-store.ts'

type Service = [string[], string[]]

const bootstrapText = (services: Service[], publication = '2026-01-01T00:00:00Z') =>
  JSON.stringify({ version: '1.0', publication, description: 'RDAP bootstrap file', services })

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
/** `count` invented TLDs: `taa`, `tab` … */
const tlds = (count: number) =>
  Array.from({ length: count }, (_, at) => `t${LETTERS[Math.floor(at / 26)]}${LETTERS[at % 26]}`)

suite("IANA's bootstrap file", () => {
  test('is parsed to the https base URLs of each TLD, with a trailing slash; invalid entries are skipped', () => {
    const { publication, bases } = parseBootstrap(
      bootstrapText([
        [['COM', 'net'], ['https://rdap.one.test/com/v1']],
        [['xn--p1acf'], ['http://rdap.two.test/', 'https://rdap.two.test/rdap/']],
        [['old'], ['http://rdap.three.test/']],
        [['odd'], ['ftp://x.test/', 'https://user:secret@x.test/', 'https://x.test/?q=1', 'nonsense', '']],
        [['not a tld', 'co.uk', '', '-x'], ['https://rdap.four.test/']],
      ]),
    )
    assert.equal(publication, Date.UTC(2026, 0, 1))
    assert.deepEqual(Object.fromEntries(bases), {
      com: ['https://rdap.one.test/com/v1/'],
      net: ['https://rdap.one.test/com/v1/'],
      'xn--p1acf': ['https://rdap.two.test/rdap/'],
    })
  })

  test('may contain plain HTTP URLs only with the option insecure', () => {
    const text = bootstrapText([[['com'], ['http://127.0.0.1:8080/rdap']]])
    assert.equal(parseBootstrap(text).bases.size, 0)
    assert.deepEqual(parseBootstrap(text, { insecure: true }).bases.get('com'), ['http://127.0.0.1:8080/rdap/'])
  })

  const wrong: [string, string, RegExp][] = [
    ['a web page', '<html></html>', /web page/],
    ['cut off', bootstrapText([[['com'], ['https://x.test/']]]).slice(0, -5), /not JSON/],
    ['a list', '[]', /no list of services/],
    ['without services', '{"publication":"2026-01-01T00:00:00Z"}', /no list of services/],
    ['without a date', '{"services":[]}', /when it was published/],
    ['made of other pairs', '{"publication":"2026-01-01T00:00:00Z","services":[["com","x"]]}', /pair of lists/],
  ]
  for (const [what, text, message] of wrong) {
    test(`is rejected if it is ${what}`, () => assert.throws(() => parseBootstrap(text), { message }))
  }

  test('is parsed or rejected, whatever its content', () => {
    const any = fc.oneof(
      fc.string(),
      fc.json(),
      fc.jsonValue().map((services) => JSON.stringify({ publication: '2026-01-01T00:00:00Z', services })),
    )
    fc.assert(
      fc.property(any, (text) => {
        try {
          for (const urls of parseBootstrap(text).bases.values()) assert.match(urls[0]!, /^https:.*\/$/)
        } catch (error) {
          assert.match((error as Error).message, /^it |^one of/)
        }
      }),
    )
  })
})

/** A bootstrap with 100 bundled TLDs; the test controls its downloads, disk and clock. */
function bootstrapWith(options: Partial<Parameters<typeof createBootstrap>[0]> = {}) {
  const clock = manualClock(Date.UTC(2026, 5, 1))
  const warnings: string[] = []
  const record = (_facts: unknown, message: string) => void warnings.push(message)
  const world = { download: '', disk: undefined as string | undefined, writes: 0 }
  const bootstrap = createBootstrap({
    bundled: {
      publication: Date.UTC(2026, 0, 1),
      servers: new Map(tlds(100).map((tld) => [tld, 'https://bundled.test/'])),
    },
    overrides: new Map([
      ['zz', 'https://override.test/'],
      ['taa', 'https://wrong.test/'],
    ]),
    load: async () => world.download,
    store: {
      read: async () => world.disk,
      async write(content) {
        world.writes++
        world.disk = content
      },
    },
    clock,
    random: seededRandom(1),
    log: { debug: record, info: record, warn: record, error: record },
    ...options,
  })
  return { bootstrap, world, clock, warnings }
}

const full = (count = 100, publication?: string) =>
  bootstrapText([[tlds(count), ['https://iana.test/rdap']]], publication)

suite('the table of servers', () => {
  test('starts with the bundled servers; overrides apply only to TLDs without one; other TLDs have none', () => {
    const { bootstrap } = bootstrapWith()
    assert.equal(bootstrap.baseFor('taa'), 'https://bundled.test/')
    assert.equal(bootstrap.baseFor('zz'), 'https://override.test/')
    assert.equal(bootstrap.baseFor('com'), undefined)
    assert.equal(bootstrap.baseFor('constructor'), undefined)
  })

  test('is replaced by a valid download, which is stored on disk', async () => {
    const { bootstrap, world, warnings } = bootstrapWith()
    world.download = full(101, '2026-02-01T00:00:00Z')
    assert.equal(await bootstrap.refresh(), 'replaced')
    assert.equal(bootstrap.baseFor('taa'), 'https://iana.test/rdap/')
    assert.equal(world.disk, world.download)
    assert.equal(await bootstrap.refresh(), 'same')
    assert.equal(world.writes, 1)
    assert.deepEqual(warnings, [])
  })

  const bad: [string, string][] = [
    ['has lost more than a tenth of the TLDs', full(89, '2026-02-01T00:00:00Z')],
    ['has other TLDs', bootstrapText([[tlds(250).slice(100), ['https://x.test/']]], '2026-02-01T00:00:00Z')],
    ['is older', full(100, '2025-12-31T00:00:00Z')],
    ['is from the future', full(100, '2026-07-01T00:00:00Z')],
    ['has no https', bootstrapText([[tlds(100), ['http://x.test/']]], '2026-02-01T00:00:00Z')],
    ['is cut off', full().slice(0, 400)],
    ['is empty', ''],
    ['is a web page', '<!doctype html>'],
    ['lists nothing', bootstrapText([], '2026-02-01T00:00:00Z')],
  ]
  for (const [what, text] of bad) {
    test(`is not replaced by a file that ${what}`, async () => {
      const { bootstrap, world, warnings } = bootstrapWith()
      world.download = text
      assert.equal(await bootstrap.refresh(), 'rejected')
      assert.equal(bootstrap.baseFor('taa'), 'https://bundled.test/')
      assert.equal(world.writes, 0)
      assert.equal(warnings.length, 1)
    })
  }

  test('may lose up to a tenth of its TLDs', async () => {
    const { bootstrap, world } = bootstrapWith()
    world.download = full(90, '2026-02-01T00:00:00Z')
    assert.equal(await bootstrap.refresh(), 'replaced')
  })

  test('is loaded at the start from a copy on disk that is newer than the bundled servers', async (t) => {
    const { bootstrap, world } = bootstrapWith({ wait: () => new Promise(() => {}) })
    t.after(() => bootstrap.close())
    world.disk = full(100, '2026-03-01T00:00:00Z')
    await bootstrap.start()
    assert.equal(bootstrap.baseFor('taa'), 'https://iana.test/rdap/')
  })

  for (const [what, disk] of [...bad, ['is an old copy', full(100, '2025-01-01T00:00:00Z')]]) {
    test(`ignores a copy on disk that ${what}`, async (t) => {
      const { bootstrap, world, warnings } = bootstrapWith({ wait: () => new Promise(() => {}) })
      t.after(() => bootstrap.close())
      world.disk = disk
      await bootstrap.start()
      assert.equal(bootstrap.baseFor('taa'), 'https://bundled.test/')
      assert.equal(warnings.length, 1)
    })
  }

  test('works if the disk fails; without bundled servers the first valid file is accepted', async () => {
    const { bootstrap, world, warnings } = bootstrapWith({ store: { read: assert.fail, write: assert.fail } })
    world.download = full(100, '2026-02-01T00:00:00Z')
    assert.equal(await bootstrap.refresh(), 'replaced')
    assert.equal(warnings.length, 1)
    const own = createBootstrap({
      load: async () => bootstrapText([[['com'], ['http://127.0.0.1:1/']]]),
      insecure: true,
      clock: manualClock(),
      random: seededRandom(1),
      log: { debug() {}, info() {}, warn() {}, error() {} },
    })
    assert.equal(own.baseFor('com'), undefined)
    assert.equal(await own.refresh(), 'replaced')
    assert.equal(own.baseFor('com'), 'http://127.0.0.1:1/')
  })

  test('is refreshed soon after the start, then daily, an hour after a failure, and never after close', async () => {
    const pauses: number[] = []
    const done = Promise.withResolvers<void>()
    const { bootstrap, world } = bootstrapWith({
      wait: async (ms, signal) => {
        pauses.push(ms / 3_600_000)
        if (pauses.length === 2) world.download = ''
        if (pauses.length === 4) {
          bootstrap.close()
          done.resolve()
        }
        signal.throwIfAborted()
      },
    })
    world.download = full(100, '2026-02-01T00:00:00Z')
    await bootstrap.start()
    await done.promise
    const [first, second, third, ...more] = pauses as [number, number, number, number]
    assert.ok(first > 0 && first < 1 / 30)
    assert.ok(second > 21 && second < 27)
    assert.ok(third > 0.8 && third < 1.2)
    assert.equal(more.length, 1)
  })
})

suite('the copy on disk', () => {
  test('is replaced atomically, creates its folder and leaves no other files', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'onoma-'))
    t.after(() => rm(folder, { recursive: true }))
    const path = join(folder, 'deep', 'dns.json')
    const store = fileStore(path)
    assert.equal(await store.read(), undefined)
    await store.write('one')
    await store.write('two')
    assert.equal(await store.read(), 'two')
    assert.deepEqual(await readdir(join(folder, 'deep')), ['dns.json'])
  })

  test('is unchanged after a failed write', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'onoma-'))
    t.after(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'file'), 'old')
    await assert.rejects(fileStore(join(folder, 'file', 'dns.json')).write('new'))
    await assert.rejects(fileStore(folder).read())
    assert.equal(await readFile(join(folder, 'file'), 'utf8'), 'old')
  })
})
