import type { Target } from './probe.ts'

/** Maximum concurrent checks of one call; the rate limits of registries apply in addition. */
const MAX_CONCURRENT = 256

/**
 * Yields every outcome as soon as it is known. At most `MAX_CONCURRENT` checks run at once. The first failure ends it,
 * and so does a consumer that stops early: the checks still under way are then aborted.
 */
export async function* checkConcurrently<Options extends { readonly signal: AbortSignal }, Outcome>(
  check: (target: Target, options: Options) => Promise<Outcome>,
  targets: Iterable<Target> | AsyncIterable<Target>,
  options: Options,
): AsyncIterable<Outcome> {
  const left = new AbortController()
  const signal = AbortSignal.any([options.signal, left.signal])
  const ready: Outcome[] = []
  let failure: { readonly reason: unknown } | undefined
  let news = Promise.withResolvers<void>()
  let room = Promise.withResolvers<void>()
  // `feeding` until all targets have been read.
  const underWay = { checks: 0, feeding: true }

  const fail = (reason: unknown) => void (failure ??= { reason })
  const begin = async (target: Target) => {
    underWay.checks++
    await check(target, { ...options, signal }).then((outcome) => ready.push(outcome), fail)
    underWay.checks--
    room.resolve()
    news.resolve()
  }
  const feed = async () => {
    for await (const target of targets) {
      if (signal.aborted || failure) break
      void begin(target)
      if (underWay.checks < MAX_CONCURRENT) continue
      room = Promise.withResolvers()
      await room.promise
    }
  }
  void feed()
    .catch(fail)
    .finally(() => {
      underWay.feeding = false
      news.resolve()
    })
  try {
    while (underWay.feeding || underWay.checks > 0 || ready.length > 0) {
      await news.promise
      news = Promise.withResolvers()
      if (failure) throw failure.reason
      yield* ready.splice(0)
    }
  } finally {
    left.abort()
    room.resolve()
  }
}
