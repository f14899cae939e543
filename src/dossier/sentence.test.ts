import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Label } from '../kernel/names.ts'
import type { CheckResult, Parts } from './lookups.ts'
import type { Part } from './part.ts'
import { summarize } from './sentence.ts'
import type { Subject } from './subject.ts'

const TLDS = ['com', 'net', 'org']
const NAME: Subject = { label: 'acme' as Label, domain: null, tlds: TLDS }
const DOMAIN: Subject = { ...NAME, domain: 'acme.com' as NonNullable<Subject['domain']> }

const known = (data: unknown): Part => ({ state: 'known', data })
const checked = (...states: string[]): Part => {
  const results = states.map((state, at): CheckResult => {
    const [status = '', premium] = state.split(' ')
    const tld = TLDS[at]!
    const found = { available: status === 'available', status: [status], premium: premium === 'premium' }
    const about = { name: 'acme', source: 'dns', checkedAt: '', responseMs: 1, cached: false }
    return { ...about, domain: `acme.${tld}`, tld, ...found }
  })
  const count = (status: string) => results.filter((result) => result.status[0] === status).length
  return known({
    results,
    summary: { checked: results.length, available: count('available'), unknown: count('unknown') },
  })
}
const offer = (amount: number | null): Part =>
  known({ listed: true, errors: [], summary: { lowestPrice: amount === null ? null : { amount, currency: 'USD' } } })
const marks = (...found: (readonly [status: 'live' | 'dead', isSame: boolean, ...classes: string[]])[]): Part =>
  known({
    total: found.length,
    results: found.map(([status, isSame, ...classes]) => ({
      status_code: status,
      class_numbers: classes,
      match_details: { exact_match: isSame },
    })),
  })

const sentence = (parts: Parts, subject = NAME): string => summarize(subject, parts, (code) => code === 'live')

test('a name is summed up with the verdict first', () => {
  assert.equal(
    sentence({
      availability: checked('registered', 'available', 'available'),
      aftermarket: offer(2400),
      trademarks: marks(['live', true, '009'], ['dead', true, '025']),
      ens: known({ name: 'acme.eth', available: true }),
    }),
    '2 of 3 free. .com is taken, for sale from $2,400. One live mark in class 9. acme.eth is free.',
  )
})

test('every state of the main domain has its word, and an offer counts only if somebody holds the domain', () => {
  for (const [availability, words] of [
    [checked('available', 'registered'), '1 of 2 free. .com is free.'],
    [checked('available', 'available'), '2 of 2 free.'],
    [checked('available premium', 'available'), '2 of 2 free. .com is free, at a premium price.'],
    [checked('reserved', 'available'), '1 of 2 free. .com is reserved.'],
    [checked('unknown', 'available'), '1 of 2 free, 1 unknown. .com is unknown.'],
    [checked('unknown', 'unknown'), '2 of 2 unknown.'],
    [checked('available'), 'acme.com is free.'],
  ] as const)
    assert.equal(sentence({ availability, aftermarket: offer(50) }), words)
  assert.equal(
    sentence({ availability: checked('registered'), aftermarket: offer(null) }),
    'acme.com is taken, for sale.',
  )
})

test('a domain comes before its other TLDs, with its dates', () => {
  const whois = known({ dates: { created: '1998-03-14T00:00:00Z', expires: '2027-03-14T00:00:00Z' } })
  assert.equal(
    sentence({ availability: checked('registered', 'available'), whois }, DOMAIN),
    'acme.com is taken. 1 of 2 free. Registered 14 March 1998, paid until 14 March 2027.',
  )
  assert.equal(
    sentence({ availability: checked('registered'), whois: known({ dates: { expires: '2027-03-14' } }) }, DOMAIN),
    'acme.com is taken. Paid until 14 March 2027.',
  )
})

test('marks: those in force count, the same ones with their classes', () => {
  for (const [trademarks, words] of [
    [{ state: 'nothing' }, 'No trademark resembles it.'],
    [marks(['live', false]), 'One live mark resembles it.'],
    [marks(['live', false], ['live', false], ['dead', true]), '2 live marks resemble it.'],
    [marks(['dead', true]), 'Trademarks resemble it, none of the nearest is live.'],
    [marks(['live', true]), 'One live mark.'],
    [marks(['live', true, '042', '009']), 'One live mark in classes 9 and 42.'],
    [
      marks(['live', true, '001', '002'], ['live', true, '003', '004', '045']),
      '2 live marks in classes 1, 2, 3 and 2 more.',
    ],
  ] as const)
    assert.equal(sentence({ trademarks }), words)
  const many = marks(['live', true, '009'], ['live', true, '009']) as { data: object }
  assert.equal(sentence({ trademarks: known({ ...many.data, total: 40 }) }), 'At least 2 live marks in class 9.')
})

test('ENS: free, at a premium, taken, in grace', () => {
  const name = 'acme.eth'
  for (const [data, words] of [
    [
      { name, available: true, premium: { ends_at: '2026-12-04T06:35:03Z' } },
      'is free, at a premium until 4 December 2026.',
    ],
    [{ name, available: false }, 'is taken.'],
    [
      { name, available: false, expiry: { in_grace_period: true, grace_period_ends: '2027-01-15T00:00:00Z' } },
      'has expired; its holder can renew it until 15 January 2027.',
    ],
  ] as const)
    assert.equal(sentence({ ens: known(data) }), `acme.eth ${words}`)
})

test('nothing known is said so, and no part that is off or unknown is guessed', () => {
  const off: Part = { state: 'off', message: '' }
  const unknown: Part = { state: 'unknown', reason: 'upstream_error', message: '', retryAfterSeconds: 30 }
  assert.equal(sentence({ availability: unknown }), 'It is not known which domains are free.')
  assert.equal(sentence({ trademarks: off, ens: off }), 'Nothing is known about it at the moment.')
})
