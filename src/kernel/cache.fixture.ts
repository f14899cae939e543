import assert from 'node:assert/strict'
import { createCache, type Loaded } from './cache.ts'
import { manualClock } from './clock.ts'

export function createTestCache<V = string>(limits: { max?: number; maxConcurrentLoads?: number } = {}) {
  const clock = manualClock()
  return { clock, cache: createCache<V>({ name: 'answers', max: 100, clock, ...limits }) }
}

export const settle = () => new Promise(setImmediate)

export const loads =
  <V>(value: V, ttlMs = 1000) =>
  async (): Promise<Loaded<V>> => ({ value, ttlMs })

export const mustNotLoad = (): never => assert.fail('nothing should be loaded')

/** A load that the test settles. `seen` has the number of calls and the signal of the last one. */
export function slowLoad() {
  const outcome = Promise.withResolvers<Loaded<string>>()
  const seen = { begun: 0, signal: undefined as AbortSignal | undefined }
  const load = (signal: AbortSignal) => {
    seen.begun++
    seen.signal = signal
    return outcome.promise
  }
  return { load, seen, ...outcome }
}
