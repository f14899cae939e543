import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SegmentEntry } from '../manifest.ts'
import { chooseMerge } from './merge-policy.ts'

const part = (name: string) => ({ name, bytes: 1, sha256: name })
const segments = (...sizes: (number | [documents: number, superseded: number])[]): SegmentEntry[] =>
  sizes.map((size, at) => {
    const [documents, gone] = typeof size === 'number' ? [size, 0] : size
    return {
      part: part(`${at}`.padStart(3, '0')),
      documents,
      superseded: gone === 0 ? null : { part: part(`x${at}`), documents: gone },
    }
  })
const chosen = (...sizes: Parameters<typeof segments>) => chooseMerge(segments(...sizes)).map((one) => one.documents)
const times = (count: number, size: number) => Array.from({ length: count }, () => size)

test('nothing is merged if nothing is to be gained', () => {
  assert.deepEqual(chosen(), [])
  assert.deepEqual(chosen(1000), [])
  assert.deepEqual(chosen(1_000_000, ...times(4, 100)), [])
  assert.deepEqual(chosen([1_000_000, 150_000], ...times(4, 1000)), [])
})

test('small segments are merged with those of similar size', () => {
  assert.deepEqual(chosen(1_000_000, ...times(5, 100)), times(5, 100))
  assert.deepEqual(chosen(10_000_000, 500, 501, ...times(4, 100)), times(4, 100))
  assert.deepEqual(chosen(10_000_000, ...[1, 2, 4, 8, 16].map((size) => size * 100)), [100, 200])
})

test('the largest segment is merged once a fifth of the register is superseded or outside of it', () => {
  assert.deepEqual(chosen(1000, 300), [300, 1000])
  assert.deepEqual(chosen([1000, 300]), [1000])
  assert.deepEqual(chosen([1000, 110], 120), [120, 1000])
})

test('merging ends on every day of a year and never leaves more than six segments', () => {
  let all = segments(14_000_000)
  let written = 0
  for (let day = 0; day < 365; day++) {
    all = [...all, ...segments(40_000).map((one) => ({ ...one, part: part(`day ${day}`) }))]
    for (let merge = chooseMerge(all); merge.length > 0; merge = chooseMerge(all)) {
      const documents = merge.reduce((sum, one) => sum + one.documents, 0)
      written += documents
      all = [...all.filter((one) => !merge.includes(one)), { part: part(`merge ${day}`), documents, superseded: null }]
    }
    assert.ok(all.length <= 6, `day ${day}: ${all.length}`)
  }
  // Each record of a daily file is rewritten about ten times a year.
  assert.ok(written < 365 * 40_000 * 11 + 4 * 28_000_000, String(written))
})
