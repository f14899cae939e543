import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { createHmacSigner } from './hmac.ts'

test('is HMAC-SHA256, for keys and texts of any length and script, in any order', () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ maxLength: 2_000 }))
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), fc.array(text, { maxLength: 6 }), (secret, texts) => {
      const sign = createHmacSigner(secret)
      for (const one of [...texts, ...texts.toReversed()]) {
        assert.equal(sign(one), createHmac('sha256', secret).update(one).digest('base64url'))
      }
    }),
  )
})
