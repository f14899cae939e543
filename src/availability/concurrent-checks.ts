/** Maximum concurrent checks of one call; the rate limits of registries apply in addition. */
const MAX_CONCURRENT = 256
/** Fewer for work that may wait: the work of the checks under way is what another request waits for. */
const MAX_CONCURRENT_LOW_PRIORITY = 32

/**
 * Yields every outcome as soon as it is known. A bounded number of checks runs at once. The first failure ends it,
 * and so does a consumer that stops early: the checks still under way are then aborted.
 */
export async function* checkConcurrently<
  Item,
  Options extends { readonly signal: AbortSignal; readonly lowPriority?: boolean },
  Outcome,
>(
  check: (item: Item, options: Options) => Promise<Outcome>,
  items: Iterable<Item> | AsyncIterable<Item>,
  options: Options,
): AsyncIterable<Outcome> {
  const maxConcurrent = options.lowPriority ? MAX_CONCURRENT_LOW_PRIORITY : MAX_CONCURRENT
  const left = new AbortController()
  const signal = AbortSignal.any([options.signal, left.signal])
  const ready: Outcome[] = []
  let failure: { readonly reason: unknown } | undefined
  let news = Promise.withResolvers<void>()
  let room = Promise.withResolvers<void>()
  // `feeding` until all items have been read.
  const underWay = { checks: 0, feeding: true }

  const fail = (reason: unknown) => void (failure ??= { reason })
  const begin = async (item: Item) => {
    underWay.checks++
    await check(item, { ...options, signal }).then((outcome) => ready.push(outcome), fail)
    underWay.checks--
    room.resolve()
    news.resolve()
  }
  const feed = async () => {
    for await (const item of items) {
      if (signal.aborted || failure) break
      void begin(item)
      if (underWay.checks < maxConcurrent) continue
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
