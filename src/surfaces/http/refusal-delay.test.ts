import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../../kernel/clock.ts'
import { createRefusalDelay, MAX_PROMPT_REFUSALS, REFUSAL_DELAY_MS } from './refusal-delay.ts'

function startDelay(options: { maxWaiting?: number; maxClients?: number } = {}) {
  const clock = manualClock()
  const waits: { ms: number; end: () => void }[] = []
  const delay = createRefusalDelay({
    clock,
    wait: (ms) => new Promise((end) => waits.push({ ms, end })),
    ...options,
  })
  return { clock, waits, delay }
}

async function refuseMany(delay: ReturnType<typeof createRefusalDelay>, client: string, count = MAX_PROMPT_REFUSALS) {
  for (let at = 0; at < count; at++) await delay.wait(client)
}

test('the first refusals are sent at once, further ones of the same client after a delay', async () => {
  const { waits, delay } = startDelay()
  await refuseMany(delay, 'one')
  assert.equal(waits.length, 0)
  const late = delay.wait('one')
  assert.deepEqual(
    waits.map(({ ms }) => ms),
    [REFUSAL_DELAY_MS],
  )
  await delay.wait('another')
  waits[0]!.end()
  await late
})

test('after a minute the refusals of a client are counted anew', async () => {
  const { clock, waits, delay } = startDelay()
  await refuseMany(delay, 'one')
  clock.advance(60_000)
  await refuseMany(delay, 'one')
  assert.equal(waits.length, 0)
})

test('what is held back is bounded: above it refusals are sent at once', async () => {
  const { waits, delay } = startDelay({ maxWaiting: 2 })
  await refuseMany(delay, 'one')
  const held = [delay.wait('one'), delay.wait('one')]
  await delay.wait('one')
  for (const { end } of waits) end()
  await Promise.all(held)
  void delay.wait('one')
  assert.equal(waits.length, 3)
})
