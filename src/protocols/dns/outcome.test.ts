import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeMessage } from './decode.ts'
import { type Draft, encodeMessage } from './encode.ts'
import { ns } from './name-server.fixture.ts'
import { outcomeOf } from './outcome.ts'

const messageOf = (draft: Draft) => decodeMessage(encodeMessage(draft))
const asked = { name: 'example.com', type: 'NS', recursion: false } as const

test('where the zone is not known, a referral may lead to any zone above the name but the root', () => {
  const referral = (zone: string) => messageOf({ authority: ns(zone, 'ns1.host.net') })
  assert.equal(outcomeOf(referral('example.com'), asked), 'referral')
  assert.equal(outcomeOf(referral('com'), asked), 'referral')
  assert.equal(outcomeOf(referral(''), asked), 'lame')
  assert.equal(outcomeOf(referral('net'), asked), 'lame')
})

test('codes are told apart, and none of them is "no such name"', () => {
  const words = Array.from({ length: 12 }, (_, rcode) => outcomeOf(messageOf({ rcode }), asked))
  assert.deepEqual(words, [
    'lame',
    'formerr',
    'servfail',
    'lame',
    'notimp',
    'refused',
    ...Array.from({ length: 6 }, () => 'rejected'),
  ])
})
