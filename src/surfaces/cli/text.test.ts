import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { fit, neutralise, padEnd, width, wrap } from './text.ts'

const anything = fc.string({ unit: 'binary' })
const anyUnits = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units))

test('no control or direction character reaches a terminal', () => {
  fc.assert(
    fc.property(fc.oneof(anything, anyUnits), (text) => {
      assert.doesNotMatch(neutralise(text), /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\u200e\u200f\ufeff]/u)
    }),
  )
})

for (const [name, text, shown] of [
  ['an escape sequence', '\u001b[2Jgone', '\ufffd[2Jgone'],
  ['the one-character CSI', '\u009b31mred', '\ufffd31mred'],
  ['an order to write from right to left', 'a\u202egpj.exe', 'a\ufffdgpj.exe'],
  ['half a surrogate pair', 'a\ud800b', 'a\ufffdb'],
  ['lines', 'one\r\ntwo\tthree', 'one two three'],
  ['an emoji made of several', '👩\u200d💻', '👩\u200d💻'],
] as const) {
  test(`${name} is neutralised`, () => assert.equal(neutralise(text), shown))
}

for (const [text, columns] of [
  ['abc', 3],
  ['日本', 4],
  ['한글', 4],
  ['é', 1],
  ['e\u0301', 1],
  ['👩\u200d💻', 2],
  ['Ａ', 2],
  ['', 0],
] as const) {
  test(`${JSON.stringify(text)} takes ${columns} columns`, () => assert.equal(width(text), columns))
}

test('a fitted text is never wider than its column, and unchanged if it fits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 1, max: 50 }), (raw, columns) => {
      const text = neutralise(raw)
      const fitted = fit(text, columns)
      assert.ok(width(fitted) <= columns)
      if (width(text) <= columns) assert.equal(fitted, text)
      else assert.ok(fitted.endsWith('…'))
      if (fitted === text) assert.equal(width(padEnd(fitted, columns)), columns)
    }),
  )
})

test('truncation never splits a character', () => {
  assert.equal(fit('日本語', 4), '日…')
  assert.equal(fit('👩\u200d💻'.repeat(500), 6), '👩\u200d💻👩\u200d💻…')
})

test('wrapped lines keep every word and fit the width', () => {
  assert.deepEqual(wrap('one two three', 7), ['one two', 'three'])
  assert.deepEqual(wrap('a\n\nb', 10), ['a', '', 'b'])
  assert.deepEqual(wrap('a-word-longer-than-the-line b', 5), ['a-word-longer-than-the-line', 'b'])
})
