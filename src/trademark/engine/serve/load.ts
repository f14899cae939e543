import type { Manifest } from '../manifest.ts'
import type { SegmentFile } from '../format/segment-file.ts'
import type { FromLoader, Loaded, ToLoader } from './messages.ts'
import { startThread } from '../thread.ts'

/**
 * What a manifest names: at once where nothing has to be read for it, else read in a thread that ends with it. What the
 * index before had in memory already is taken from there. Throws or rejects with a sentence that has the name of the file
 * where one is missing or damaged.
 */
export function load(folder: string, manifest: Manifest, before: Loaded | null): Loaded | Promise<Loaded> {
  const known = before?.segments.flatMap((one) => [one.file, one.superseded ?? []]) ?? []
  const files = new Map(known.flat().map((file) => [file.sha256, file]))
  const put = (more: readonly SegmentFile[]): Loaded => {
    for (const file of more) files.set(file.sha256, file)
    const segments = manifest.segments.map(({ part, superseded }) => ({
      file: files.get(part.sha256)!,
      superseded: superseded && files.get(superseded.part.sha256)!,
    }))
    return { folder, lastId: manifest.lastId, segments }
  }
  const missing = partsOf(manifest).filter(({ sha256 }) => !files.has(sha256))
  return missing.length === 0 ? put([]) : read({ folder, lastId: manifest.lastId, parts: missing }).then(put)
}

const partsOf = ({ segments }: Manifest) =>
  segments.flatMap(({ part, superseded }) => (superseded ? [part, superseded.part] : [part]))

function read(wanted: ToLoader): Promise<readonly SegmentFile[]> {
  const worker = startThread(new URL('loader.ts', import.meta.url), wanted)
  return new Promise((resolve, reject) => {
    worker.on('message', (answer: FromLoader) => (answer.ok ? resolve(answer.files) : reject(new Error(answer.reason))))
    worker.on('error', reject)
    worker.on('exit', () => reject(new Error('The thread that loads the index ended unexpectedly.')))
  })
}
