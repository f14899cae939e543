import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { decodeMessage } from './decode.ts'
import { encodeMessage } from './encode.ts'
import { encodeQuery, isAnswerTo, withId } from './query.ts'

const options = { type: 'NS', recursion: false, dnssec: false, edns: true } as const

suite('encoded queries', () => {
  for (const name of ['', '.', 'com', 'com.', 'example.com', 'a\\.b.example.com.', '\\000\\255.com', 'x'.repeat(63)]) {
    for (const edns of [true, false]) {
      test(`${JSON.stringify(name)}, EDNS0 ${edns}: the same bytes as from the general encoder`, () => {
        const general = encodeMessage({
          questions: [{ name: name === '.' ? '' : name, type: 2, class: 1 }],
          edns: edns ? { udpSize: 1232, dnssecOk: false } : null,
        })
        assert.deepEqual(encodeQuery({ ...options, name, edns }).bytes, general)
      })
    }
  }

  test('any name of printable characters is asked for as given', () => {
    const label = fc.stringMatching(/^[a-z0-9_-]{1,63}$/)
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 3 }), (labels) => {
        const name = labels.join('.')
        assert.equal(decodeMessage(encodeQuery({ ...options, name }).bytes).questions[0]?.name, name)
      }),
    )
  })

  test('bytes that were sent keep their id when the query is sent again', () => {
    const query = encodeQuery({ ...options, name: 'example.com' })
    const first = withId(query, 0x1234)
    const second = withId(query, 0x5678)
    const third = withId(query, 0x9abc)
    assert.deepEqual(
      [first, second, third].map((bytes) => bytes.readUInt16BE(0)),
      [0x1234, 0x5678, 0x9abc],
    )
    assert.deepEqual(second.subarray(2), first.subarray(2))
  })

  test('an answer repeats the question in any case, and nothing else', () => {
    const query = encodeQuery({ ...options, name: 'example.com' })
    const answer = (name: string) =>
      encodeMessage({ questions: [{ name, type: 2, class: 1 }], flags: { response: true } })
    assert.ok(isAnswerTo(query, answer('example.com')) && isAnswerTo(query, answer('eXAMPLE.Com')))
    for (const name of ['example.co', 'example.con', 'fxample.com', 'example.com.tld']) {
      assert.ok(!isAnswerTo(query, answer(name)), name)
    }
  })
})
