import { type FSWatcher, statSync, watch } from 'node:fs'
import { basename } from 'node:path'
import { manifestPath, readManifest, type Manifest } from '../manifest.ts'

export type FollowedManifest = {
  /** The manifest that is in the folder now; null if there is no index yet. Throws if it cannot be used. */
  current(): Manifest | null
  close(): void
}

/**
 * Reads the manifest again after it was replaced. `onChange` is called when the operating system reports a change, so that a
 * new index is opened before the next search. The report may come late, or never on some network file systems, so `current`
 * does not rely on it: it checks the file itself, which takes microseconds, and is always up to date.
 */
export function followManifest(folder: string, onChange: () => void): FollowedManifest {
  const path = manifestPath(folder)
  let lastSignature = ''
  let manifest: Manifest | null = null
  let watcher: FSWatcher | null = null
  let canWatch = true

  function startWatching(): void {
    if (watcher || !canWatch) return
    try {
      watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === null || name === basename(path)) onChange()
      })
      watcher.on('error', stopWatching)
    } catch (error) {
      // Before the first import there is no folder; the next call of `current` tries again.
      canWatch = (error as NodeJS.ErrnoException).code === 'ENOENT'
    }
  }

  function stopWatching(): void {
    canWatch = false
    watcher?.close()
    watcher = null
  }

  return {
    current() {
      startWatching()
      const state = statSync(path, { throwIfNoEntry: false, bigint: true })
      const signature = state ? `${state.ino} ${state.mtimeNs} ${state.size}` : ''
      if (signature !== lastSignature) {
        manifest = readManifest(folder)
        lastSignature = signature
      }
      return manifest
    },
    close: stopWatching,
  }
}
