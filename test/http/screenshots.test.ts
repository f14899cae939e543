import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { request } from 'undici'
import { diskScreenshots } from '../../src/intel/sources/screenshots/disk.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { UpstreamError } from '../../src/kernel/errors.ts'
import { secureRandom } from '../../src/kernel/random.ts'
import { pictureMount } from '../../src/surfaces/http/pictures.ts'
import { startDoor } from '../support/door.ts'
import { exchangeBytes, statusOf } from '../support/wire.ts'

const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), secureRandom.bytes(50_000)])

suite('GET /screenshots/{file}', () => {
  let folder: string
  let door: Awaited<ReturnType<typeof startDoor>>
  let id: string
  let broken: Error | null = null
  let hanging = false
  const hung = Promise.withResolvers<void>()
  /** As a store does that is in a black hole: it ends with the reason of the signal. */
  const hang = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      hung.resolve()
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  const asked: string[] = []

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'onoma-test-pictures-'))
    const screenshots = diskScreenshots({
      folder: join(folder, 'screenshots'),
      secret: () => Buffer.from('a secret'),
      maxAgeMs: 1e9,
      maxBytes: 1e9,
      clock: manualClock(),
      random: secureRandom,
    })
    id = await screenshots.put(jpeg, new AbortController().signal)
    writeFileSync(join(folder, `${'a'.repeat(64)}.jpg`), 'not to be read')
    const get: typeof screenshots.get = async (id, signal) => {
      asked.push(id)
      if (broken) throw broken
      if (hanging) return hang(signal)
      return screenshots.get(id, signal)
    }
    door = await startDoor([], { mounts: [pictureMount({ get })] })
  })
  after(async () => {
    await door.stop()
    rmSync(folder, { recursive: true })
  })

  test('sends the stored bytes as image/jpeg, immutable and with nosniff', async () => {
    const answer = await request(`${door.url}/screenshots/${id}.jpg`, { headers: { 'accept-encoding': 'gzip, br' } })
    assert.equal(answer.statusCode, 200)
    assert.deepEqual(Buffer.from(await answer.body.arrayBuffer()), jpeg)
    const { headers } = answer
    assert.equal(headers['content-type'], 'image/jpeg')
    assert.equal(headers['content-length'], String(jpeg.length))
    assert.equal(headers['content-encoding'], undefined)
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['access-control-allow-origin'], '*')
  })

  test('HEAD has the same headers and no body', async () => {
    const { status, headers, text } = await door.get(`/screenshots/${id}.jpg`, { method: 'HEAD' })
    assert.deepEqual([status, text], [200, ''])
    assert.equal(headers.get('content-length'), String(jpeg.length))
    assert.equal(headers.get('content-type'), 'image/jpeg')
  })

  test('a query is ignored, and a request target in absolute form is accepted', async () => {
    assert.equal((await door.get(`/screenshots/${id}.jpg?size=9`)).status, 200)
    const raw = `GET http://names.example/screenshots/${id}.jpg HTTP/1.1\r\nHost: names.example\r\nConnection: close\r\n\r\n`
    assert.equal(statusOf(await exchangeBytes(door.port, raw)), 200)
  })

  test('other methods are 405', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { status, headers } = await door.get(`/screenshots/${id}.jpg`, { method })
      assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD, OPTIONS'], method)
    }
  })

  test('an unknown ID is 404 and not cacheable', async () => {
    const { status, headers, body } = await door.get(`/screenshots/${'0'.repeat(64)}.jpg`)
    assert.equal(status, 404)
    assert.equal((body as { error: string }).error, 'not_found')
    assert.equal(headers.get('cache-control'), 'no-store')
  })

  test('an invalid ID is 404 without a query to the storage', async () => {
    const before = asked.length
    const tricks = [
      '/screenshots',
      '/screenshots/',
      '/screenshots/.jpg',
      `/screenshots/${id}`,
      `/screenshots/${id}.png`,
      `/screenshots/${id}.jpg.`,
      `/screenshots/${id}.jpg/`,
      `/screenshots/${id}.jpg/x`,
      `/screenshots/${id}.jpg%00`,
      `/screenshots/${id}.jpg%0a`,
      `/screenshots/${id}%2ejpg`,
      `/screenshots/${id.toUpperCase()}0.jpg`,
      `/screenshots/${id.slice(1)}.jpg`,
      `/screenshots/${id.slice(0, 2)}/${id}.jpg`,
      `/screenshots/x/../${id}.jpg`,
      `/screenshots/..%2f${'a'.repeat(64)}.jpg`,
      `/screenshots/%2e%2e%2f${'a'.repeat(64)}.jpg`,
      `/screenshots/../${'a'.repeat(64)}.jpg`,
      `/screenshots/..\\${'a'.repeat(64)}.jpg`,
      `/screenshots/../../../../etc/passwd`,
      `/screenshots/....//....//etc/passwd`,
      `//screenshots/${id}.jpg`,
    ]
    for (const path of tricks) {
      // As raw bytes, because clients normalize the path.
      const raw = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
      const answer = await exchangeBytes(door.port, raw)
      assert.equal(statusOf(answer), 404, path)
      assert.doesNotMatch(answer, /not to be read|root:/, path)
    }
    assert.equal(asked.length, before)
  })

  test('a storage that does not answer in time is 503 with Retry-After', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    t.after(() => (hanging = false))
    hanging = true
    const reply = door.get(`/screenshots/${id}.jpg`)
    await hung.promise
    t.mock.timers.tick(10_000)
    const { status, headers, body } = await reply
    assert.deepEqual([status, (body as { error: string }).error], [503, 'service_unavailable'])
    assert.equal(headers.get('retry-after'), '5')
  })

  test('a storage failure is 503 without the reason, which is in the log', async (t) => {
    t.after(() => (broken = null))
    broken = new UpstreamError('auth_error', 'bucket.internal answered 403')
    const { status, headers, text } = await door.get(`/screenshots/${id}.jpg`)
    assert.equal(status, 503)
    assert.equal(headers.get('retry-after'), '5')
    assert.match(text, /service_unavailable/)
    assert.doesNotMatch(text, /bucket|403/)
    assert.match(JSON.stringify(door.lines), /bucket\.internal/)
    broken = new TypeError('a mistake of ours')
    assert.equal((await door.get(`/screenshots/${id}.jpg`)).status, 500)
  })
})
