import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import fc from 'fast-check'
import { readStream } from './read-stream.ts'

const ignore = () => {}

test('returns all bytes, however they are cut into parts', async () => {
  const anyParts = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(anyParts, async (parts) => {
      const stream = new PassThrough()
      const sizes: number[] = []
      const read = readStream(stream, (bytes) => sizes.push(bytes))
      for (const part of parts) stream.write(part)
      stream.end()
      const bytes = await read
      assert.deepEqual(bytes, Buffer.concat(parts))
      assert.equal(
        sizes.reduce((sum, size) => sum + size, 0),
        bytes.length,
      )
    }),
  )
})

test('stops reading if the caller refuses a part', async () => {
  const stream = new PassThrough()
  const refusal = new Error('too large')
  const read = readStream(stream, () => {
    throw refusal
  })
  stream.write('one')
  await assert.rejects(read, refusal)
  assert.ok(stream.isPaused())
  assert.equal(stream.listenerCount('data'), 0)
  stream.destroy()
})

test('rejects if the stream breaks off, before or while it is read', async () => {
  const broken = new PassThrough()
  const read = readStream(broken, ignore)
  broken.destroy(new Error('reset'))
  await assert.rejects(read, /reset/)
  const closed = new PassThrough()
  const reading = readStream(closed, ignore)
  closed.destroy()
  await assert.rejects(reading, /closed before its end/)
  await assert.rejects(readStream(closed, ignore), /closed before its end/)
})
