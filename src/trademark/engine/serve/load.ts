import type { Manifest } from '../manifest.ts'
import type { SegmentFile } from '../format/segment-file.ts'
import type { FromLoader, LoadedIndex, ToLoader } from './messages.ts'
import { startThread } from '../thread.ts'

/**
 * Loads the files that a manifest lists, in a thread of its own. Files of the `previous` index are reused; if there are no
 * others, the result is returned at once. Throws or rejects with a message that names the file if one is missing or damaged.
 */
export function loadIndex(
  folder: string,
  manifest: Manifest,
  previous: LoadedIndex | null,
): LoadedIndex | Promise<LoadedIndex> {
  const known = previous?.segments.flatMap((one) => [one.file, one.superseded ?? []]) ?? []
  const files = new Map(known.flat().map((file) => [file.sha256, file]))
  const assemble = (loaded: readonly SegmentFile[]): LoadedIndex => {
    for (const file of loaded) files.set(file.sha256, file)
    const segments = manifest.segments.map(({ part, superseded }) => ({
      file: files.get(part.sha256)!,
      superseded: superseded && files.get(superseded.part.sha256)!,
    }))
    return { folder, lastId: manifest.lastId, segments }
  }
  const missing = partsOf(manifest).filter(({ sha256 }) => !files.has(sha256))
  return missing.length === 0
    ? assemble([])
    : loadFiles({ folder, lastId: manifest.lastId, parts: missing }).then(assemble)
}

const partsOf = ({ segments }: Manifest) =>
  segments.flatMap(({ part, superseded }) => (superseded ? [part, superseded.part] : [part]))

function loadFiles(wanted: ToLoader): Promise<readonly SegmentFile[]> {
  const worker = startThread(new URL('loader.ts', import.meta.url), wanted)
  return new Promise((resolve, reject) => {
    worker.on('message', (message: FromLoader) =>
      message.ok ? resolve(message.files) : reject(new Error(message.reason)),
    )
    worker.on('error', reject)
    worker.on('exit', () => reject(new Error('The thread that loads the index ended unexpectedly.')))
  })
}
