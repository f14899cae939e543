import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { manualClock } from '../clock.ts'
import { createHostBackoffs, MAX_RETRY_AFTER_MS, parseRetryAfter } from './retry-after.ts'

const NOW = Date.UTC(1994, 10, 6, 8, 49, 0)
const clock = manualClock(NOW)

test('seconds are parsed', () => {
  assert.equal(parseRetryAfter('0', clock), 0)
  assert.equal(parseRetryAfter('120', clock), 120_000)
  assert.equal(parseRetryAfter(' 5 ', clock), 5000)
})

test('a date may have three formats, and means GMT in all of them', (t) => {
  const zone = process.env.TZ
  t.after(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })
  process.env.TZ = 'America/New_York'
  for (const date of ['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994']) {
    assert.equal(parseRetryAfter(date, clock), 37_000, date)
  }
})

test('a date in the past means no wait', () => {
  assert.equal(parseRetryAfter('Sun, 06 Nov 1994 08:48:59 GMT', clock), 0)
})

test('long waits are limited to the maximum', () => {
  for (const value of ['3601', '99999999999', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT']) {
    assert.equal(parseRetryAfter(value, clock), MAX_RETRY_AFTER_MS, value)
  }
})

test('text that is neither seconds nor a date is undefined', () => {
  for (const value of [
    undefined,
    '',
    ' ',
    '-1',
    '+1',
    '1.5',
    '1e3',
    '0x10',
    '5s',
    'soon',
    'NaN',
    'Infinity',
    '1994',
    '1994-11-06T08:49:37Z',
    'Sun, 06 Nov 1994 08:49:37 PST',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 06 Nox 1994 08:49:37 GMT',
    '5, 10',
  ]) {
    // Four digits are seconds; everything else in the list is undefined.
    assert.equal(parseRetryAfter(value, clock), value === '1994' ? 1_994_000 : undefined, value)
  }
})

test('any number of seconds gives that wait or the maximum', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (seconds) => {
      const expected = seconds > 3600n ? MAX_RETRY_AFTER_MS : Number(seconds) * 1000
      assert.equal(parseRetryAfter(String(seconds), clock), expected)
    }),
  )
})

test('any date gives the time until then, at least 0 and at most the maximum', () => {
  const date = fc.date({ min: new Date(0), max: new Date(Date.UTC(9999, 11, 31)), noInvalidDate: true })
  fc.assert(
    fc.property(
      fc.oneof(
        date,
        fc.integer({ min: -7200, max: 7200 }).map((s) => new Date(NOW + s * 1000)),
      ),
      (then) => {
        const whole = Math.floor(then.getTime() / 1000) * 1000
        assert.equal(parseRetryAfter(then.toUTCString(), clock), Math.min(Math.max(whole - NOW, 0), MAX_RETRY_AFTER_MS))
      },
    ),
  )
})

test('no header makes the parser throw or exceed its bounds', () => {
  const odd = fc.oneof(fc.string(), fc.mixedCase(fc.constant('Sun, 06 Nov 1994 08:49:37 GMT')), fc.double().map(String))
  fc.assert(
    fc.property(odd, (value) => {
      const wait = parseRetryAfter(value, clock)
      assert.ok(wait === undefined || (wait >= 0 && wait <= MAX_RETRY_AFTER_MS))
    }),
  )
})

test('a host is in backoff until its time has passed', () => {
  const clock = manualClock()
  const hosts = createHostBackoffs({ max: 10, clock })
  hosts.backOff('a.example', 1000)
  assert.deepEqual([hosts.remainingMs('a.example'), hosts.remainingMs('b.example')], [1000, 0])
  clock.advance(999)
  assert.equal(hosts.remainingMs('a.example'), 1)
  clock.advance(1)
  assert.equal(hosts.remainingMs('a.example'), 0)
  assert.equal(hosts.size, 0)
})

test('the number of hosts in backoff is bounded', () => {
  const hosts = createHostBackoffs({ max: 10, clock: manualClock() })
  for (let i = 0; i < 1000; i++) hosts.backOff(`host-${i}.example`, 1000)
  assert.equal(hosts.size, 10)
  assert.equal(hosts.remainingMs('host-999.example'), 1000)
})
