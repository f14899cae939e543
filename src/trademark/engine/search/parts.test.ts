import assert from 'node:assert/strict'
import { test } from 'node:test'
import { halvesOf, insidesOf, shortenedOf } from './parts.ts'
import type { Store } from './store.ts'

/** A register with these words and their frequencies. */
const storeOf = (words: Readonly<Record<string, number>>): Store => {
  const term = (text: string) => ({ text, frequency: words[text] ?? 0 })
  // `parts.ts` uses no other method of a store.
  return { term, expand: (text: string) => [term(text)] } as unknown as Store
}
const spelled = (parts: ReturnType<typeof halvesOf>) =>
  parts.map(({ groups }) => groups.map((group) => group.map(({ text }) => text).join('|')).join(' '))

test('each word is looked up in its shorter forms, together with the other words', () => {
  const store = storeOf({ pure: 5, purel: 1, simple: 9, simp: 2, sim: 7 })
  assert.deepEqual(spelled(shortenedOf(store, [store.term('purely'), store.term('simple')])), [
    'pure simple',
    'purely simp',
  ])
  assert.deepEqual(shortenedOf(store, [store.term('pure')]), [])
})

test('a word is split where one half is the most frequent word', () => {
  const store = storeOf({ mobile: 50, mobi: 3, otter: 20, tter: 1 })
  assert.deepEqual(spelled(halvesOf(store, 'mobilegotter')), ['mobile gotter', 'mobileg otter'])
  assert.deepEqual(halvesOf(store, 'mobile'), [])
})

test('a mark inside a query has a large share of its letters, or is its beginning', () => {
  const insides = insidesOf('keycorp')
  for (const inside of ['key', 'corp', 'keyco', 'ycorp']) assert.ok(insides.includes(inside), inside)
  for (const inside of ['ke', 'orp', 'keycorp']) assert.ok(!insides.includes(inside), inside)
  assert.deepEqual(insidesOf('otter'.repeat(5)), [])
  assert.equal(new Set(insides).size, insides.length)
})
