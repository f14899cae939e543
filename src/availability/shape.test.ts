import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isInconclusive } from './shape.ts'

const one = (status: string) => ({
  domain: 'shop.com',
  tld: 'com',
  available: false,
  status: [status],
  premium: false,
  source: 'rdap' as const,
  checkedAt: '2026-11-15T12:00:00.000Z',
  responseMs: 1,
  cached: false,
})
const several = (checked: number, unknown: number) => ({
  summary: { checked, available: 0, unavailable: checked - unknown, unknown, premium: 0 },
})

for (const [name, body, expected] of [
  ['one domain that is unknown', one('unknown'), true],
  ['one domain that is registered', one('registered'), false],
  ['several domains, all unknown', several(3, 3), true],
  ['several domains, one of them known', several(3, 2), false],
  ['a list in which no domain could be read', several(0, 0), false],
  ['a compact answer of unknown domains', { unknown: ['shop.com'], refused: ['x'] }, true],
  ['a compact answer with a reserved domain', { unknown: ['shop.com'], reserved: ['www.com'] }, false],
  ['a compact answer without unknown domains', { available: ['shop.com'] }, false],
] as const) {
  test(`${name}: ${expected ? 'nothing' : 'something'} was found out`, () => {
    assert.equal(isInconclusive(body as Parameters<typeof isInconclusive>[0]), expected)
  })
}
