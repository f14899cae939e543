import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { BodyError, readBody } from './body.ts'

const MAX = 1000
const shape = { contentLength: undefined, contentEncoding: undefined, maxBytes: MAX }
const stream = (bytes: Uint8Array, piece = 7) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / piece) }, (_, i) => bytes.subarray(i * piece, (i + 1) * piece)),
    {
      objectMode: false,
    },
  )
const textOf = async (...args: Parameters<typeof readBody>) => Buffer.from(await readBody(...args)).toString()

const PACKERS: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  zstd: zstdCompressSync,
}

test('a body is the same in however many chunks it arrives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: MAX }), fc.integer({ min: 1, max: 300 }), async (bytes, piece) => {
      assert.deepEqual(Buffer.from(await readBody(stream(bytes, piece), shape)), Buffer.from(bytes))
    }),
    { numRuns: 50 },
  )
})

for (const [contentEncoding, pack] of Object.entries(PACKERS)) {
  test(`${contentEncoding} is decompressed`, async () => {
    const packed = pack(Buffer.from('{"name":"onoma"}'))
    assert.equal(await textOf(stream(packed), { ...shape, contentEncoding }), '{"name":"onoma"}')
  })

  test(`${contentEncoding} may decompress to exactly the maximum size, and not to one byte more`, async () => {
    const full = await readBody(stream(pack(Buffer.alloc(MAX, 'x'))), { ...shape, contentEncoding })
    assert.equal(full.length, MAX)
    await assert.rejects(readBody(stream(pack(Buffer.alloc(MAX + 1, 'x'))), { ...shape, contentEncoding }), BodyError)
  })

  test(`a ${contentEncoding} bomb is rejected without decompressing all of it`, async () => {
    const bomb = pack(Buffer.alloc(8_000_000))
    const before = process.memoryUsage().arrayBuffers
    const limits = { ...shape, contentEncoding, maxBytes: 50_000 }
    await assert.rejects(readBody(stream(bomb, 10_000), limits), {
      name: 'BodyError',
      message: /larger than 50000 bytes/,
    })
    assert.ok(process.memoryUsage().arrayBuffers - before < 2_000_000)
  })

  test(`${contentEncoding} that is truncated or damaged is rejected`, async () => {
    const packed = pack(Buffer.from('something long enough to be cut in the middle of it'))
    for (const broken of [packed.subarray(0, packed.length - 6), Buffer.from('this is not packed at all')]) {
      await assert.rejects(readBody(stream(broken), { ...shape, contentEncoding }), {
        name: 'BodyError',
        message: /decompressed/,
      })
    }
  })
}

test('deflate without the zlib wrapper is accepted, as in browsers', async () => {
  const packed = deflateRawSync(Buffer.from('bare'))
  assert.equal(await textOf(stream(packed), { ...shape, contentEncoding: 'deflate' }), 'bare')
})

test('the name of an encoding may differ in case and spaces', async () => {
  for (const contentEncoding of ['x-gzip', 'GZip', ' gzip ']) {
    assert.equal(await textOf(stream(gzipSync('packed')), { ...shape, contentEncoding }), 'packed')
  }
})

test('an empty body is empty, whatever its content encoding', async () => {
  assert.equal(await textOf(stream(Buffer.alloc(0)), { ...shape, contentEncoding: 'gzip' }), '')
})

test('identity means not compressed', async () => {
  assert.equal(await textOf(stream(Buffer.from('plain')), { ...shape, contentEncoding: 'identity' }), 'plain')
})

for (const contentEncoding of ['compress', 'gzip, gzip', 'gzip, br', 'aws-chunked', 'x', 'constructor']) {
  test(`an encoding of ${contentEncoding} is rejected, and the body is not read`, async () => {
    const body = stream(Buffer.from('anything'))
    await assert.rejects(readBody(body, { ...shape, contentEncoding }), {
      name: 'BodyError',
      message: /unknown content encoding/,
    })
    assert.ok(body.destroyed)
  })
}

test('a body with too large a Content-Length is rejected before it is read', async () => {
  let read = false
  const body = new Readable({ read: () => (read = true) })
  await assert.rejects(readBody(body, { ...shape, contentLength: String(MAX + 1) }), BodyError)
  assert.deepEqual([read, body.destroyed], [false, true])
})

test('an endless body is rejected at the maximum size', async () => {
  let sent = 0
  const body = new Readable({
    highWaterMark: 10,
    read() {
      sent += 10
      this.push(Buffer.alloc(10))
    },
  })
  await assert.rejects(readBody(body, shape), BodyError)
  assert.ok(sent <= MAX + 100, `${sent} bytes were read`)
  assert.ok(body.destroyed)
})

test('a body that breaks off fails with the error of the stream', async () => {
  const body = Readable.from(
    (async function* () {
      yield Buffer.from('half')
      throw new Error('other side closed')
    })(),
  )
  await assert.rejects(readBody(body, shape), /other side closed/)
})

test('a body that is destroyed from outside rejects at once', async () => {
  const body = new Readable({ read() {} })
  const reading = readBody(body, shape)
  body.destroy()
  await assert.rejects(reading, { name: 'BodyError', message: /incomplete/ })
})
