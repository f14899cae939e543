import { unlessAborted } from './timeout.ts'
import { OverloadError } from './errors.ts'

/** Runs a bounded number of functions at a time; the others wait in a bounded queue. Rejects when the queue is full. */
export type ConcurrencyLimit = {
  /** Runs `fn` when a slot is free. An abort while queued rejects with the signal's reason. */
  run<T>(fn: () => Promise<T>, signal?: AbortSignal): Promise<T>
  readonly active: number
  readonly waiting: number
}

type Size = {
  /** Maximum number running; at least 1. */
  readonly maxConcurrent: number
  /** Maximum number queued; 0 rejects what cannot run at once. */
  readonly maxQueue: number
}

type Options = Size & {
  /** What is limited, for error messages. */
  readonly name: string
  /** Called when nothing is running any more. */
  readonly onIdle?: () => void
}

export function createConcurrencyLimit({ name, maxConcurrent, maxQueue, onIdle }: Options): ConcurrencyLimit {
  let active = 0
  // A Set: iterates in insertion order, and deletes from the middle in constant time.
  const waiting = new Set<() => void>()

  const acquire = async (signal: AbortSignal | undefined): Promise<void> => {
    if (active < maxConcurrent) {
      active++
      return
    }
    if (waiting.size >= maxQueue) throw new OverloadError(`too many requests for ${name} are waiting`)
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.add(resolve)
    try {
      await unlessAborted(promise, signal)
    } catch (error) {
      // The slot was given to this caller just as it aborted: pass the slot on, or it would be lost.
      if (!waiting.delete(resolve)) release()
      throw error
    }
  }

  const release = (): void => {
    const [next] = waiting
    if (next) {
      waiting.delete(next)
      next()
    } else if (--active === 0) {
      onIdle?.()
    }
  }

  return {
    async run(fn, signal) {
      signal?.throwIfAborted()
      await acquire(signal)
      try {
        return await fn()
      } finally {
        release()
      }
    },
    get active() {
      return active
    },
    get waiting() {
      return waiting.size
    },
  }
}

export type KeyedLimits = {
  run<T>(key: string, fn: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Number of keys with functions running or queued. */
  readonly size: number
}

/** One limit per key, kept only while in use; never more than `maxKeys` at a time. */
export function createKeyedLimits({ maxKeys, ...size }: Size & { readonly maxKeys: number }): KeyedLimits {
  const limits = new Map<string, ConcurrencyLimit>()

  const limitFor = (key: string): ConcurrencyLimit => {
    const known = limits.get(key)
    if (known) return known
    if (limits.size >= maxKeys)
      throw new OverloadError(`${key} cannot be asked now: too many other hosts are being asked`)
    const limit = createConcurrencyLimit({ name: key, ...size, onIdle: () => limits.delete(key) })
    limits.set(key, limit)
    return limit
  }

  return {
    async run(key, fn, signal) {
      signal?.throwIfAborted()
      return limitFor(key).run(fn, signal)
    },
    get size() {
      return limits.size
    },
  }
}
