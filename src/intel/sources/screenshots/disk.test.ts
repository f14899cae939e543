import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import fc from 'fast-check'
import { manualClock } from '../../../kernel/clock.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import { secureRandom } from '../../../kernel/random.ts'
import { diskScreenshots } from './disk.ts'

const DAY_MS = 24 * 60 * 60_000
const forever = new AbortController().signal
const picture = (text: string, bytes = 100) => Buffer.from(text.padEnd(bytes, '.'))
const secretOf = (text: string) => Buffer.from(text)

function open(t: TestContext, options: Partial<Parameters<typeof diskScreenshots>[0]> = {}) {
  const parent = mkdtempSync(join(tmpdir(), 'onoma-test-screenshots-'))
  t.after(() => rmSync(parent, { recursive: true, force: true }))
  const folder = join(parent, 'data', 'screenshots')
  const clock = manualClock()
  const settings = { secret: () => secretOf('one'), maxAgeMs: 30 * DAY_MS, maxBytes: 1_000_000, random: secureRandom }
  const screenshots = diskScreenshots({ folder, clock, ...settings, ...options })
  return {
    parent,
    folder,
    clock,
    screenshots,
    put: (jpeg: Uint8Array) => screenshots.put(jpeg, forever),
    get: (id: string) => screenshots.get(id, forever),
    files: () =>
      readdirSync(folder, { recursive: true })
        .map(String)
        .filter((name) => name.includes('.jpg')),
    pathOf: (id: string) => join(folder, id.slice(0, 2), `${id}.jpg`),
  }
}

suite('screenshots on disk', () => {
  test('a screenshot is returned unchanged, and no temporary file is left', async (t) => {
    const { put, get, files } = open(t)
    const jpeg = secureRandom.bytes(70_000)
    const id = await put(jpeg)
    assert.match(id, /^[0-9a-f]{64}$/)
    assert.deepEqual(Buffer.from((await get(id))!), Buffer.from(jpeg))
    assert.deepEqual(files(), [join(id.slice(0, 2), `${id}.jpg`)])
  })

  test('equal screenshots have one id and are stored once, even concurrently', async (t) => {
    const { put, get, files } = open(t)
    const ids = await Promise.all(Array.from({ length: 20 }, () => put(picture('same'))))
    assert.equal(new Set([...ids, await put(picture('same'))]).size, 1)
    assert.equal(files().length, 1)
    assert.equal(String(await get(ids[0]!)), String(picture('same')))
    assert.notEqual(await put(picture('other')), ids[0])
  })

  test('the id cannot be computed without the secret', async (t) => {
    const [first, second] = [open(t), open(t, { secret: () => secretOf('two') })]
    assert.notEqual(await first.put(picture('same')), await second.put(picture('same')))
  })

  test('the secret is only requested for the first screenshot', async (t) => {
    let asked = 0
    const { screenshots, put, get } = open(t, { secret: () => (asked++, secretOf('one')) })
    await screenshots.sweep()
    assert.equal(await get('0'.repeat(64)), null)
    assert.equal(asked, 0)
    await put(picture('a'))
    assert.equal(asked, 1)
  })

  test('writes are atomic: a temporary file that cannot be renamed is removed', async (t) => {
    const probe = open(t)
    const id = await probe.put(picture('kept'))
    // The file does not exist when it is touched, but then a folder is in its place.
    const { put, folder } = open(t, {
      random: {
        ...secureRandom,
        uuid() {
          mkdirSync(join(folder, id.slice(0, 2), `${id}.jpg`, 'in the way'), { recursive: true })
          return secureRandom.uuid()
        },
      },
    })
    await assert.rejects(put(picture('kept')), (error) => {
      assert.ok(error instanceof UpstreamError && error.failure === 'unavailable')
      assert.doesNotMatch(error.message, /\/|EISDIR|ENOTEMPTY/)
      assert.ok(error.cause instanceof Error)
      return true
    })
    assert.deepEqual(readdirSync(join(folder, id.slice(0, 2))), [`${id}.jpg`])
  })

  test('a folder that cannot be written is an UpstreamError', async (t) => {
    const { put, get, parent, screenshots } = open(t)
    // A file where the folder should be: not even root can make one of it.
    writeFileSync(join(parent, 'data'), '')
    await assert.rejects(
      put(picture('a')),
      (error) => error instanceof UpstreamError && error.failure === 'unavailable',
    )
    await assert.rejects(get('0'.repeat(64)), (error) => error instanceof UpstreamError)
    await assert.rejects(screenshots.sweep())
  })

  test('an invalid id is never used in a path', async (t) => {
    const { put, get, parent, folder } = open(t)
    const id = await put(picture('mine'))
    writeFileSync(join(parent, 'secret.jpg'), 'secret')
    const hostile = [
      '',
      '.',
      '..',
      `../${id}`,
      '../../secret',
      `${'a'.repeat(61)}/..`,
      `${id}/`,
      `${id}.jpg`,
      ` ${id}`,
      `${id}\n`,
      `${id}\0`,
      id.toUpperCase(),
      id.slice(1),
      `${id}0`,
      `..%2f..%2fsecret`,
      join(folder, id.slice(0, 2), id),
      '０'.repeat(64),
      '__proto__',
    ]
    for (const text of hostile) assert.equal(await get(text), null, JSON.stringify(text))
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.webPath()), async (text) => {
        assert.equal(await get(text), null)
      }),
      { numRuns: 60, seed: 20_261_115 },
    )
    assert.equal(String(await get(id)), String(picture('mine')))
  })
})

