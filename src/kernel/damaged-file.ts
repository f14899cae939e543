import { statSync } from 'node:fs'
import { renameFile } from './files.ts'

/** What SQLite's primary result codes mean for the file. */
const REASONS: Readonly<Record<number, string>> = {
  8: 'it is read-only, or its disk is',
  10: 'its disk cannot be read or written',
  11: 'it is damaged',
  13: 'the disk is full',
  14: 'it cannot be opened',
  26: 'it is damaged',
}
const DAMAGED: ReadonlySet<number> = new Set([11, 26])
const LOCKED: ReadonlySet<number> = new Set([5, 6])

const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0

/** Whether an error of SQLite says that the content of the file is not a valid database. */
export const isDamage = (error: unknown): boolean => DAMAGED.has(codeOf(error))

/** Whether an error of SQLite only says that somebody else is using the file. */
export const isLocked = (error: unknown): boolean => LOCKED.has(codeOf(error))

/** Why SQLite cannot use a file, as the end of a sentence; undefined if the error is not about the file. */
export const whyUnusable = (error: unknown): string | undefined => REASONS[codeOf(error)]

/** Identifies a file; null if it does not exist. */
export function identityOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev}:${found.ino}`
}

/**
 * Renames a damaged file to `name.damaged-<time>`, together with the files of the same name with these suffixes. Nothing
 * is deleted: a person may want to repair it. Returns the new path; null if the file is no longer the one that was found
 * damaged, because another process has moved it.
 */
export function moveAside(
  path: string,
  now: number,
  {
    identity = identityOf(path),
    suffixes = [],
  }: { readonly identity?: string | null; suffixes?: readonly string[] } = {},
): string | null {
  if (identity === null || identityOf(path) !== identity) return null
  const time = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const target = `${path}.damaged-${time}`
  renameFile(path, target)
  for (const suffix of suffixes) {
    if (identityOf(`${path}${suffix}`) !== null) renameFile(`${path}${suffix}`, `${target}${suffix}`)
  }
  return target
}
