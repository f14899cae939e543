import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { parseYearDayMonth, timestampParser } from './timestamps.ts'

const at = (iso: string) => Date.parse(iso) / 1000

suite('a time', () => {
  const table: [unknown, string, string | undefined][] = [
    ['2026-11-20T16:00:00Z', 'UTC', '2026-11-20T16:00:00Z'],
    ['2026-11-20T16:00:00.123Z', 'UTC', '2026-11-20T16:00:00Z'],
    ['2026-11-20 16:00', 'UTC', '2026-11-20T16:00:00Z'],
    ['2026/11/20 16:00 UTC', 'America/New_York', '2026-11-20T16:00:00Z'],
    ['2026-11-20T16:00:00+01:00', 'UTC', '2026-11-20T15:00:00Z'],
    ['2026-11-20T16:00:00-0530', 'UTC', '2026-11-20T21:30:00Z'],
    ['2026-11-20', 'UTC', '2026-11-20T00:00:00Z'],
    ['2026-11-20 16:00:00', 'America/New_York', '2026-11-20T21:00:00Z'],
    ['2026-07-20 16:00:00', 'America/New_York', '2026-07-20T20:00:00Z'],
    ['2026-11-20 16:00:00', 'Asia/Kolkata', '2026-11-20T10:30:00Z'],
    // Berlin's clocks go back at 03:00 on this day, from UTC+2 to UTC+1.
    ['2026-10-25 01:30:00', 'Europe/Berlin', '2026-10-24T23:30:00Z'],
    ['2026-10-25 03:30:00', 'Europe/Berlin', '2026-10-25T02:30:00Z'],
    [1_790_604_800, 'UTC', '2026-09-28T14:13:20Z'],
    ['1790604800', 'UTC', '2026-09-28T14:13:20Z'],
    [1_790_604_800_999, 'UTC', '2026-09-28T14:13:20Z'],
    ['2026-02-30T00:00:00Z', 'UTC', undefined],
    ['2026-13-01T00:00:00Z', 'UTC', undefined],
    ['2026-11-20T25:00:00Z', 'UTC', undefined],
    ['11/20/2026 16:00', 'UTC', undefined],
    ['tomorrow', 'UTC', undefined],
    ['', 'UTC', undefined],
    [null, 'UTC', undefined],
    [Number.NaN, 'UTC', undefined],
    [1e300, 'UTC', undefined],
    [-5, 'UTC', undefined],
    [12, 'UTC', undefined],
  ]
  for (const [value, zone, expected] of table) {
    test(`${String(value)} in ${zone} is ${expected ?? 'invalid'}`, () => {
      assert.equal(timestampParser(zone)(value), expected === undefined ? undefined : at(expected))
    })
  }
})

suite('a time with day before month', () => {
  const table: [unknown, string | undefined][] = [
    ['2026-07-10EDT11:00:00000', '2026-10-07T15:00:00Z'],
    ['2026-20-11EST12:41:01000', '2026-11-20T17:41:01Z'],
    ['2026-20-11UTC12:41:01999', '2026-11-20T12:41:01Z'],
    ['2026-10-13EDT11:00:00000', undefined],
    ['2026-31-02EST11:00:00000', undefined],
    ['2026-07-10EDT25:00:00000', undefined],
    ['2026-07-10XYZ11:00:00000', undefined],
    ['2026-10-07T15:00:00Z', undefined],
    [1_790_604_800, undefined],
    [undefined, undefined],
  ]
  for (const [value, expected] of table) {
    test(`${String(value)} is ${expected ?? 'invalid'}`, () => {
      assert.equal(parseYearDayMonth(value), expected === undefined ? undefined : at(expected))
    })
  }

  test('is parsed for every second of a century, and no other text is', () => {
    const two = (number: number) => String(number).padStart(2, '0')
    fc.assert(
      fc.property(fc.integer({ min: 946_684_800, max: 4_102_444_799 }), (seconds) => {
        const time = new Date(seconds * 1000)
        const date = `${time.getUTCFullYear()}-${two(time.getUTCDate())}-${two(time.getUTCMonth() + 1)}`
        assert.equal(parseYearDayMonth(`${date}UTC${time.toISOString().slice(11, 19)}000`), seconds)
      }),
    )
    fc.assert(fc.property(fc.anything(), (value) => parseYearDayMonth(value) === undefined))
  })
})
