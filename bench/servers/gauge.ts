import { getHeapSpaceStatistics } from 'node:v8'

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
  /** Memory of the youngest objects: V8 doubles it in steps up to a limit of its own, whatever the program keeps. */
  readonly nurseryBytes: number
}

export type UsageQuestion = { readonly ask: 'usage'; readonly collect: boolean }

process.on('message', (message: Partial<UsageQuestion>) => {
  if (message.ask !== 'usage') return
  // Read before the collection: it is what the process really took.
  const rssBytes = process.memoryUsage.rss()
  const nurseryBytes = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')!.physical_space_size
  if (message.collect) globalThis.gc?.()
  const heapBytes = process.memoryUsage().heapUsed
  process.send?.({ cpuMicros: cpuMicros(), rssBytes, heapBytes, nurseryBytes } satisfies Usage)
})
process.on('disconnect', () => process.exit(0))
// A server that was told to stop ends by itself: the channel must not keep it.
process.channel?.unref()

function cpuMicros(): number {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  return userCPUTime + systemCPUTime
}
