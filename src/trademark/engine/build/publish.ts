import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { timestamp, type Clock } from '../../../kernel/clock.ts'
import { renameFile, syncPath } from '../../../kernel/files.ts'
import { FORMATS, writeManifest, type Manifest, type SegmentEntry, type SegmentsManifest } from '../manifest.ts'
import type { SegmentBuild } from './segment-build.ts'
import type { HitFailpoint } from './failpoints.ts'

/** Removes files that a crashed import or merge left unfinished. */
export function removeTemporaryFiles(folder: string): void {
  const names = ['segment.new', 'superseded.new', 'index.json.new', 'draft.segment']
  const spilled = ['tokens.new.goods', 'tokens.new.owner', 'tokens.new.lists']
  for (const name of [...names, ...spilled]) rmSync(join(folder, name), { force: true })
}

/** Writes the segment to a temporary file, syncs it and renames it to its final name. */
export async function writeSegment(folder: string, build: SegmentBuild, at: HitFailpoint): Promise<SegmentEntry> {
  const draft = join(folder, 'segment.new')
  at('segment about to be written')
  const { documents, bytes, sha256 } = await build.write(draft)
  at('segment written')
  const name = `segment-${sha256.slice(0, 16)}`
  renameFile(draft, join(folder, name))
  syncPath(folder)
  at('segment named')
  return { part: { name, bytes, sha256 }, documents, superseded: null }
}

type State = Pick<SegmentsManifest, 'segments' | 'lastId' | 'settledId' | 'snapshot'> & {
  readonly recordsBytes: number
  /** Null if the whole register was imported; left out to keep what the last manifest says. */
  readonly scope?: string | null
}

/** Publishes a manifest with these segments, then removes files that are no longer referenced. */
export function publish(
  folder: string,
  before: Manifest | null,
  { recordsBytes, scope, ...state }: State,
  clock: Clock,
  at: HitFailpoint,
): SegmentsManifest {
  const isSame = before?.snapshot === state.snapshot
  const after: SegmentsManifest = {
    kind: 'segments',
    format: FORMATS.segments,
    generation: (before?.generation ?? 0) + 1,
    documents: state.segments.reduce((sum, one) => sum + liveDocuments(one), 0),
    bytes: recordsBytes + partsOf(state).reduce((sum, { bytes }) => sum + bytes, 0),
    lastUpdated: isSame ? before.lastUpdated : timestamp(clock),
    ...state,
    ...scopeOf(scope === undefined ? before?.scope : scope),
  }
  at('about to swap')
  writeManifest(folder, after, at)
  at('swapped')
  removeUnreferenced(folder, before, after, at)
  return after
}

const scopeOf = (scope: string | null | undefined) => (scope == null ? {} : { scope })

export const liveDocuments = ({ documents, superseded }: SegmentEntry) => documents - (superseded?.documents ?? 0)

const partsOf = ({ segments }: Pick<SegmentsManifest, 'segments'>) =>
  segments.flatMap(({ part, superseded }) => (superseded ? [part, superseded.part] : [part]))

const namesOf = (manifest: Manifest | null): string[] => (manifest ? partsOf(manifest).map(({ name }) => name) : [])

/** Keeps the files of the previous manifest: a search may be about to open them. */
function removeUnreferenced(folder: string, before: Manifest | null, after: Manifest, at: HitFailpoint): void {
  const kept = new Set([...namesOf(before), ...namesOf(after)])
  for (const name of readdirSync(folder)) {
    if (!/^(?:segment|superseded)-[0-9a-f]+$/.test(name) || kept.has(name)) continue
    rmSync(join(folder, name), { force: true })
    at('an old file removed')
  }
  at('old files removed')
}

/** Throws if a file that the manifest names is missing. */
export function requireFiles(folder: string, manifest: Manifest | null): void {
  for (const name of namesOf(manifest))
    if (!existsSync(join(folder, name)))
      throw new Error(`${join(folder, name)} is missing; remove the folder and import the files of the register again.`)
}
