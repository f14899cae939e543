import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { entityDecoder } from './entities.ts'

function decode(chunks: readonly string[]): string {
  const decoder = entityDecoder(';')
  return chunks.map((chunk) => decoder.push(chunk)).join('') + decoder.end()
}

suite('a character reference', () => {
  const table: [string, string][] = [
    ['30;&#163;;2;', '30;£;2;'],
    ['&#xA3;|&POUND;|&euro;|&amp;', '£|£|€|&'],
    ['Q&A; &nosuch; & &# &#; &#163', 'Q&A; &nosuch; & &# &#; &#163'],
    ['&amp;#163;', '&#163;'],
    ['&#59;&#10;&#34;&#0;', '\uFFFD\uFFFD\uFFFD\uFFFD'],
    ['&#xD800;&#x110000;&#9999999;', '\uFFFD\uFFFD\uFFFD'],
  ]
  for (const [text, expected] of table) {
    test(`in ${JSON.stringify(text)}`, () => assert.equal(decode([text]), expected))
  }

  test('is decoded wherever a chunk ends', () => {
    const part = fc.constantFrom('&', '#', '163', ';', 'x', 'A3', 'amp', 'euro', 'a.com', '\n', ' ')
    fc.assert(
      fc.property(fc.array(part), fc.array(fc.nat(40)), (parts, cuts) => {
        const text = parts.join('')
        const at = [0, ...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b), text.length]
        const chunks = at.slice(1).map((end, index) => text.slice(at[index], end))
        assert.equal(decode(chunks), decode([text]))
      }),
    )
  })

  test('never splits a line differently than the text without it', () => {
    fc.assert(
      fc.property(fc.nat(0x11_ffff), (code) => {
        const line = decode([`a;&#${code};;b`])
        assert.equal(line.split(';').length, 4 - 1, line)
        assert.equal(line.split('\n').length, 1)
      }),
    )
  })
})
