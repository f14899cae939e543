import { type FSWatcher, statSync, watch } from 'node:fs'
import { basename } from 'node:path'
import { manifestPath, readManifest, type Manifest } from '../manifest.ts'

export type FollowedManifest = {
  /** What the folder says now; null where there is no index yet. Throws where there is one that cannot be read. */
  current(): Manifest | null
  close(): void
}

/**
 * Reads the manifest again when another was put in its place. `onChange` is called when the system reports a change, so
 * that a new index is opened before anybody asks. That report comes late, or never on some network file systems, so it
 * cannot promise anything: `current` looks at the file itself, which costs microseconds, and is never behind.
 */
export function followManifest(folder: string, onChange: () => void): FollowedManifest {
  const path = manifestPath(folder)
  let seen = ''
  let manifest: Manifest | null = null
  let watcher: FSWatcher | null = null
  let canWatch = true

  function follow(): void {
    if (watcher || !canWatch) return
    try {
      watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === null || name === basename(path)) onChange()
      })
      watcher.on('error', stop)
    } catch (error) {
      // Before the first import there is no folder; it is tried again at the next look.
      canWatch = (error as NodeJS.ErrnoException).code === 'ENOENT'
    }
  }

  function stop(): void {
    canWatch = false
    watcher?.close()
    watcher = null
  }

  return {
    current() {
      follow()
      const state = statSync(path, { throwIfNoEntry: false, bigint: true })
      const mark = state ? `${state.ino} ${state.mtimeNs} ${state.size}` : ''
      if (mark !== seen) {
        manifest = readManifest(folder)
        seen = mark
      }
      return manifest
    },
    close: stop,
  }
}
