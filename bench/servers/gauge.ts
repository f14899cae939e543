import { getHeapSpaceStatistics } from 'node:v8'

/**
 * Loaded into every process of the bench before its own code (`--import`). Reports the process's CPU time and memory over
 * the IPC channel, and ends the process when the parent is gone.
 */
export type Usage = {
  /** CPU time of all threads since the start, in microseconds. */
  readonly cpuMicros: number
  readonly rssBytes: number
  /** JavaScript heap in use; after a garbage collection if `collect` was set. */
  readonly heapBytes: number
  /** Buffers outside of the heap. */
  readonly externalBytes: number
  /** Memory for new objects. V8 doubles it in steps up to a fixed limit, however much the program retains. */
  readonly nurseryBytes: number
}

export type UsageRequest = { readonly ask: 'usage'; readonly collect: boolean }

process.on('message', (message: Partial<UsageRequest>) => {
  if (message.ask !== 'usage') return
  // Read before the collection, which may give memory back.
  const rssBytes = process.memoryUsage.rss()
  const nurseryBytes = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')!.physical_space_size
  if (message.collect) globalThis.gc?.()
  const { heapUsed: heapBytes, external: externalBytes } = process.memoryUsage()
  process.send?.({ cpuMicros: cpuMicros(), rssBytes, heapBytes, externalBytes, nurseryBytes } satisfies Usage)
})
process.on('disconnect', () => process.exit(0))
// The channel must not keep a server alive that was told to stop.
process.channel?.unref()

function cpuMicros(): number {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  return userCPUTime + systemCPUTime
}
