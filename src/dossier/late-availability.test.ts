import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod'
import { manualClock } from '../kernel/clock.ts'
import type { Context, Route } from '../kernel/endpoint.ts'
import type { Label } from '../kernel/names.ts'
import type { AvailabilityData } from './lookups.ts'
import { createDossiers, type Piece } from './service.ts'

test('a check that is not done at the deadline loses no result: the others are unknown', async () => {
  const known = { name: 'acme', domain: 'acme.com', tld: 'com', available: true, status: ['available'], premium: true }
  const endpoint = { input: z.object({ domains: z.array(z.string()) }) }
  async function* stream() {
    yield known
    await new Promise(() => {})
  }
  const routeOf = () => ({ endpoint, stream }) as unknown as Route
  const dossiers = createDossiers({ routeOf, clock: manualClock() })
  const pieces: Piece[] = []
  const parts = await dossiers.collect(
    { label: 'acme' as Label, domain: null, tlds: ['com', 'net'] },
    {
      wanted: new Set(['availability']),
      timeoutMs: 1,
      context: { signal: new AbortController().signal } as Context,
      onPiece: (piece) => pieces.push(piece),
    },
  )
  const { availability } = parts
  assert.ok(availability?.state === 'known')
  const { results, summary } = availability.data as AvailabilityData
  assert.deepEqual(
    results.map(({ domain, status, error }) => [domain, status[0], error]),
    [
      ['acme.com', 'available', undefined],
      ['acme.net', 'unknown', 'timeout'],
    ],
  )
  assert.deepEqual(summary, { checked: 2, available: 1, unavailable: 0, unknown: 1, premium: 1 })
  // Each domain is a piece once, before the whole part.
  const order = pieces.map((piece) => ('result' in piece ? piece.result.domain : piece.part))
  assert.deepEqual(order, ['acme.com', 'acme.net', 'availability'])
})