suite('the sweep removes', () => {
  test('nothing if there is no folder yet', async (t) => {
    await open(t).screenshots.sweep()
  })

  test('expired screenshots and no others', async (t) => {
    const { put, get, clock, screenshots } = open(t, { maxAgeMs: 30 * DAY_MS })
    const old = await put(picture('old'))
    clock.advance(20 * DAY_MS)
    const young = await put(picture('young'))
    clock.advance(10 * DAY_MS)
    await screenshots.sweep()
    assert.ok(await get(old))
    clock.advance(1000)
    await screenshots.sweep()
    assert.equal(await get(old), null)
    assert.ok(await get(young))
  })

  test('no screenshot that was stored again recently', async (t) => {
    const { put, get, clock, screenshots } = open(t)
    const id = await put(picture('again'))
    clock.advance(29 * DAY_MS)
    await put(picture('again'))
    clock.advance(29 * DAY_MS)
    await screenshots.sweep()
    assert.ok(await get(id))
  })

  test('the oldest screenshots beyond the size limit', async (t) => {
    const { put, get, clock, screenshots } = open(t, { maxBytes: 350 })
    const ids: string[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      ids.push(await put(picture(name, 100)))
      clock.advance(1000)
    }
    await screenshots.sweep()
    const kept = await Promise.all(ids.map(async (id) => (await get(id)) !== null))
    assert.deepEqual(kept, [false, false, true, true, true])
  })

  test('old temporary files, but none that is being written', async (t) => {
    const { put, get, clock, screenshots, pathOf, files } = open(t)
    const id = await put(picture('whole'))
    const at = (ms: number) => new Date(clock.now() - ms)
    const [dead, live] = [`${pathOf(id)}.${secureRandom.uuid()}`, `${pathOf(id)}.${secureRandom.uuid()}`]
    for (const [path, age] of [
      [dead, 2 * 60 * 60_000],
      [live, 60_000],
    ] as const) {
      writeFileSync(path, 'half')
      utimesSync(path, at(age), at(age))
    }
    await screenshots.sweep()
    assert.deepEqual([existsSync(dead), existsSync(live)], [false, true])
    assert.equal(files().length, 2)
    assert.ok(await get(id))
  })

  test('no other files', async (t) => {
    const { put, clock, screenshots, folder, pathOf } = open(t, { maxBytes: 1 })
    const id = await put(picture('mine'))
    const others = ['notes.txt', `${'g'.repeat(64)}.jpg`, `${id}.jpg.bak`, 'picture.jpg'].map((name) =>
      join(dirname(pathOf(id)), name),
    )
    for (const path of [...others, join(folder, 'notes.txt')]) {
      writeFileSync(path, 'not ours')
      utimesSync(path, 1, 1)
    }
    clock.advance(100 * DAY_MS)
    await screenshots.sweep()
    assert.ok(!existsSync(pathOf(id)))
    for (const path of others) assert.equal(readFileSync(path, 'utf8'), 'not ours')
  })
})
