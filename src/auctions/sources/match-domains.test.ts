import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Columns } from './columns.ts'
import { domainPattern, matchDomains } from './match-domains.ts'
import { charMask, createNameBytes, pairMask } from './name-bytes.ts'

const label = fc.string({ unit: fc.constantFrom(...'ab9-'.split('')), minLength: 1, maxLength: 5 })
const tld = fc.constantFrom('com', 'co', 'co.ab', 'ab', 'b.a.b')
const domain = fc.tuple(label, tld).map((parts) => parts.join('.'))
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'ab9-.co%_ü'.split('')), minLength: 1, maxLength: 6 }),
  domain,
)

test('exactly the domains that contain the text are found', () => {
  fc.assert(
    fc.property(fc.array(domain, { maxLength: 30 }), text, (domains, text) => {
      const names = createNameBytes()
      const tlds = [...new Set(domains.map(tldOf))].map((name, id) => ({ id, name }))
      const column = (pick: (domain: string) => number) => Uint32Array.from(domains, pick)
      const columns = {
        size: domains.length,
        tld: column((one) => tlds.find(({ name }) => name === tldOf(one))!.id),
        nameAt: column((one) => names.add(nameOf(one))),
        chars: column((one) => charMask(nameOf(one))),
        pairs: column((one) => pairMask(nameOf(one))),
      } as Columns
      const room = new Uint32Array(domains.length)
      const found = () => [...room.subarray(0, matchDomains(columns, names.bytes, domainPattern(text, tlds), room))]
      const expected = [...domains.keys()].filter((at) => domains[at]!.includes(text))
      assert.deepEqual(found(), expected)
      names.keepOnly(columns.nameAt, domains.length)
      assert.deepEqual(found(), expected, 'after unused bytes were dropped')
    }),
    { numRuns: 2000 },
  )
})

const nameOf = (domain: string): string => domain.slice(0, domain.indexOf('.'))
const tldOf = (domain: string): string => domain.slice(domain.indexOf('.') + 1)
