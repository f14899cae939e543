import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeMessage } from './decode.ts'
import { type DraftMessage, encodeMessage } from './encode.ts'
import { ns } from './name-server.fixture.ts'
import { classifyReply } from './outcome.ts'

const messageOf = (draft: DraftMessage) => decodeMessage(encodeMessage(draft))
const asked = { name: 'example.com', type: 'NS', recursion: false } as const

test('if the zone is not known, a referral may be to any zone above the name except the root', () => {
  const referral = (zone: string) => messageOf({ authority: ns(zone, 'ns1.host.net') })
  assert.equal(classifyReply(referral('example.com'), asked), 'referral')
  assert.equal(classifyReply(referral('com'), asked), 'referral')
  assert.equal(classifyReply(referral(''), asked), 'lame')
  assert.equal(classifyReply(referral('net'), asked), 'lame')
})

test('each error code has its own outcome, and none is nxdomain', () => {
  const words = Array.from({ length: 12 }, (_, rcode) => classifyReply(messageOf({ rcode }), asked))
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
