import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addUsd,
  compareUsd,
  eurToUsd,
  formatMoney,
  moneyToNumber,
  parseEur,
  parseUsd,
  roundToCents,
  type Eur,
  type Usd,
} from './money.ts'

const usd = fc.bigInt({ min: 0n, max: 10n ** 21n - 1n }).map((micros) => micros as Usd)
const eur = fc.bigInt({ min: 0n, max: 10n ** 15n }).map((micros) => micros as Eur)

test('an amount is counted in micro-dollars', () => {
  assert.equal(parseUsd('0.02'), 20_000n)
  assert.equal(parseUsd('640'), 640_000_000n)
  assert.equal(parseUsd('0.000001'), 1n)
  assert.equal(parseUsd('0'), 0n)
})

for (const text of [
  '',
  ' ',
  '.5',
  '5.',
  '1.2345678',
  '-1',
  '-0',
  '+1',
  '1e3',
  '1E-2',
  'NaN',
  'Infinity',
  '1,000',
  '1 000',
  '0x10',
  '1_0',
  '１',
  '1.2.3',
  '$5',
  '5 ',
  '\n5',
  '5\n',
  '1234567890123456',
  '1n',
]) {
  test(`${JSON.stringify(text)} is not an amount`, () => assert.throws(() => parseUsd(text), RangeError))
}

test('a formatted amount has at least two decimals and no more than needed', () => {
  assert.equal(formatMoney(parseUsd('0.02')), '0.02')
  assert.equal(formatMoney(parseUsd('12.5')), '12.50')
  assert.equal(formatMoney(parseUsd('7')), '7.00')
  assert.equal(formatMoney(parseUsd('0.000001')), '0.000001')
  assert.equal(formatMoney(parseUsd('1.234500')), '1.2345')
})

test('formatting and parsing an amount gives the same amount', () => {
  fc.assert(fc.property(usd, (amount) => parseUsd(formatMoney(amount)) === amount))
})

test('any text is parsed or rejected with a RangeError', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.float().map(String)), (text) => {
      try {
        return parseUsd(text) >= 0n
      } catch (error) {
        return error instanceof RangeError
      }
    }),
  )
})

test('the number in an answer is what JSON.parse gives for the text', () => {
  assert.equal(moneyToNumber(parseUsd('0.1')), 0.1)
  assert.equal(JSON.stringify(moneyToNumber(parseUsd('21.5892'))), '21.5892')
  fc.assert(fc.property(usd, (amount) => moneyToNumber(amount) === JSON.parse(formatMoney(amount))))
})

test('sums are exact where floating point is not', () => {
  assert.equal(formatMoney(addUsd(parseUsd('0.1'), parseUsd('0.2'))), '0.30')
  assert.equal(addUsd(), 0n)
  fc.assert(fc.property(fc.array(usd), (all) => addUsd(...all) === addUsd(...all.toReversed())))
})

test('amounts sort by size, not by text', () => {
  const sorted = ['9', '10', '0.5', '10'].map(parseUsd).sort(compareUsd)
  assert.deepEqual(sorted.map(formatMoney), ['0.50', '9.00', '10.00', '10.00'])
})

test('euros become dollars at the given rate, a half micro-dollar rounded up', () => {
  assert.equal(formatMoney(eurToUsd(parseEur('1000'), '1.08')), '1080.00')
  assert.equal(formatMoney(eurToUsd(parseEur('19.99'), '1.08')), '21.5892')
  assert.equal(eurToUsd(parseEur('0.000001'), '0.5'), 1n)
  assert.equal(eurToUsd(parseEur('0.000001'), '0.499999'), 0n)
  assert.throws(() => eurToUsd(parseEur('1'), '-1.08'), RangeError)
  assert.throws(() => eurToUsd(parseEur('1'), 'NaN'), RangeError)
})

test('conversion is never off by more than half a micro-dollar and keeps the order', () => {
  const rate = fc.bigInt({ min: 1n, max: 10_000_000n })
  fc.assert(
    fc.property(eur, eur, rate, (a, b, micros) => {
      const text = formatMoney(micros as Usd)
      const [x, y] = [eurToUsd(a, text), eurToUsd(b, text)]
      const error = x * 1_000_000n - a * micros
      return -500_000n <= error && error <= 500_000n && (a <= b ? x <= y : x >= y)
    }),
  )
})

test('amounts are rounded half up to whole cents', () => {
  assert.equal(formatMoney(roundToCents(parseUsd('21.5892'))), '21.59')
  assert.equal(formatMoney(roundToCents(parseUsd('0.005'))), '0.01')
  assert.equal(formatMoney(roundToCents(parseUsd('0.004999'))), '0.00')
})
