import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SegmentReader } from '../segment.ts'
import { totalOf } from './chunks.ts'
import { createMemory } from './memory.ts'
import { openPostingLists } from './posting-reader.ts'
import { CHUNKED_FLAG } from './posting-writer.ts'

test('an empty posting list has no documents, whatever an earlier list left in its memory', () => {
  const memory = createMemory(1, 0, 0)
  const segment: SegmentReader = {
    documents: 5,
    numbers: () => Uint32Array.of(0),
    bytes: () => new Uint8Array(),
    read() {},
    tombstones: null,
    deletedFrequency: () => 0,
  }
  const words = new Uint32Array(memory.kernel.bytes.buffer)
  // The header of a list in chunks: one chunk with five documents.
  for (let at = 0; at + 1 < words.length; at += 2) {
    words[at] = CHUNKED_FLAG + 1
    words[at + 1] = 4
  }
  assert.equal(totalOf(openPostingLists(segment, 'goods', memory).of(0)), 0)
})
