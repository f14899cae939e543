import { availableParallelism } from 'node:os'
import type { IndexInfo, SearchIndex } from '../search-index.ts'
import type { Manifest } from './manifest.ts'
import { followManifest } from './serve/follow-manifest.ts'
import type { SearchRequest } from './serve/messages.ts'
import { createPool } from './serve/pool.ts'

type Options = {
  /** Search threads, and so concurrent searches; by default one for each core. */
  readonly threads?: number
  /** Further searches are rejected. */
  readonly maxQueue?: number
  /** Called if a newer index cannot be used; the previous one stays in use. */
  readonly onLoadError?: (error: Error) => void
  /** How long a search waits for a newer index that was published before the search arrived. */
  readonly openTimeoutMs?: number
}

/** An index of 14 million records opens in 2 to 3 seconds. */
const OPEN_TIMEOUT_MS = 5_000

/**
 * Opens the index of a folder. Search threads share one copy of it in memory, which is loaded by the first search or by
 * `ready`. When an import publishes a newer index, it is loaded in the background, and later searches use it. `info` is null
 * while there is no index. Throws an error with a message for the operator if there is an index that cannot be used.
 */
export function openIndex(
  folder: string,
  {
    threads = availableParallelism(),
    maxQueue = 256,
    onLoadError = () => {},
    openTimeoutMs = OPEN_TIMEOUT_MS,
  }: Options = {},
): SearchIndex & { ready(): Promise<void> } {
  const manifest = followManifest(folder, () => pool.refresh())
  const pool = createPool(folder, manifest.current, { threads, maxQueue, onLoadError, openTimeoutMs })
  try {
    manifest.current()
  } catch (error) {
    manifest.close()
    throw error
  }
  const run = async (request: SearchRequest, signal: AbortSignal | undefined) => {
    const { page, manifest: searched } = await pool.run(request, signal)
    return { ...page, info: infoOf(searched) }
  }
  return {
    search: (query, signal) => run({ method: 'search', query }, signal),
    byDescription: (query, signal) => run({ method: 'byDescription', query }, signal),
    byOwner: (query, signal) => run({ method: 'byOwner', query }, signal),
    expiring: (query, signal) => run({ method: 'expiring', query }, signal),
    info() {
      const current = pool.current()
      return current && infoOf(current)
    },
    ready: () => pool.ready(),
    close() {
      manifest.close()
      return pool.close()
    },
  }
}

const infoOf = ({ documents, bytes, lastUpdated, snapshot, scope }: Manifest): IndexInfo => ({
  documents,
  bytes,
  lastUpdated,
  snapshot,
  ...(scope !== undefined && { scope }),
})
