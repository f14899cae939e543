import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { homophonesOf, squashOf, pluralOrSingularOf, tokenize } from './tokenize.ts'

test('words are lower-case letters and digits without accents', () => {
  for (const [text, tokens] of [
    ['Golden  EAGLE', ['golden', 'eagle']],
    ['AT&T', ['at', 't']],
    ['Café Ñandú', ['cafe', 'nandu']],
    ['STRASSE Straße', ['strasse', 'strasse']],
    ['Ærø Łódź İstanbul', ['aero', 'lodz', 'istanbul']],
    ['ＦＵＬＬ Ｗｉｄｔｈ', ['full', 'width']],
    ['ﬁne ①', ['fine', '1']],
    ['B-2/7.5', ['b', '2', '7', '5']],
    ['', []],
    ['яблоко ★', []],
  ] as const)
    assert.deepEqual(tokenize(text), tokens, text)
})

test('an apostrophe inside a word does not split it', () => {
  for (const text of ["MOM'S", 'MOM’S', 'momʼs']) assert.deepEqual(tokenize(text), ['moms'])
  assert.deepEqual(tokenize("'round rock 'n' roll'"), ['round', 'rock', 'n', 'roll'])
})

test('trademark signs are not part of the mark', () => {
  for (const text of ['NOVA™', 'NOVA℠', 'NOVA®', 'NOVA ©']) assert.equal(squashOf(text), 'nova')
})

test('spacing and punctuation do not change the squash', () => {
  for (const text of ['FACE BOOK', 'face-book', 'Facebook!', 'f.a.c.e.book']) assert.equal(squashOf(text), 'facebook')
})

test('a number has its words as homophones, and the reverse', () => {
  assert.deepEqual(homophonesOf('2'), ['two', 'to', 'too'])
  assert.deepEqual(homophonesOf('4'), ['four', 'for', 'fore'])
  assert.deepEqual(homophonesOf('too'), ['2', 'two', 'to'])
  assert.deepEqual(homophonesOf('eagle'), [])
})

test('letters and abbreviations have homophones, and homophones are symmetric', () => {
  for (const [short, long] of ['u you', 'q cue', 'nu new', 'dr doctor', 'st saint'].map((pair) => pair.split(' ')))
    assert.ok(homophonesOf(short!).includes(long!) && homophonesOf(long!).includes(short!), short)
  for (const word of ['to', 'for', 'see', 'quik', 'x', 'company', 'mount'])
    for (const other of homophonesOf(word)) assert.ok(homophonesOf(other).includes(word), `${word} ${other}`)
})

test('plural and singular find each other', () => {
  for (const [one, many] of [
    ['cat', 'cats'],
    ['berry', 'berries'],
    ['box', 'boxes'],
    ['brush', 'brushes'],
    ['class', 'classes'],
    ['wolf', 'wolves'],
    ['knife', 'knives'],
    ['potato', 'potatoes'],
    ['day', 'days'],
    ['house', 'houses'],
    ['movie', 'movies'],
    ['woman', 'women'],
    ['child', 'children'],
  ] as const) {
    assert.ok(pluralOrSingularOf(one).includes(many), one)
    assert.ok(pluralOrSingularOf(many).includes(one), many)
  }
})

test('a word that is not a plural is not shortened', () => {
  for (const token of ['class', 'bus', 'basis', 'as', '4s', '1990', 's'])
    assert.ok(!pluralOrSingularOf(token).includes(token.slice(0, -1)), token)
})

test('any text gives normalized words, and tokenizing them again changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const tokens = tokenize(text)
      for (const token of tokens) assert.match(token, /^[a-z0-9]+$/)
      assert.deepEqual(tokenize(tokens.join(' ')), tokens)
      assert.equal(squashOf(text), tokens.join(''))
    }),
    { numRuns: 1000 },
  )
})

test('other forms of a word are never the word itself, and never empty', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9]{1,9}(?:s|es|ies|ves|y|f|o)?$/), (token) => {
      for (const form of [...pluralOrSingularOf(token), ...homophonesOf(token)])
        assert.ok(form !== token && form.length > 0)
    }),
  )
})
