import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ENTRIES_PER_STEP, renderInSteps } from './render.ts'

test('a body rendered in steps is the JSON of the body', async () => {
  const body = fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.constant(undefined)))
  await fc.assert(
    fc.asyncProperty(body, async (given) => {
      const { text, length } = await renderInSteps(given, async () => {})
      assert.equal(text.toString(), JSON.stringify(given))
      assert.equal(length, Buffer.byteLength(JSON.stringify(given)))
    }),
  )
})

test('a long list is rendered in steps of a bounded number of entries', async () => {
  let turns = 0
  const results = Array.from({ length: ENTRIES_PER_STEP * 3 + 1 }, (_, at) => ({ domain: `bücher-${at}` }))
  const body = { results, summary: { checked: 1 }, left: undefined }
  const { text } = await renderInSteps(body, async () => void turns++)
  assert.deepEqual(JSON.parse(text.toString()), { results, summary: { checked: 1 } })
  assert.equal(turns, 4)
})
