import { PerformanceObserver } from 'node:perf_hooks'
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
  /** Pauses for garbage collection since the last question; collections that a question forced are not among them. */
  readonly gc: GcPauses
}

export type GcPauses = { readonly count: number; readonly totalMs: number; readonly maxMs: number }

export type UsageRequest = { readonly ask: 'usage'; readonly collect: boolean }

const NO_PAUSES: GcPauses = { count: 0, totalMs: 0, maxMs: 0 }
let pauses = NO_PAUSES
const observer = new PerformanceObserver((list) => count(list.getEntries()))
observer.observe({ entryTypes: ['gc'] })

function count(entries: readonly { readonly duration: number }[]): void {
  for (const { duration } of entries) {
    const { count, totalMs, maxMs } = pauses
    pauses = { count: count + 1, totalMs: totalMs + duration, maxMs: Math.max(maxMs, duration) }
  }
}

/** The pauses up to now; a forced collection must come after it. */
function takePauses(): GcPauses {
  count(observer.takeRecords())
  const taken = pauses
  pauses = NO_PAUSES
  return taken
}

process.on('message', (message: Partial<UsageRequest>) => {
  if (message.ask !== 'usage') return
  // Read before the collection, which may give memory back.
  const rssBytes = process.memoryUsage.rss()
  const nurseryBytes = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')!.physical_space_size
  const gc = takePauses()
  if (message.collect) {
    globalThis.gc?.()
    // What the observer gets of it would be reported with the next question.
    setImmediate(takePauses)
  }
  const { heapUsed: heapBytes, external: externalBytes } = process.memoryUsage()
  process.send?.({ cpuMicros: cpuMicros(), rssBytes, heapBytes, externalBytes, nurseryBytes, gc } satisfies Usage)
})
process.on('disconnect', () => process.exit(0))
// The channel must not keep a server alive that was told to stop.
process.channel?.unref()

function cpuMicros(): number {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  return userCPUTime + systemCPUTime
}
