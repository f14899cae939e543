import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createExchangeTable } from './exchange-table.ts'

type Entry = { readonly id: number; next: Entry | null }
const entry = (id: number): Entry => ({ id, next: null })

test('holds the same entries as a Map, also when many ids share a bucket', () => {
  const ids = fc.oneof(
    fc.nat(0xffff),
    fc.nat(127).map((high) => high * 512 + 7),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(ids, fc.boolean()), { maxLength: 200 }), (steps) => {
      const table = createExchangeTable<Entry>()
      const model = new Map<number, Entry>()
      for (const [id, adds] of steps) {
        const known = model.get(id)
        if (adds && known === undefined) {
          const added = entry(id)
          table.add(added)
          model.set(id, added)
        } else if (known) {
          assert.equal(table.delete(known), true)
          assert.equal(table.delete(known), false)
          model.delete(id)
        }
        assert.equal(table.get(id), model.get(id) ?? null)
        assert.equal(table.size, model.size)
      }
      assert.deepEqual(new Set(table.values()), new Set(model.values()))
    }),
  )
})

test('another entry with the same id is not taken for the one in the table', () => {
  const table = createExchangeTable<Entry>()
  table.add(entry(7))
  assert.equal(table.delete(entry(7)), false)
  assert.equal(table.size, 1)
})
