import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyRecord } from '../format/records/body.fixture.ts'
import type { TrademarkRecord } from '../../record.ts'
import { decodeBody, serialOf, transactionDateOf } from '../format/records/body.ts'
import { decodePortion } from './portion.fixture.ts'
import { createPortionWriter, eachRecord } from './portion.ts'
import { createBatcher, type RecordBatch } from './record-batch.ts'

test('batches hold the kept records with consecutive ids, and none that was encoded and not kept', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyRecord, fc.boolean()), { maxLength: 40 }), fc.nat(3), (all, times) => {
      const many = Array.from({ length: 1 + times * 20 }, () => all).flat()
      const given: RecordBatch[] = []
      const packer = createBatcher(7, (rows) => given.push(rows))
      for (const [one, isKept] of many) {
        packer.pack(one)
        if (isKept) packer.keep()
      }
      packer.flush()
      const kept = many.filter(([, isKept]) => isKept).map(([one]) => one)
      const read = given.flatMap(({ count, bytes, offsets }) =>
        Array.from({ length: count }, (_, at) => decodeBody(bytes, offsets[at])),
      )
      assert.deepEqual(read, kept)
      assert.equal(packer.nextId(), 7 + kept.length)
      let next = 7
      for (const { firstId, count } of given) {
        assert.equal(firstId, next)
        next += count
      }
    }),
    { numRuns: 20 },
  )
})

test('a portion posted between threads comes back the same, sparse records included', () => {
  const found = fc.oneof(
    anyRecord,
    fc.record(
      {
        sparse: fc.constant(true as const),
        serial: fc.constantFrom('', '70000001'),
        missing: fc.constantFrom('serial' as const, 'header' as const, 'mark' as const),
        record: fc.option(anyRecord),
      },
      { noNullPrototype: true },
    ),
  )
  fc.assert(
    fc.property(fc.array(found, { maxLength: 8 }), (all) => {
      const writer = createPortionWriter()
      for (const one of all) writer.add(one)
      const portions = writer.take(true)
      assert.deepEqual(portions.flatMap(decodePortion), all)
      let complete = all.filter((one): one is TrademarkRecord => !('sparse' in one))
      for (const portion of portions)
        eachRecord(
          portion,
          () => {},
          (bytes, begin) => {
            const { serial, transactionDate } = complete[0]!
            complete = complete.slice(1)
            assert.equal(serialOf(bytes, begin), Number(serial))
            assert.equal(transactionDateOf(bytes, begin), transactionDate)
          },
        )
      assert.equal(complete.length, 0)
    }),
  )
})
