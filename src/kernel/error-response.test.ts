import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asApiError } from './error-response.ts'

test('an error for want of file descriptors is 503 with Retry-After, not a bug', () => {
  for (const code of ['EMFILE', 'ENFILE']) {
    const cause = Object.assign(new Error('too many open files'), { code })
    const error = asApiError(cause, undefined, 'unexpected')
    assert.deepEqual([error.code, error.status, error.headers['Retry-After']], ['service_unavailable', 503, '1'])
    assert.equal(error.cause, cause)
  }
  const other = asApiError(Object.assign(new Error('no such file'), { code: 'ENOENT' }), undefined, 'unexpected')
  assert.deepEqual([other.code, other.message], ['internal_error', 'unexpected'])
})
