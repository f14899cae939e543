import { statSync } from 'node:fs'
import type { IndexInfo, SearchIndex } from '../search-index.ts'
import { manifestPath, readManifest, type Manifest } from './manifest.ts'
import { createPool } from './threads/pool.ts'

export { buildFts5 } from './fts5/build.ts'

type Options = {
  /** How many questions are searched for at the same time. */
  readonly threads?: number
  /** How many may wait for that; one more is refused. */
  readonly waiting?: number
}

/**
 * The index of a folder, searched in threads. What is built into the folder later is seen by the next question; as long
 * as there is nothing, `info` is null. Throws a sentence for the operator where there is something that cannot be used.
 */
export function openIndex(folder: string, { threads = 1, waiting = 256 }: Options = {}): SearchIndex {
  const manifest = watchManifest(folder)
  manifest()
  const pool = createPool(folder, manifest, { threads, waiting })
  return {
    search: (question, signal) => pool.ask({ method: 'search', question }, signal),
    byDescription: (question, signal) => pool.ask({ method: 'byDescription', question }, signal),
    byOwner: (question, signal) => pool.ask({ method: 'byOwner', question }, signal),
    expiring: (question, signal) => pool.ask({ method: 'expiring', question }, signal),
    info: () => infoOf(manifest()),
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

const infoOf = (manifest: Manifest | null): IndexInfo | null =>
  manifest && {
    documents: manifest.documents,
    bytes: manifest.bytes,
    lastUpdated: manifest.lastUpdated,
    snapshot: manifest.snapshot,
  }
