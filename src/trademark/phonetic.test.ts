import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { codesOf, encodeWord, jointCode } from './phonetic.ts'
import { squashOf } from './tokenize.ts'

test('words that sound the same have the same code', () => {
  for (const [a, b] of [
    ['quick', 'kwik'],
    ['light', 'lite'],
    ['phone', 'fone'],
    ['xtra', 'extra'],
    ['kryspy', 'crispy'],
  ] as const)
    assert.ok(
      codesOf(a).some((code) => codesOf(b).includes(code)),
      `${a} ${b}`,
    )
})

test('a digit inside a word is spoken', () => {
  for (const [a, b] of [
    ['gr8', 'great'],
    ['4ever', 'forever'],
    ['2day', 'today'],
    ['b4', 'before'],
    ['1derful', 'wonderful'],
    ['k9', 'canine'],
  ] as const)
    assert.equal(codesOf(a)[0], codesOf(b)[0], a)
})

test('the code of a number is its digits', () => {
  assert.deepEqual(codesOf('2'), ['2', '2'])
  assert.deepEqual(codesOf('1984'), ['1984', '1984'])
  assert.equal(jointCode('Route 66'), 'RT66')
})

test('spaces do not change the joint code', () => {
  assert.equal(jointCode('FACE BOOK'), jointCode('facebook'))
  assert.equal(jointCode('4 ever'), jointCode('forever'))
  assert.equal(jointCode(''), '')
})

test('any text has a code, the same each time', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[a-z0-9]{0,80}$/)), (text) => {
      const squash = squashOf(text)
      assert.match(jointCode(text), /^[A-Z0-9]*$/)
      assert.deepEqual(codesOf(squash), encodeWord(squash))
      assert.deepEqual(codesOf(squash), codesOf(squash))
    }),
  )
})

test('the cache is bounded, and codes are the same after it is cleared', () => {
  const before = codesOf('eagle')
  for (let number = 0; number < 200_001; number++) codesOf(String(number))
  assert.deepEqual(codesOf('eagle'), before)
})
