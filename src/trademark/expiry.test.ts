import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expiryOf } from './expiry.ts'

const record = (registrationDate: number | null, renewalDate: number | null = null, status = '700') => ({
  status,
  registrationDate,
  renewalDate,
})

test('a term is ten years from the registration, or from the latest renewal', () => {
  assert.equal(expiryOf(record(20200115)), 20300115)
  assert.equal(expiryOf(record(19991231, 20190114, '800')), 20290114)
  assert.equal(expiryOf(record(null, 20190114)), 20290114)
})

test('a term begun before 16 November 1989 is twenty years', () => {
  assert.equal(expiryOf(record(19891115)), 20091115)
  assert.equal(expiryOf(record(19891116)), 19991116)
  assert.equal(expiryOf(record(19500301, 19900301)), 20000301)
})

test('a term that would end on 29 February of a common year ends on 28 February', () => {
  assert.equal(expiryOf(record(20240229)), 20340228)
  assert.equal(expiryOf(record(19840229)), 20040229)
  assert.equal(expiryOf(record(18800229)), 19000228)
})

test('a mark that is dead, of unknown status or not registered does not expire', () => {
  for (const status of ['900', '710', '622', '999']) assert.equal(expiryOf(record(20200115, null, status)), null)
  assert.equal(expiryOf(record(null, null, '630')), null)
})
