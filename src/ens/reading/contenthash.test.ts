import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeContentHash } from '@ensdomains/ensjs/utils'
import fc from 'fast-check'
import type { Hex } from '../../kernel/hex.ts'
import { decodeContenthash } from './contenthash.ts'

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((each) => Buffer.from(each))
const hexOf = (...parts: readonly (Buffer | string)[]): Hex =>
  `0x${parts.map((part) => (typeof part === 'string' ? part : part.toString('hex'))).join('')}`
const base32 = (length: number) => fc.stringMatching(new RegExp(`^[a-z2-7]{${length}}$`))

/** Content hashes of every supported protocol, with random contents. */
const wellFormed = fc.oneof(
  bytes(32).map((digest) => hexOf('e301', '0170', '1220', digest)),
  bytes(32).map((digest) => hexOf('e301', '0155', '1220', digest)),
  bytes(32).map((digest) => hexOf('e401', '01fa01', '1b20', digest)),
  bytes(32).map((key) => hexOf('e501', '0172', '0024', '08011220', key)),
  bytes(32).map((digest) => hexOf('e501', '0172', '1220', digest)),
  base32(16).map((name) => hexOf('bc03', Buffer.from(name))),
  base32(56).map((name) => hexOf('bd03', Buffer.from(name))),
  bytes(34).map((link) => hexOf('90b2c605', link)),
  bytes(32).map((id) => hexOf('90b2ca05', id)),
  bytes(32).map((id) => hexOf('90b2da05', id)),
)

test('every supported protocol decodes as in ensjs', () => {
  fc.assert(
    fc.property(wellFormed, (contenthash) => {
      const theirs = decodeContentHash(contenthash)
      assert.deepEqual(decodeContenthash(contenthash), {
        ok: true,
        protocol: theirs?.protocolType,
        value: theirs?.decoded,
      })
    }),
    { numRuns: 500 },
  )
})

test('a truncated or extended content hash is rejected with the protocol of its code', () => {
  fc.assert(
    fc.property(wellFormed, fc.integer({ min: 1, max: 20 }), (contenthash, digits) => {
      const cut = contenthash.slice(0, -2 * digits) as Hex
      for (const broken of [cut, `${contenthash}00` as const]) {
        const reading = decodeContenthash(broken)
        assert.match(reading.ok ? '' : reading.problem, /not a valid \w+ identifier|supported ENSIP-7 code/)
      }
    }),
  )
})

const refused: [what: string, contenthash: Hex][] = [
  ['nothing', '0x'],
  ['an unknown code', '0x0155'],
  ['a code that never ends', '0xffffffffff'],
  ['a code that is not minimally encoded', `0xe3810001701220${'11'.repeat(32)}`],
  ['a version 0 identifier', `0xe3011220${'11'.repeat(32)}`],
  ['an empty digest', '0xe30101701200'],
  ['a host name in place of a key', `0xe5010172000b${Buffer.from('example.com').toString('hex')}`],
  ['swarm with another hash function', `0xe40101fa011220${'11'.repeat(32)}`],
  ['an onion name with invalid characters', `0xbc03${Buffer.from('0189zqktlwi4fecv').toString('hex')}`],
]
for (const [what, contenthash] of refused)
  test(`${what} is rejected`, () => assert.equal(decodeContenthash(contenthash).ok, false))

test('any bytes are decoded or rejected, and nothing throws', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 80 }),
      fc.constantFrom('', 'e301', 'e401', 'e501', '90b2ca05'),
      (tail, head) => {
        decodeContenthash(hexOf(head, Buffer.from(tail)))
      },
    ),
  )
})
