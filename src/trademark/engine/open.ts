import { availableParallelism } from 'node:os'
import type { IndexInfo, SearchIndex } from '../search-index.ts'
import type { Manifest } from './manifest.ts'
import { followManifest } from './serve/follow-manifest.ts'
import type { Asked } from './serve/messages.ts'
import { createPool } from './serve/pool.ts'

type Options = {
  /** Search threads, and so concurrent searches; by default one for each core. */
  readonly threads?: number
  /** Maximum queue length; further searches are refused. */
  readonly waiting?: number
  /** Called if a newer index cannot be used; the previous one stays in use. */
  readonly onTrouble?: (error: Error) => void
  /** How long a search waits for a newer index that was published before the search came. */
  readonly openTimeoutMs?: number
}

/** An index of 14 million records is opened in 2 to 3 seconds. */
const OPEN_TIMEOUT_MS = 5_000

/**
 * Opens the index of a folder. Search threads share one copy of it in memory, which is loaded by the first search or by
 * `ready`. When an import publishes a newer index, it is loaded in the background, and later searches use it. `info` is null
 * while there is no index. Throws an error for the operator if there is an index that cannot be used.
 */
export function openIndex(
  folder: string,
  {
    threads = availableParallelism(),
    waiting = 256,
    onTrouble = () => {},
    openTimeoutMs = OPEN_TIMEOUT_MS,
  }: Options = {},
): SearchIndex & { ready(): Promise<void> } {
  const manifest = followManifest(folder, () => pool.refresh())
  const pool = createPool(folder, manifest.current, { threads, waiting, onTrouble, openTimeoutMs })
  try {
    manifest.current()
  } catch (error) {
    manifest.close()
    throw error
  }
  const ask = async (asked: Asked, signal: AbortSignal | undefined) => {
    const { page, manifest: from } = await pool.ask(asked, signal)
    return { ...page, info: infoOf(from) }
  }
  return {
    search: (question, signal) => ask({ method: 'search', question }, signal),
    byDescription: (question, signal) => ask({ method: 'byDescription', question }, signal),
    byOwner: (question, signal) => ask({ method: 'byOwner', question }, signal),
    expiring: (question, signal) => ask({ method: 'expiring', question }, signal),
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

const infoOf = ({ documents, bytes, lastUpdated, snapshot }: Manifest): IndexInfo => ({
  documents,
  bytes,
  lastUpdated,
  snapshot,
})
