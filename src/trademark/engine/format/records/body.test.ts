import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyRecord } from './body.fixture.ts'
import { decodeBody, encodeBody, maxBodyBytes } from './body.ts'

test('decoding a stored record gives back the record, alone or among others', () => {
  fc.assert(
    fc.property(fc.array(anyRecord, { minLength: 1, maxLength: 5 }), (records) => {
      for (const one of records) {
        const buffer = Buffer.alloc(maxBodyBytes(one))
        encodeBody(one, buffer, 0)
        assert.deepEqual(decodeBody(buffer), one)
      }
      const buffer = Buffer.alloc(1_000_000, 0xa5)
      const begins: number[] = []
      let end = 3
      for (const one of records) {
        begins.push(end)
        end = encodeBody(one, buffer, end)
      }
      assert.deepEqual(
        begins.map((begin) => decodeBody(buffer, begin)),
        records,
      )
    }),
  )
})
