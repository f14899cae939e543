import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createLanes } from './lanes.ts'

type Item = { readonly lane: string; readonly number: number }

const drain = (lanes: ReturnType<typeof createLanes<Item>>): string[] => {
  const order: string[] = []
  for (let item = lanes.next(); item; item = lanes.next()) order.push(`${item.lane}${item.number}`)
  return order
}

test('lanes take turns, and each is in order of arrival', () => {
  const lanes = createLanes<Item>()
  for (let number = 1; number <= 4; number++) lanes.add({ lane: 'a', number })
  lanes.add({ lane: 'b', number: 1 })
  lanes.add({ lane: 'c', number: 1 })
  lanes.add({ lane: 'c', number: 2 })
  assert.deepEqual(drain(lanes), ['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'a4'])
})

test('a retry goes first in its lane, but not before other lanes', () => {
  const lanes = createLanes<Item>()
  lanes.add({ lane: 'a', number: 1 })
  lanes.add({ lane: 'b', number: 1 })
  lanes.add({ lane: 'b', number: 2 })
  lanes.addRetry({ lane: 'b', number: 3 })
  assert.deepEqual(drain(lanes), ['a1', 'b3', 'b1', 'b2'])
})

test('for any sequence of additions and removals, each item is served once, in order, and the size is right', () => {
  const action = fc.record({
    kind: fc.constantFrom('add', 'next', 'remove'),
    lane: fc.constantFrom('a', 'b', 'c'),
    pick: fc.nat(),
  })
  fc.assert(
    fc.property(fc.array(action, { maxLength: 200 }), (actions) => {
      const lanes = createLanes<Item>()
      const waiting: Item[] = []
      let number = 0
      for (const { kind, lane, pick } of actions) {
        if (kind === 'add') {
          const item = { lane, number: number++ }
          lanes.add(item)
          waiting.push(item)
        } else if (kind === 'remove') {
          const [item] = waiting.splice(pick % (waiting.length || 1), 1)
          if (item) assert.ok(lanes.remove(item))
          if (item) assert.ok(!lanes.remove(item))
        } else {
          const item = lanes.next()
          assert.equal(item, item && waiting.find((one) => one.lane === item.lane))
          if (item) waiting.splice(waiting.indexOf(item), 1)
          else assert.equal(waiting.length, 0)
        }
        assert.equal(lanes.size, waiting.length)
        assert.deepEqual(new Set(lanes.all()), new Set(waiting))
      }
    }),
  )
})
