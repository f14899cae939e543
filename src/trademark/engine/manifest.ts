import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { renameFile, syncPath } from '../../kernel/files.ts'

/** A file beside the manifest; `sha256` is the hash of its directory, see `segment-file.ts`. */
const partSchema = z.object({
  name: z.string().regex(/^[\w.-]+$/),
  bytes: z.int().nonnegative(),
  sha256: z.string(),
})

const common = {
  /** Live documents. */
  documents: z.int().nonnegative(),
  /** Size of all files of the index. */
  bytes: z.int().nonnegative(),
  lastUpdated: z.string(),
  /** Identifies the state of the register: equal snapshots give equal results. */
  snapshot: z.string(),
  /** Which part of the register was imported, if not all of it. */
  scope: z.string().optional(),
}

const segmentsSchema = z.object({
  ...common,
  kind: z.literal('segments'),
  format: z.int(),
  /** Increases by one with every published manifest, even if no result changes. */
  generation: z.int().positive(),
  /** Record versions up to this id are in the segments. */
  lastId: z.int().nonnegative(),
  /** `lastId` before the last import: versions superseded up to there are no longer searched. */
  settledId: z.int().nonnegative(),
  segments: z.array(
    z.object({
      part: partSchema,
      /** All documents, superseded ones included. */
      documents: z.int().nonnegative(),
      superseded: z.object({ part: partSchema, documents: z.int().positive() }).nullable(),
    }),
  ),
})
export type SegmentsManifest = z.infer<typeof segmentsSchema>
export type SegmentEntry = SegmentsManifest['segments'][number]

/**
 * Lists the files that make up the index. They never change, and the manifest is published by a rename once all of them are on
 * disk, so a reader sees either the previous index or the new one. See docs/trademark-index-format.md.
 */
export type Manifest = SegmentsManifest

/** Increase when existing files can no longer be read, or would give other results. */
export const FORMATS = { segments: 4 } as const

export const manifestPath = (folder: string) => join(folder, 'index.json')

/** Null if there is no manifest yet. Throws an error with a message for the operator if it cannot be used. */
export function readManifest(folder: string): Manifest | null {
  const path = manifestPath(folder)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const { format, manifest } = parseManifest(text, path)
  if (format !== null) throw cannotBeUsed(format === 'newer' ? `${path} ${NEWER}` : `${path} ${OLDER}`)
  return manifest
}

const NEWER = 'was written by a newer Onoma; update this one'
const OLDER = 'was written by an older Onoma; remove the folder and import the files of the register again'

const cannotBeUsed = (why: string, cause?: unknown) =>
  new Error(`The trademark index cannot be used: ${why}.`, { cause })

const anySchema = z.looseObject({ kind: z.string(), format: z.int(), checksum: z.string().optional() })

function parseManifest(
  text: string,
  path: string,
): { format: 'newer' | 'older'; manifest: null } | { format: null; manifest: Manifest } {
  try {
    const { checksum, ...content } = anySchema.parse(JSON.parse(text))
    // Early versions kept the index in SQLite; no code reads that any more.
    if (content.kind === 'fts5') return { format: 'older', manifest: null }
    if (computeChecksum(content) !== checksum) throw new Error('the checksum does not match')
    const known = Object.hasOwn(FORMATS, content.kind) ? FORMATS[content.kind as keyof typeof FORMATS] : -1
    if (content.format !== known) return { format: content.format < known ? 'older' : 'newer', manifest: null }
    return { format: null, manifest: segmentsSchema.parse(content) }
  } catch (error) {
    throw cannotBeUsed(`${path} is damaged`, error)
  }
}

/** Independent of the order of the top-level members. */
const computeChecksum = (content: object) =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex')
    .slice(0, 16)

const formatManifest = (manifest: Manifest) =>
  `${JSON.stringify({ ...manifest, checksum: computeChecksum(manifest) }, null, 2)}\n`

/** `at` is called before and after the rename, so that tests can kill the process there. */
export function writeManifest(
  folder: string,
  manifest: Manifest,
  at: (point: 'manifest written' | 'manifest in place') => void = () => {},
): void {
  const draft = join(folder, 'index.json.new')
  rmSync(draft, { force: true })
  const handle = openSync(draft, 'wx')
  try {
    writeSync(handle, formatManifest(manifest))
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  at('manifest written')
  renameFile(draft, manifestPath(folder))
  at('manifest in place')
  syncPath(folder)
}
