import { unlessAborted } from './deadline.ts'
import { UpstreamError } from './errors.ts'

/** Lets a few through at a time; the others wait in line, and those who find the line full are turned away. */
export type Limit = {
  /** Runs `fn` when its turn comes. Who aborts while waiting leaves the line with the signal's reason. */
  run<T>(fn: () => Promise<T>, signal?: AbortSignal): Promise<T>
  readonly active: number
  readonly waiting: number
}

type Size = {
  /** How many run at the same time; at least 1. */
  readonly concurrent: number
  /** How many may wait; 0 turns away everybody who cannot run at once. */
  readonly queue: number
}

type Options = Size & {
  /** What is being limited, as an error names it. */
  readonly name: string
  /** Called whenever the last has finished. */
  readonly onIdle?: () => void
}

export function createLimit({ name, concurrent, queue, onIdle }: Options): Limit {
  let active = 0
  // A Set keeps the order of arrival and lets anybody leave from the middle at no cost.
  const line = new Set<() => void>()

  const takeTurn = async (signal: AbortSignal | undefined): Promise<void> => {
    if (active < concurrent) {
      active++
      return
    }
    if (line.size >= queue) throw new UpstreamError('unavailable', `too many requests for ${name} are waiting`)
    const { promise, resolve } = Promise.withResolvers<void>()
    line.add(resolve)
    try {
      await unlessAborted(promise, signal)
    } catch (error) {
      // Called and gone in the same moment: the turn is passed on, or it would be lost for good.
      if (!line.delete(resolve)) passTurn()
      throw error
    }
  }

  const passTurn = (): void => {
    const [next] = line
    if (next) {
      line.delete(next)
      next()
    } else if (--active === 0) {
      onIdle?.()
    }
  }

  return {
    async run(fn, signal) {
      signal?.throwIfAborted()
      await takeTurn(signal)
      try {
        return await fn()
      } finally {
        passTurn()
      }
    },
    get active() {
      return active
    },
    get waiting() {
      return line.size
    },
  }
}

export type KeyedLimits = {
  run<T>(key: string, fn: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** How many keys have somebody running or waiting. */
  readonly size: number
}

/** One limit per key, kept only while somebody uses it; never more than `maxKeys` at a time. */
export function createKeyedLimits({ maxKeys, ...size }: Size & { readonly maxKeys: number }): KeyedLimits {
  const limits = new Map<string, Limit>()

  const limitFor = (key: string): Limit => {
    const known = limits.get(key)
    if (known) return known
    if (limits.size >= maxKeys)
      throw new UpstreamError('unavailable', `too many others are being asked for ${key} to be asked too`)
    const limit = createLimit({ name: key, ...size, onIdle: () => limits.delete(key) })
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
