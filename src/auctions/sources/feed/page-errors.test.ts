import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { UpstreamError } from '../../../kernel/errors.ts'
import { findPageError, toRecord } from './page-errors.ts'

const context = { source: 'source_b', secrets: ['invented-key'] }
const dynadot = (Error: string, ResponseCode: unknown = '-1') => ({ Response: { ResponseCode, Error } })

suite('an answer with status 200', () => {
  const table: [string, Record<string, unknown>, [string, number?] | null][] = [
    ['of Dynadot with auctions', { status: 'success', auction_list: [] }, null],
    ['of Dynadot without a problem', dynadot('', '0'), null],
    [
      'that is asked too often',
      dynadot('Too many requests. Please try again in 1 minute after.'),
      ['rate_limited', 60_000],
    ],
    ['that is throttled for seconds', dynadot('Throttled, try again in 20 seconds'), ['rate_limited', 20_000]],
    ['that is throttled for unknown time', dynadot('rate limit reached'), ['rate_limited', 60_000]],
    ['with a wrong key', dynadot('invalid key'), ['auth_error']],
    ['without approval', dynadot('auctions need approval', -1), ['auth_error']],
    ['with another error', dynadot('internal error'), ['unavailable']],
    ['without a reason', { Response: { ResponseCode: '-1' } }, ['unavailable']],
    ['of NameSilo with auctions', { reply: { code: 300, body: [] } }, null],
    ['of NameSilo in text', { reply: { code: '300', body: [] } }, null],
    ['of NameSilo with a wrong key', { reply: { code: 110, detail: 'Invalid API Key' } }, ['auth_error']],
    ['of park.io', { success: true, auctions: [] }, null],
    ['of park.io with a problem', { success: false }, ['unavailable']],
  ]
  for (const [what, body, expected] of table) {
    test(`${what} is ${expected?.[0] ?? 'no error'}`, () => {
      const error = findPageError(body, context)
      assert.deepEqual(error && [error.failure, error.retryAfterMs], expected && [expected[0], expected[1]])
    })
  }

  test('with any JSON is an error or none, and never tells the key', () => {
    const key = fc.constantFrom('Response', 'reply', 'success', 'status', 'ResponseCode', 'Error', 'code', 'detail')
    const leaf = fc.oneof(fc.constant('invented-key'), fc.jsonValue({ maxDepth: 1 }))
    const body = fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, leaf)))
    fc.assert(
      fc.property(body, (value) => {
        const error = findPageError(toRecord(value)!, context)
        assert.ok(error === null || (error instanceof UpstreamError && !error.message.includes('invented-key')))
      }),
    )
  })
})
