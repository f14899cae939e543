import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../kernel/clock.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import type { Transfer } from './transfer.ts'

/** Longer than honest nodes are apart, and than most payments are valid; a reorganisation is accepted after it. */
const TTL_MS = 10 * 60_000
const MAX_ENTRIES = 10_000

/** Remembers authorizations that a node has reported as used. */
export type UsedAuthorizations = {
  /** Throws UpstreamError if a node reports an authorization as unused that was used before: one of them is wrong. */
  check(transfer: Transfer, isUsed: boolean): void
}

export function createUsedAuthorizations(clock: Pick<Clock, 'now'>): UsedAuthorizations {
  const usedAt = new LRUCache<string, number>({ max: MAX_ENTRIES })
  return {
    check({ from, nonce }, isUsed) {
      const id = `${from}:${nonce}`
      if (isUsed) usedAt.set(id, clock.now())
      else if ((usedAt.get(id) ?? -Infinity) + TTL_MS > clock.now()) {
        throw new UpstreamError('unavailable', 'the nodes contradict each other about whether a payment was used')
      }
    },
  }
}
