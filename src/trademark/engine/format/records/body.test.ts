import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyRecord } from './body.fixture.ts'
import type { AsciiText } from '../segment.ts'
import { decodeBody, decodeIndexed, encodeBody, maxBodyBytes } from './body.ts'

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

test('what a segment needs of a stored record equals the record, and ASCII texts stay encoded', () => {
  const textOf = (text: string | AsciiText) =>
    typeof text === 'string' ? text : Buffer.from(text.bytes.subarray(text.begin, text.end)).toString('latin1')
  fc.assert(
    fc.property(anyRecord, fc.nat(9), (record, begin) => {
      const buffer = Buffer.alloc(begin + maxBodyBytes(record), 0xa5)
      encodeBody(record, buffer, begin)
      const found = decodeIndexed(buffer, begin)
      const { status, filingDate, registrationDate, renewalDate, mark, pseudoMarks, classes, owner, goods } = record
      const wanted = { status, filingDate, registrationDate, renewalDate, mark, pseudoMarks, classes, owner, goods }
      assert.equal(Number(found.serial), Number(record.serial))
      const texts = {
        mark: textOf(found.mark),
        pseudoMarks: found.pseudoMarks.map(textOf),
        owner: textOf(found.owner),
        goods: textOf(found.goods),
      }
      assert.partialDeepStrictEqual({ ...found, ...texts }, wanted)
      if (buffer[begin] === 1)
        for (const text of [found.mark, ...found.pseudoMarks, found.goods]) assert.equal(typeof text, 'object')
    }),
  )
})
