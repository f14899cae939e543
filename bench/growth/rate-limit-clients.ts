/** Clients of the rate limit, which keeps 100,000: further ones take the places of those that were idle for longest. */
import { systemClock as clock } from '../../src/kernel/clock.ts'
import { createMemoryRateLimiter } from '../../src/kernel/rate-limit.ts'
import type { Part } from './part.ts'

const addressOf = (at: number): string => `${10 + (at >> 24)}.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`

export const part: Part = {
  build(size) {
    const limiter = createMemoryRateLimiter({ quota: 60, clock })
    for (let at = 0; at < size; at++) void limiter.take(addressOf(at))
    return {
      operations: {
        'count a known client': (at) => limiter.take(addressOf(size - 1 - ((at * 7919) % Math.min(size, 1_000)))),
        'count a new client': (at) => limiter.take(addressOf(size + at)),
      },
      rounds: 20_000,
    }
  },
}
