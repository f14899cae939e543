import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenSegment } from '../part.ts'
import { totalOf } from './chunks.ts'
import { CHUNKED } from './lists.ts'
import { createMemory } from './memory.ts'
import { openLists } from './open-lists.ts'

test('an empty list has no places, whatever an earlier list left in the memory it is given', () => {
  const memory = createMemory(1, 0, 0)
  const segment: OpenSegment = {
    documents: 5,
    numbers: () => Uint32Array.of(0),
    bytes: () => new Uint8Array(),
    read() {},
    superseded: null,
    forgotten: () => 0,
  }
  const words = new Uint32Array(memory.kernel.bytes.buffer)
  // "In chunks", one of them, with five places.
  for (let at = 0; at + 1 < words.length; at += 2) {
    words[at] = CHUNKED + 1
    words[at + 1] = 4
  }
  assert.equal(totalOf(openLists(segment, 'goods', memory).of(0)), 0)
})
