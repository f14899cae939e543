import assert from 'node:assert/strict'
import { test } from 'node:test'
import { halvesOf, insidesOf, shortenedOf } from './parts.ts'
import type { Store } from './store.ts'

/** A register with these words, as often as told. */
const storeOf = (words: Readonly<Record<string, number>>): Store => {
  const term = (text: string) => ({ text, frequency: words[text] ?? 0 })
  // What parts are made of asks no more of a store.
  return { term, expand: (text: string) => [term(text)] } as unknown as Store
}
const spelled = (parts: ReturnType<typeof halvesOf>) =>
  parts.map(({ groups }) => groups.map((group) => group.map(({ text }) => text).join('|')).join(' '))

test('a word is looked for in its shorter forms, beside the other words as they are', () => {
  const store = storeOf({ pure: 5, purel: 1, simple: 9, simp: 2, sim: 7 })
  assert.deepEqual(spelled(shortenedOf(store, [store.term('purely'), store.term('simple')])), [
    'pure simple',
    'purely simp',
  ])
  assert.deepEqual(shortenedOf(store, [store.term('pure')]), [])
})

test('a word is parted where one half is the commonest word', () => {
  const store = storeOf({ mobile: 50, mobi: 3, otter: 20, tter: 1 })
  assert.deepEqual(spelled(halvesOf(store, 'mobilegotter')), ['mobile gotter', 'mobileg otter'])
  assert.deepEqual(halvesOf(store, 'mobile'), [])
})

test('what may be inside a question is much of it, or its beginning', () => {
  const insides = insidesOf('keycorp')
  for (const inside of ['key', 'corp', 'keyco', 'ycorp']) assert.ok(insides.includes(inside), inside)
  for (const inside of ['ke', 'orp', 'keycorp']) assert.ok(!insides.includes(inside), inside)
  assert.deepEqual(insidesOf('otter'.repeat(5)), [])
  assert.equal(new Set(insides).size, insides.length)
})
