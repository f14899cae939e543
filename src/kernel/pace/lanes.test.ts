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

test('a lane that is new to the round goes first, however many long lanes there are', () => {
  const lanes = createLanes<Item>()
  for (let lane = 0; lane < 60; lane++) {
    for (let number = 1; number <= 20; number++) lanes.add({ lane: `long${lane}-`, number })
  }
  for (let turn = 0; turn < 100; turn++) lanes.next()
  lanes.add({ lane: 'single', number: 1 })
  assert.equal(lanes.next()!.lane, 'single')
  // It has had its turn: its next request waits for the round.
  lanes.add({ lane: 'single', number: 2 })
  const turns = Array.from({ length: 61 }, () => lanes.next()!.lane)
  assert.equal(turns.indexOf('single'), 60)
})

test('a flood of new lanes leaves one turn in eleven to the others', () => {
  const lanes = createLanes<Item>()
  for (let number = 1; number <= 10; number++) lanes.add({ lane: 'old', number })
  lanes.next()
  const turns = Array.from({ length: 44 }, (_, turn) => {
    for (let more = 0; more < 2; more++) lanes.add({ lane: `flood${turn}-${more}`, number: 1 })
    return lanes.next()!.lane
  })
  assert.equal(turns.filter((lane) => lane === 'old').length, 4)
})

test('all clients of a /48 together get ten turns of a round, and each of them its share', () => {
  const lanes = createLanes<Item>()
  for (let client = 0; client < 50; client++) {
    for (let number = 1; number <= 4; number++) lanes.add({ lane: `2001:db8:1:${client.toString(16)}::/64`, number })
  }
  for (let number = 1; number <= 40; number++) lanes.add({ lane: '203.0.113.9', number })
  const turns: string[] = []
  for (let item = lanes.next(); item; item = lanes.next()) turns.push(item.lane)
  const place = turns.flatMap((lane, at) => (lane === '203.0.113.9' ? [at] : []))
  assert.ok(place.every((at, turn) => at <= (turn + 1) * 11))
  assert.equal(new Set(turns.slice(0, 56)).size, 51, 'each of the fifty was served once before any was twice')
  assert.equal(turns.length, 240)
})

test('for any sequence of additions and removals, each item is served once, in order, and the size is right', () => {
  const action = fc.record({
    kind: fc.constantFrom('add', 'next', 'remove'),
    lane: fc.constantFrom('a', 'b', 'c', ...Array.from({ length: 13 }, (_, at) => `2001:db8:1:${at}::/64`)),
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
