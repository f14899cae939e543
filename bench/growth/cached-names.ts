/** Names in a cache that has room for all of them; the service itself keeps 20,000. */
import { createCache } from '../../src/kernel/cache.ts'
import { systemClock as clock } from '../../src/kernel/clock.ts'
import type { Part } from './part.ts'

const TTL_MS = 3_600_000
const verdict = (at: number) => ({ state: 'registered', source: 'dns', statuses: ['ok'], at })

export const part: Part = {
  build(size) {
    const cache = createCache<object>({ name: 'names', max: size, maxBytes: size * 1024, clock })
    for (let at = 0; at < size; at++) cache.set(`grows-${at}.com`, { value: verdict(at), ttlMs: TTL_MS })
    if (cache.size !== size) throw new Error(`The cache has ${cache.size} of ${size} names.`)
    return {
      operations: {
        'look up': (at) => cache.get(`grows-${(at * 7919) % size}.com`),
        'replace the oldest': (at) => cache.set(`new-${at}.com`, { value: verdict(at), ttlMs: TTL_MS }),
      },
      rounds: 20_000,
    }
  },
}
