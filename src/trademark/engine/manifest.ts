import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** A file beside the manifest, and how to tell that it is whole. */
const partSchema = z.object({
  name: z.string().regex(/^[\w.-]+$/),
  bytes: z.int().nonnegative(),
  sha256: z.string(),
})

const common = {
  /** Live records. */
  documents: z.int().nonnegative(),
  /** Of all files of the index. */
  bytes: z.int().nonnegative(),
  lastUpdated: z.string(),
  /** The same as long as the same question gets the same answer. */
  snapshot: z.string(),
}

const segmentsSchema = z.object({
  ...common,
  kind: z.literal('segments'),
  format: z.int(),
  /** One more with every change, also with one that leaves all answers as they are. */
  generation: z.int().positive(),
  /** All versions of records up to this id are in the segments. */
  lastId: z.int().nonnegative(),
  /** The same of the index before the last import: what was superseded up to there, nobody searches any more. */
  settledId: z.int().nonnegative(),
  segments: z.array(
    z.object({
      part: partSchema,
      /** Those included that are superseded. */
      documents: z.int().nonnegative(),
      superseded: z.object({ part: partSchema, documents: z.int().positive() }).nullable(),
    }),
  ),
})
export type SegmentsManifest = z.infer<typeof segmentsSchema>
export type SegmentEntry = SegmentsManifest['segments'][number]

/**
 * Says which files of a folder are the index. A search sees either the one before or the one after: the manifest is put
 * in place by a rename, once everything it names is on the disk, and what it names is never changed again.
 */
export type Manifest = SegmentsManifest

/** Change when older files cannot be searched as they are, or would be searched differently. */
export const FORMATS = { segments: 4 } as const

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
  const { format, manifest } = read(text, path)
  // First of all: what a newer one means, only a newer Onoma knows.
  if (format !== null) throw cannotBeUsed(format === 'newer' ? `${path} ${NEWER}` : `${path} ${OLDER}`)
  return manifest
}

const NEWER = 'was written by a newer Onoma; update this one'
const OLDER = 'was written by an older Onoma; remove the folder and import the files of the register again'

const cannotBeUsed = (why: string, cause?: unknown) =>
  new Error(`The trademark index cannot be used: ${why}.`, { cause })

const anySchema = z.looseObject({ kind: z.string(), format: z.int(), checksum: z.string().optional() })

function read(
  text: string,
  path: string,
): { format: 'newer' | 'older'; manifest: null } | { format: null; manifest: Manifest } {
  try {
    const { checksum, ...said } = anySchema.parse(JSON.parse(text))
    // Early versions kept the index in SQLite, and no code reads that any more.
    if (said.kind === 'fts5') return { format: 'older', manifest: null }
    if (checksumOf(said) !== checksum) throw new Error('its checksum is another')
    const known = Object.hasOwn(FORMATS, said.kind) ? FORMATS[said.kind as keyof typeof FORMATS] : -1
    if (said.format !== known) return { format: said.format < known ? 'older' : 'newer', manifest: null }
    return { format: null, manifest: segmentsSchema.parse(said) }
  } catch (error) {
    throw cannotBeUsed(`${path} is damaged`, error)
  }
}

/** Of what it says, in whatever order. */
const checksumOf = (said: object) =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(said).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex')
    .slice(0, 16)

const textOf = (manifest: Manifest) => `${JSON.stringify({ ...manifest, checksum: checksumOf(manifest) }, null, 2)}\n`

/** `at` is told when the new one is on the disk beside the old one, and when it has its place. */
export function writeManifest(
  folder: string,
  manifest: Manifest,
  at: (point: 'manifest written' | 'manifest in place') => void = () => {},
): void {
  const draft = join(folder, 'index.json.new')
  rmSync(draft, { force: true })
  const handle = openSync(draft, 'wx')
  try {
    writeSync(handle, textOf(manifest))
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  at('manifest written')
  renameSync(draft, manifestPath(folder))
  at('manifest in place')
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
