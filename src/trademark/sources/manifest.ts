import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/**
 * Says which file of a folder is the index. A search sees either the one before or the one after: the manifest is put in
 * place by a rename, once everything it names is on the disk, and what it names is never changed again.
 */
const manifestSchema = z.object({
  kind: z.enum(['fts5', 'segments']),
  format: z.int(),
  /** Names of files or folders beside the manifest. */
  parts: z.array(z.string().regex(/^[\w.-]+$/)).min(1),
  documents: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  lastUpdated: z.string(),
  snapshot: z.string(),
})
export type Manifest = z.infer<typeof manifestSchema>

export const manifestPath = (folder: string) => join(folder, 'index.json')

/** Null where there is none yet. Throws a sentence for the operator where there is one that cannot be read. */
export function readManifest(folder: string): Manifest | null {
  const path = manifestPath(folder)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    return manifestSchema.parse(JSON.parse(text))
  } catch (error) {
    throw new Error(`The trademark index cannot be used: ${path} is damaged.`, { cause: error })
  }
}

export function writeManifest(folder: string, manifest: Manifest): void {
  const draft = join(folder, 'index.json.new')
  rmSync(draft, { force: true })
  const handle = openSync(draft, 'wx')
  try {
    writeSync(handle, `${JSON.stringify(manifest, null, 2)}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(draft, manifestPath(folder))
  syncPath(folder)
}

/** A file's bytes, or a folder's names, are on the disk when this returns. */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
