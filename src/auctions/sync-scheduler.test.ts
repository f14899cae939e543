import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { manualClock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { seededRandom } from '../kernel/random.ts'
import { scheduleSyncs } from './sync-scheduler.ts'
import type { SyncReport } from './sync.ts'

const fine: SyncReport = {
  source: 'source_a',
  outcome: 'complete',
  rows: 1,
  refused: 0,
  reasons: {},
  examples: {},
  missingColumns: [],
  added: 1,
  changed: 0,
  removed: 0,
  kept: 0,
  elapsedMs: 1,
}
const HOUR = 3_600_000

/** Runs until there was one delay per outcome; returns the delays and what was logged. */
async function pausesAfter(outcomes: readonly (Partial<SyncReport> | Error)[]) {
  const left = [...outcomes]
  const pauses: number[] = []
  const lines: string[] = []
  const at = (level: string) => (_: unknown, sentence: string) => void lines.push(`${level} ${sentence}`)
  const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const kept = scheduleSyncs({
    sources: [
      {
        source: 'source_a',
        intervalMs: HOUR,
        async sync() {
          const next = left.shift()!
          if (next instanceof Error) throw next
          return { ...fine, ...next }
        },
      },
    ],
    clock: manualClock(),
    random: { ...seededRandom(1), fraction: () => 0 },
    log,
    async wait(ms, signal) {
      pauses.push(ms)
      if (left.length > 0) return
      end()
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    },
  })
  await over
  await kept.close()
  return { pauses, lines }
}

suite('a scheduled source', () => {
  test('is synced at its interval, and retried sooner after a failure, with increasing delays', async () => {
    const failed = { outcome: 'failed', problem: 'x', retryable: true } as const
    const { pauses } = await pausesAfter([{}, failed, failed, failed, {}, { outcome: 'unchanged' }])
    assert.deepEqual(pauses, [HOUR, 60_000, 120_000, 240_000, HOUR, HOUR])
  })

  test('is not retried before its Retry-After, nor early if only the operator can help', async () => {
    const { pauses } = await pausesAfter([
      { outcome: 'failed', retryable: true, retryAfterMs: 900_000 },
      { outcome: 'failed', retryable: false },
      { outcome: 'busy' },
    ])
    assert.deepEqual(pauses, [900_000, HOUR, 60_000])
  })

  test('logs the outcome of each sync', async () => {
    const { lines, pauses } = await pausesAfter([{}, { kept: 501 }, { outcome: 'failed' }, new Error('disk full')])
    assert.deepEqual(
      lines.map((line) => line.split(' ')[0]),
      ['info', 'warn', 'warn', 'error'],
    )
    assert.equal(pauses.length, 4)
  })
})
