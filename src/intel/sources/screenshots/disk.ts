import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Clock } from '../../../kernel/clock.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import { writeFileAtomically } from '../../../kernel/files.ts'
import type { Random } from '../../../kernel/random.ts'
import type { Screenshots } from '../../screenshots.ts'
import { idOf, isId } from './id.ts'

type Options = {
  readonly folder: string
  /** Called on first use. */
  readonly secret: () => Uint8Array
  readonly maxAgeMs: number
  readonly maxBytes: number
  readonly clock: Clock
  readonly random: Random
}

/** A screenshot or its temporary file; other files in the folder are not ours. */
const SCREENSHOT_FILE = /^[0-9a-f]{64}\.jpg(|\.[0-9a-f-]{36})$/
const TEMPORARY_FILE_MAX_AGE_MS = 60 * 60_000

/** Stores screenshots in subfolders by the first two digits of the id. Files are written atomically. */
export function diskScreenshots({ folder, secret, maxAgeMs, maxBytes, clock, random }: Options): Screenshots {
  const pathOf = (id: string) => join(folder, id.slice(0, 2), `${id}.jpg`)

  // Screenshots are cached forever, so a partial file must never be served, even after a power failure.
  const write = (path: string, jpeg: Uint8Array): Promise<void> =>
    writeFileAtomically(path, jpeg, { temporarySuffix: random.uuid() })

  return {
    async put(jpeg) {
      const id = idOf(jpeg, secret())
      const now = new Date(clock.now())
      try {
        // If it exists already, only its age is reset.
        await utimes(pathOf(id), now, now).catch(async (error: unknown) => {
          if (!isMissing(error)) throw error
          await write(pathOf(id), jpeg)
          await utimes(pathOf(id), now, now)
        })
      } catch (cause) {
        throw new UpstreamError('unavailable', 'the screenshot folder cannot be written', { cause })
      }
      return id
    },
    async get(id) {
      if (!isId(id)) return null
      try {
        return await readFile(pathOf(id))
      } catch (error) {
        if (isMissing(error)) return null
        throw new UpstreamError('unavailable', 'a screenshot cannot be read', { cause: error })
      }
    },
    async sweep() {
      const files: { path: string; bytes: number; at: number; maxAgeMs: number }[] = []
      for (const path of await filesIn(folder)) {
        const [, suffix] = SCREENSHOT_FILE.exec(basename(path)) ?? []
        const file = suffix === undefined ? null : await stat(path).catch(() => null)
        if (!file?.isFile()) continue
        // A temporary file that old was left by a process that died.
        files.push({
          path,
          bytes: file.size,
          at: file.mtimeMs,
          maxAgeMs: suffix === '' ? maxAgeMs : TEMPORARY_FILE_MAX_AGE_MS,
        })
      }
      files.sort((a, b) => b.at - a.at)
      let bytes = 0
      const failures: unknown[] = []
      for (const { path, at, bytes: size, maxAgeMs } of files) {
        const isTooOld = clock.now() - at > maxAgeMs
        if (!isTooOld) bytes += size
        if (!isTooOld && bytes <= maxBytes) continue
        await rm(path, { force: true }).catch((error: unknown) => failures.push(error))
      }
      if (failures.length > 0)
        throw new UpstreamError('unavailable', 'screenshots cannot be removed', { cause: failures[0] })
    },
  }
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder, { recursive: true })
    return names.map((name) => join(folder, name))
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'
