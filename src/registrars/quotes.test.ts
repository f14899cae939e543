import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../kernel/clock.ts'
import { UpstreamError } from '../kernel/errors.ts'
import type { DomainName } from '../kernel/names.ts'
import { createQuotes } from './quotes.ts'
import type { Quote } from './registrar-check.ts'

const { signal } = new AbortController()
const [one, other] = ['one.io', 'other.io'] as DomainName[] as [DomainName, DomainName]
const premium: Quote = { premium: true, registration: 1250, renewal: 49.5 }

function open(check: () => Promise<Quote>) {
  const clock = manualClock()
  const asked: string[] = []
  const warnings: string[] = []
  const registrar = {
    intervalMs: 10_000,
    check(domain: DomainName) {
      asked.push(domain)
      return check()
    },
  }
  const log = { warn: (_facts: unknown, sentence: string) => void warnings.push(sentence) }
  return { clock, asked, warnings, quotes: createQuotes({ registrar, clock, log }) }
}

test('the registrar is asked at most once in its interval, and not again about a name it has answered', async () => {
  const { clock, asked, quotes } = open(async () => premium)
  assert.deepEqual(await quotes.find(one, signal), premium)
  assert.equal(await quotes.find(other, signal), undefined)
  clock.advance(10_000)
  assert.deepEqual(await quotes.find(one, signal), premium)
  assert.deepEqual(await quotes.find(other, signal), premium)
  assert.deepEqual(asked, [one, other])
  clock.advance(6 * 3_600_000)
  assert.equal(quotes.known(one), undefined)
})

test('a registrar that fails leaves it open whether a name is premium', async () => {
  const { clock, warnings, quotes } = open(() => Promise.reject(new UpstreamError('auth_error', 'wrong key')))
  assert.equal(await quotes.find(one, signal), undefined)
  assert.equal(warnings.length, 1)
  clock.advance(10_000)
  const left = AbortSignal.abort(new Error('gone'))
  await assert.rejects(quotes.find(one, left), /gone/)
})
