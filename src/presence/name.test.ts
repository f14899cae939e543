import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { hasLoosely, placeOf, parseName, wordsOf } from './name.ts'

const named = (text: string) => parseName(text)!
const isIn = (name: string, text: string) => placeOf(named(name).joined, wordsOf(text)) >= 0

suite('a name in a text', () => {
  test('is found regardless of case, accents, punctuation, spaces and character width', () => {
    const rows: [string, string][] = [
      ['Example Labs', 'examplelabs: what we do'],
      ['examplelabs', 'About EXAMPLE-LABS'],
      ['exampl', 'Example™ of Exampl®'],
      ['café noir', 'Cafe Noir, a bistro'],
      ['Strasse', 'Die Straße'],
      ["O'Drellan", 'ODrellan & Sons'],
      ['Ｗｉｄｅ', 'a wide road'],
      ['İzmar', 'izmar'],
      ['ёлкин', 'Елкин и сын'],
      ['q-dynex 9', 'QDynex 9'],
    ]
    for (const [name, text] of rows) assert.ok(isIn(name, text), `${name} in ${text}`)
  })

  test('is found in scripts without spaces between words', () => {
    const rows: [string, string][] = [
      ['桜庵堂', '株式会社桜庵堂の公式サイト'],
      ['云栎堂', '欢迎来到云栎堂官方网站'],
      ['ミナヅル', '新しいミナヅルの店'],
      ['ใบบัวทอง', 'ร้านใบบัวทองสาขาใหม่'],
      ['orlavent', 'Orlaventの新製品'],
      ['하늘벼루', '하늘벼루 공식'],
      ['زمرودة', 'شركة زُمُرُّودَة للتجارة'],
    ]
    for (const [name, text] of rows) assert.ok(isIn(name, text), `${name} in ${text}`)
  })

  test('is not found inside a longer word, or if an accent makes another letter', () => {
    const rows: [string, string][] = [
      ['art', 'a party of artists'],
      ['leaf', 'leaflet'],
      ['ミナ', 'ミナヅル'],
      ['龙', '恐龙博物馆'],
      ['чаика', 'чайка'],
      ['かき', 'かぎ'],
      ['कमल', 'कमाल'],
      ['green leaf', 'green and leaf'],
    ]
    for (const [name, text] of rows) assert.ok(!isIn(name, text), `${name} in ${text}`)
  })

  test('matches loosely if its words are in another order, have an ending, or are inside a longer word', () => {
    const loosely = (name: string, text: string) => hasLoosely(named(name), wordsOf(text))
    assert.ok(loosely('green leaf', 'a leaf that is green'))
    assert.ok(loosely('orlavent', 'the Orlavents came'))
    assert.ok(loosely('orlavent', 'myorlaventshop'))
    assert.ok(loosely('솔누리', '솔누리에서'))
    assert.ok(!loosely('green leaf', 'a green field'))
    assert.ok(!loosely('lum', 'luminous'))
    assert.ok(!loosely('墨鲸', '鲸鱼与水墨'))
  })

  test('has an ASCII domain label, if it can have one', () => {
    assert.equal(named('Example Labs').label, 'examplelabs')
    assert.equal(named('example.com').label, 'example')
    assert.equal(named('Blue-Lagoon').label, 'blue-lagoon')
    assert.equal(named('blue-lagoon.com').label, 'blue-lagoon')
    assert.equal(named('чайка').label, 'xn--80aa0ae6d')
    assert.equal(named('x'.repeat(64)).label, null)
  })

  test('cannot contain search operators in its query', () => {
    assert.equal(named('-secret site:example.com "two words"').query, 'secret site example.com two words')
    assert.equal(named('!!g  Blue & Co').query, 'g Blue & Co')
    assert.equal(named('C++').query, 'C++')
  })

  test('text without letters or digits is not a name', () => {
    for (const text of ['', '  ', '---', '!?', '\u0301']) assert.equal(parseName(text), null, JSON.stringify(text))
  })

  test('any text can be parsed, and a name is found in itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.string({ unit: 'grapheme' }), (text, other) => {
        const name = parseName(text)
        if (!name) return
        assert.ok(placeOf(name.joined, wordsOf(text)) >= 0)
        hasLoosely(name, wordsOf(other))
      }),
    )
  })
})
