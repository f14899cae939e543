import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { IndexInfo, SearchIndex } from '../search-index.ts'
import { manifestPath, readManifest, type Manifest } from './manifest.ts'
import type { Asked } from './threads/messages.ts'
import { createPool } from './threads/pool.ts'

type Options = {
  /** How many questions are searched for at the same time; one for each core where it is not said. */
  readonly threads?: number
  /** How many may wait for that; one more is refused. */
  readonly waiting?: number
  /** Told where a newer index cannot be used, and the one before goes on being searched. */
  readonly onTrouble?: (error: Error) => void
}

/**
 * The index of a folder, searched in threads that share one copy of it. It is read when the first question comes, or when
 * `ready` is called. What is imported into the folder later is read beside it, and searched as soon as it is there; as
 * long as there is nothing, `info` is null. Throws a sentence for the operator where there is something that cannot be used.
 */
export function openIndex(
  folder: string,
  { threads = availableParallelism(), waiting = 256, onTrouble = () => {} }: Options = {},
): SearchIndex & { ready(): Promise<void> } {
  const manifest = watchManifest(folder)
  manifest()
  const pool = createPool(folder, manifest, { threads, waiting, onTrouble })
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
    close: () => pool.close(),
  }
}

/** Reads the manifest again when another was put in its place. A look costs microseconds. */
function watchManifest(folder: string): () => Manifest | null {
  let seen = ''
  let manifest: Manifest | null = null
  return () => {
    const state = statSync(manifestPath(folder), { throwIfNoEntry: false })
    const mark = state ? `${state.ino} ${state.mtimeMs} ${state.size}` : ''
    if (mark !== seen) {
      manifest = readManifest(folder)
      seen = mark
    }
    return manifest
  }
}

const infoOf = ({ documents, bytes, lastUpdated, snapshot }: Manifest): IndexInfo => ({
  documents,
  bytes,
  lastUpdated,
  snapshot,
})
