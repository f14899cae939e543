import { availableParallelism } from 'node:os'
import type { IndexInfo, SearchIndex } from '../search-index.ts'
import type { Manifest } from './manifest.ts'
import { followManifest } from './serve/follow-manifest.ts'
import type { Asked } from './serve/messages.ts'
import { createPool } from './serve/pool.ts'

type Options = {
  /** How many questions are searched for at the same time; one for each core where it is not said. */
  readonly threads?: number
  /** How many may wait for that; one more is refused. */
  readonly waiting?: number
  /** Told where a newer index cannot be used, and the one before goes on being searched. */
  readonly onTrouble?: (error: Error) => void
  /** For how long at most a search waits for an index that was published before it came. */
  readonly openTimeoutMs?: number
}

/** An index of 14 million records is opened in 2 to 3 seconds. */
const OPEN_TIMEOUT_MS = 5_000

/**
 * The index of a folder, searched in threads that share one copy of it. It is read when the first question comes, or when
 * `ready` is called. What is imported into the folder later is read beside it as soon as it is published, and a search
 * that comes after that has it; as long as there is nothing, `info` is null. Throws a sentence for the operator where
 * there is something that cannot be used.
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
