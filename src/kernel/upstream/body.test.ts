import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { assertReadable, BodyError, decodeBody } from './body.ts'

const MAX = 1000
const decode = (bytes: Uint8Array, contentEncoding?: string, maxBytes = MAX) =>
  decodeBody(bytes, contentEncoding, maxBytes)
const textOf = async (...args: Parameters<typeof decode>) => Buffer.from(await decode(...args)).toString()

const PACKERS: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  zstd: zstdCompressSync,
}

for (const [contentEncoding, pack] of Object.entries(PACKERS)) {
  test(`${contentEncoding} is decompressed`, async () => {
    const packed = pack(Buffer.from('{"name":"onoma"}'))
    assert.equal(await textOf(packed, contentEncoding), '{"name":"onoma"}')
  })

  test(`${contentEncoding} may decompress to exactly the maximum size, and not to one byte more`, async () => {
    const full = await decode(pack(Buffer.alloc(MAX, 'x')), contentEncoding)
    assert.equal(full.length, MAX)
    await assert.rejects(decode(pack(Buffer.alloc(MAX + 1, 'x')), contentEncoding), BodyError)
  })

  test(`a ${contentEncoding} bomb is rejected without decompressing all of it`, async () => {
    const bomb = pack(Buffer.alloc(8_000_000))
    const before = process.memoryUsage().arrayBuffers
    await assert.rejects(decode(bomb, contentEncoding, 50_000), {
      name: 'BodyError',
      message: /larger than 50000 bytes/,
    })
    assert.ok(process.memoryUsage().arrayBuffers - before < 2_000_000)
  })

  test(`${contentEncoding} that is truncated or damaged is rejected`, async () => {
    const packed = pack(Buffer.from('something long enough to be cut in the middle of it'))
    for (const broken of [packed.subarray(0, packed.length - 6), Buffer.from('this is not packed at all')]) {
      await assert.rejects(decode(broken, contentEncoding), {
        name: 'BodyError',
        message: /decompressed/,
      })
    }
  })
}

test('deflate without the zlib wrapper is accepted, as in browsers', async () => {
  const packed = deflateRawSync(Buffer.from('bare'))
  assert.equal(await textOf(packed, 'deflate'), 'bare')
})

test('the name of an encoding may differ in case and spaces', async () => {
  for (const contentEncoding of ['x-gzip', 'GZip', ' gzip ']) {
    assert.equal(await textOf(gzipSync('packed'), contentEncoding), 'packed')
  }
})

test('an empty body is empty, whatever its content encoding', async () => {
  assert.equal(await textOf(Buffer.alloc(0), 'gzip'), '')
})

test('identity means not compressed', async () => {
  assert.equal(await textOf(Buffer.from('plain'), 'identity'), 'plain')
})

for (const contentEncoding of ['compress', 'gzip, gzip', 'gzip, br', 'aws-chunked', 'x', 'constructor']) {
  test(`an encoding of ${contentEncoding} is rejected before the body is read`, () => {
    assert.throws(() => assertReadable(contentEncoding, undefined, MAX), {
      name: 'BodyError',
      message: /unknown content encoding/,
    })
  })
}

test('a body with too large a Content-Length is rejected before it is read', () => {
  assert.throws(() => assertReadable(undefined, String(MAX + 1), MAX), BodyError)
  assertReadable(undefined, String(MAX), MAX)
})
