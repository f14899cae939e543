import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DOMAINS_PER_STEP } from '../../src/availability/bulk.ts'
import type { Reply } from '../support/door.ts'
import { taken, free, startAvailability, errorOf, type CheckResult } from './availability.fixture.ts'

describe('POST /v1/check/bulk', () => {
  const post = (door: Awaited<ReturnType<typeof startAvailability>>, body: object) =>
    door.get('/v1/check/bulk', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', accept: 'application/x-ndjson' },
    })
  const linesOf = ({ text }: Reply) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { domain?: string; error?: string; summary?: object })

  test('an empty object is rejected with an example of a valid body', async (t) => {
    const { status, body } = await post(await startAvailability(t, {}), {})
    const message = 'domains is required; for example {"domains":["example.com","example.org"]}.'
    assert.deepEqual([status, body], [400, { error: 'missing_parameter', message }])
  })

  test('answers line by line; an invalid domain is rejected on its own line, duplicates are merged', async (t) => {
    const door = await startAvailability(t, { 'shop.com': taken, 'shop.net': free })
    const lines = linesOf(await post(door, { domains: ['shop.com', 'SHOP.com', 'shop.net', 'nope', 'a.nope'] }))
    assert.deepEqual(
      lines.filter(({ error }) => error !== undefined).map(({ domain, error }) => [domain, error]),
      [
        ['nope', 'invalid_domain'],
        ['a.nope', 'unsupported_tld'],
      ],
    )
    assert.deepEqual(lines.at(-1), { summary: { checked: 2, available: 1, unavailable: 1, unknown: 0, premium: 0 } })
    assert.equal(lines.length, 5)
  })

  test('answers with one body unless the client asks for a stream', async (t) => {
    const door = await startAvailability(t, { 'shop.com': taken })
    const send = (accept?: string) =>
      door.get('/v1/check/bulk', {
        method: 'POST',
        body: JSON.stringify({ domains: ['shop.com', 'nope'] }),
        headers: { 'content-type': 'application/json', ...(accept !== undefined && { accept }) },
      })
    for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/plain, */*', 'text/html']) {
      const reply = await send(accept)
      assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8', accept)
      const { results, refused } = reply.body as { results: CheckResult[]; refused: CheckResult[] }
      assert.deepEqual([results[0]!.domain, refused[0]!.error], ['shop.com', 'invalid_domain'])
    }
    for (const type of ['application/x-ndjson', 'text/event-stream']) {
      assert.equal((await send(`${type}, */*;q=0.1`)).headers.get('content-type'), type)
    }
  })

  test('every twenty names count as one request for the rate limit, and wait if none is left', async (t) => {
    const door = await startAvailability(t, {}, { rateLimit: 3 })
    const domains = Array.from({ length: 100 }, (_, at) => `name-${at}.com`)
    const lines = linesOf(await post(door, { domains }))
    assert.equal(lines.length, 101, JSON.stringify(lines).slice(-600))
    assert.ok(door.waited.length > 0)
    assert.ok(door.waited.every((ms) => ms >= 1000 && ms <= 60_000))
  })

  test('names that cannot be checked count too, and so do duplicates', async (t) => {
    const door = await startAvailability(t, {}, { rateLimit: 3 })
    const invalid = Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? `bücher-${at}.com` : 'same.com'))
    assert.equal(linesOf(await post(door, { domains: invalid })).length, 30 + 1 + 1)
    assert.deepEqual(door.waited, [])
    const refused = await post(door, { domains: ['shop.com'] })
    assert.deepEqual(errorOf(refused), [429, 'rate_limit_exceeded'])
  })

  test('a list is parsed in steps of a few names, whether or not they can be checked', async (t) => {
    const door = await startAvailability(t, {}, { rateLimit: 'off' })
    const names = Array.from({ length: 1000 }, (_, at) => (at % 2 === 0 ? `bücher-${at}.com` : `shop-${at}.com`))
    assert.equal(linesOf(await post(door, { domains: names })).length, 1001)
    assert.equal(door.turns.count, 1000 / DOMAINS_PER_STEP - 1)
  })

  test('a body of far more values than any list has is rejected before it is parsed', async (t) => {
    const door = await startAvailability(t, {})
    const send = (body: string) =>
      door.get('/v1/check/bulk', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    for (const body of [
      `{"domains":[${'{},'.repeat(300_000)}{}]}`,
      `{"domains":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
      `{"domains":[],"domains":[${'"",'.repeat(300_000)}""]}`,
    ]) {
      const reply = await send(body)
      assert.deepEqual(errorOf(reply), [400, 'invalid_request'])
      assert.match(reply.text, /more than 20000 values/)
    }
  })

  test('ten thousand domains are accepted; one more, or an empty list, is rejected', async (t) => {
    const door = await startAvailability(t, {})
    const names = (count: number) => Array.from({ length: count }, (_, at) => `n${at}.com`)
    assert.equal(linesOf(await post(door, { domains: names(10_000) })).length, 10_001)
    assert.deepEqual(errorOf(await post(door, { domains: names(10_001) })), [400, 'invalid_parameter'])
    assert.deepEqual(errorOf(await post(door, { domains: [] })), [400, 'invalid_parameter'])
    assert.deepEqual(errorOf(await post(door, {})), [400, 'missing_parameter'])
  })
})
