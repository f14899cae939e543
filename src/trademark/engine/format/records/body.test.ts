import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import type { TrademarkRecord } from '../../../record.ts'
import { maxBodyBytes, encodeBody, decodeBody } from './body.ts'
import { createBatcher, type RecordBatch } from '../../build/record-batch.ts'
import { encodePortion, decodePortion } from '../../build/file-reader.ts'

const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('', 'é', 'x'.repeat(127), 'x'.repeat(128), 'ÿ'.repeat(20_000)),
)
const day = fc.option(fc.constantFrom(0, 1, 18840407, 20260115))
const record: fc.Arbitrary<TrademarkRecord> = fc.record(
  {
    serial: fc.stringMatching(/^\d{8}$/),
    mark: text,
    pseudoMarks: fc.array(text, { maxLength: 3 }),
    status: fc.constantFrom('', '700', '602'),
    statusDate: day,
    filingDate: day,
    registrationDate: day,
    renewalDate: day,
    transactionDate: fc.constantFrom(0, 20260115),
    owner: text,
    goods: text,
    classes: fc.array(fc.constantFrom('009', 'A', '200'), { maxLength: 80 }),
    attorney: text,
    history: fc.array(text, { maxLength: 5 }),
  },
  { noNullPrototype: true },
)

suite('a record is kept so that it comes back as it was', () => {
  test('by itself, and among others', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), (records) => {
        for (const one of records) {
          const room = Buffer.alloc(maxBodyBytes(one))
          encodeBody(one, room, 0)
          assert.deepEqual(decodeBody(room), one)
        }
        const room = Buffer.alloc(1_000_000, 0xa5)
        const begins: number[] = []
        let end = 3
        for (const one of records) {
          begins.push(end)
          end = encodeBody(one, room, end)
        }
        assert.deepEqual(
          begins.map((begin) => decodeBody(room, begin)),
          records,
        )
      }),
    )
  })

  test('in rows with consecutive ids, those left out that were packed and not kept', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(record, fc.boolean()), { maxLength: 40 }), fc.nat(3), (all, times) => {
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

  test('on its way from thread to thread, what is sparse among it', () => {
    const found = fc.oneof(
      record,
      fc.record(
        {
          sparse: fc.constant(true as const),
          serial: fc.constantFrom('', '70000001'),
          missing: fc.constantFrom('serial' as const, 'header' as const, 'mark' as const),
          record: fc.option(record),
        },
        { noNullPrototype: true },
      ),
    )
    fc.assert(
      fc.property(fc.array(found, { maxLength: 8 }), (all) => assert.deepEqual(decodePortion(encodePortion(all)), all)),
    )
  })
})
