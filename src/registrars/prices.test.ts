import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { manualClock } from '../kernel/clock.ts'
import { UpstreamError } from '../kernel/errors.ts'
import type { TldPrice } from './price-list.ts'
import { createPrices } from './prices.ts'

const HOUR_MS = 3_600_000
type Fetched = { prices: Map<string, TldPrice>; refused: string[] }

const listOf = (com: number, size = 200, refused: string[] = []): Fetched => ({
  prices: new Map([
    ['com', { registration: com, renewal: com }],
    ...Array.from({ length: size - 1 }, (_, at): [string, TldPrice] => [`tld${at}`, { registration: 5, renewal: 6 }]),
  ]),
  refused,
})

/** Instances that share a file and a clock; `fetched` counts their requests. */
function world() {
  const clock = manualClock(Date.UTC(2026, 10, 15))
  const state = { answer: (): Fetched | Error => listOf(11), fetched: 0, stored: undefined as string | undefined }
  const warnings: string[] = []
  const pauses: number[] = []
  const open = (options: { isSimulated?: boolean } = {}) => {
    const prices = createPrices({
      ...options,
      async load() {
        state.fetched++
        const answer = state.answer()
        if (answer instanceof Error) throw answer
        return answer
      },
      store: {
        read: async () => state.stored,
        async write(content) {
          state.stored = content
        },
      },
      clock,
      random: { fraction: () => 0.5 } as never,
      log: { debug() {}, info() {}, error() {}, warn: (_facts, sentence) => void warnings.push(sentence) },
      // Never ends: the tests refresh by themselves.
      wait: (ms, signal) => {
        pauses.push(ms)
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
      },
    })
    return { ...prices, com: async () => (await prices.current())?.prices.get('com')?.registration }
  }
  return { clock, state, warnings, pauses, open }
}

suite('the price list', () => {
  test('is fetched once a day, and known after a restart without asking again', async () => {
    const { clock, state, open, pauses } = world()
    const first = open()
    await first.start()
    assert.equal(await first.current(), null)
    assert.equal(await first.refresh(), 'replaced')
    assert.deepEqual([await first.com(), state.fetched], [11, 1])
    first.close()

    clock.advance(5 * HOUR_MS)
    const second = open()
    await second.start()
    assert.deepEqual([await second.com(), state.fetched], [11, 1])
    // The next request is due a day after the last one, whichever process sent it.
    assert.equal(pauses.at(-1)! >= 18 * HOUR_MS && pauses.at(-1)! < 19 * HOUR_MS, true)
    assert.equal(await second.refresh(), 'recent')
    clock.advance(19 * HOUR_MS)
    state.answer = () => listOf(12)
    assert.equal(await second.refresh(), 'replaced')
    assert.deepEqual([await second.com(), state.fetched, (await second.current())?.asOf], [12, 2, clock.now()])
    second.close()
  })

  test('is fetched some time after the start, and at once in the sandbox', async () => {
    const { pauses, open } = world()
    for (const isSimulated of [false, true]) {
      const prices = open({ isSimulated })
      await prices.start()
      prices.close()
    }
    assert.deepEqual(pauses, [35_000, 0])
  })

  test('is taken over from another instance with the same folder', async () => {
    const { state, open } = world()
    const [one, other] = [open(), open()]
    await Promise.all([one.start(), other.start()])
    await one.refresh()
    assert.equal(await other.refresh(), 'recent')
    assert.deepEqual([await other.com(), state.fetched], [11, 1])
    one.close()
    other.close()
  })

  test('stays in use if a new one fails or cannot be right', async () => {
    const { clock, state, warnings, open } = world()
    const prices = open()
    await prices.refresh()
    const many = Array.from({ length: 20 }, (_, at) => `bad${at}`)
    const wrong: (Fetched | Error)[] = [
      new UpstreamError('timeout', 'no answer'),
      listOf(12, 99),
      listOf(12, 150),
      listOf(12, 200, many),
      { prices: new Map(), refused: [] },
    ]
    for (const answer of wrong) {
      clock.advance(24 * HOUR_MS)
      state.answer = () => answer
      assert.equal(await prices.refresh(), 'rejected')
      assert.equal(await prices.com(), 11)
    }
    assert.equal(warnings.length, wrong.length)
  })

  test('is used without a TLD whose price is negative, with a warning', async () => {
    const { state, warnings, open } = world()
    state.answer = () => {
      const list = listOf(11, 200, ['com'])
      list.prices.delete('com')
      return list
    }
    const prices = open()
    assert.equal(await prices.refresh(), 'replaced')
    assert.deepEqual([await prices.com(), (await prices.current())?.prices.size, warnings.length], [undefined, 199, 1])
  })

  test('is fetched again if the stored one is damaged or from the future', async () => {
    const wrong = [
      '',
      '{',
      '[]',
      '{"fetchedAt":"x"}',
      '{"fetchedAt":1,"prices":{"com":[-1,2]}}',
      '{"fetchedAt":9e15,"prices":{}}',
    ]
    for (const stored of wrong) {
      const { state, open } = world()
      state.stored = stored
      const prices = open()
      await prices.start()
      assert.equal(await prices.current(), null, stored)
      assert.equal(await prices.refresh(), 'replaced', stored)
      prices.close()
    }
  })
})
