import assert from 'node:assert/strict'
import test from 'node:test'
import { decodeAnswer } from './charset.ts'

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')

test('UTF-8 is recognised for every TLD', () => {
  assert.deepEqual(decodeAnswer(Buffer.from('Žluťoučký 무궁화'), 'cz'), { text: 'Žluťoučký 무궁화', charset: 'utf-8' })
})

test('Japanese escape sequences are recognised before anything else', () => {
  const answer = Buffer.concat([Buffer.from('['), bytes('1b 24 42 3d 70 4c 3e 1b 28 42'), Buffer.from(']')])
  assert.deepEqual(decodeAnswer(answer, 'jp'), { text: '[署名]', charset: 'iso-2022-jp' })
})

test('bytes that are not UTF-8 are decoded with the charset of the TLD, or else windows-1252', () => {
  assert.deepEqual(decodeAnswer(bytes('eb cc c0 cb d7 c1'), 'ru'), { text: 'Клюква', charset: 'koi8-r' })
  assert.deepEqual(decodeAnswer(bytes('ec 9a e8'), 'cz').text, 'ěšč')
  assert.deepEqual(decodeAnswer(bytes('b9 ab b1 c3 c8 ad'), 'kr').text, '무궁화')
  assert.deepEqual(decodeAnswer(bytes('c3 b7 bb a8'), 'cn').text, '梅花')
  assert.deepEqual(decodeAnswer(bytes('d6 72 6e 65 6b 20 de 74 69'), 'tr').text, 'Örnek Şti')
  assert.deepEqual(decodeAnswer(bytes('6a f6 6b 75 6c 6c'), 'is'), { text: 'jökull', charset: 'windows-1252' })
})

test('a charset declared in the answer takes precedence over that of the TLD', () => {
  const answer = Buffer.concat([Buffer.from('This text is in ISO-8859-2: '), bytes('b1')])
  assert.deepEqual(decodeAnswer(answer, 'cl'), { text: 'This text is in ISO-8859-2: ą', charset: 'iso-8859-2' })
})

test('an answer that is invalid in every charset is still decoded', () => {
  assert.equal(typeof decodeAnswer(bytes('ff fe 00 80 81'), 'kr').text, 'string')
  assert.equal(decodeAnswer(new Uint8Array(), 'com').text, '')
})
