/**
 * Loaded into every process of the bench before its own code (`--import`): tells over the parent's channel what the
 * process has used so far, precisely and alike on every system. Ends the process when the parent is gone.
 */
export type Usage = {
  /** Processor time of all threads since the start, in microseconds. */
  readonly cpuMicros: number
  readonly rssBytes: number
  /** What lives in JavaScript's heap, after a collection where one was asked for. */
  readonly heapBytes: number
}

export type UsageQuestion = { readonly ask: 'usage'; readonly collect: boolean }

process.on('message', (message: Partial<UsageQuestion>) => {
  if (message.ask !== 'usage') return
  // Read before the collection: it is what the process really took.
  const rssBytes = process.memoryUsage.rss()
  if (message.collect) globalThis.gc?.()
  process.send?.({ cpuMicros: cpuMicros(), rssBytes, heapBytes: process.memoryUsage().heapUsed } satisfies Usage)
})
process.on('disconnect', () => process.exit(0))
// A server that was told to stop ends by itself: the channel must not keep it.
process.channel?.unref()

function cpuMicros(): number {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  return userCPUTime + systemCPUTime
}
