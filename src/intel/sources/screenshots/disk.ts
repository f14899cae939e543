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
  /** Made at the first need. */
  readonly secret: () => Uint8Array
  readonly maxAgeMs: number
  readonly maxBytes: number
  readonly clock: Clock
  readonly random: Random
}

/** A picture, or the draft of one; what else is in the folder is somebody else's. */
const OURS = /^[0-9a-f]{64}\.jpg(|\.[0-9a-f-]{36})$/
const DRAFT_MS = 60 * 60_000

/** In folders by the first two digits, so that none grows too long. A picture is there as a whole or not at all. */
export function diskScreenshots({ folder, secret, maxAgeMs, maxBytes, clock, random }: Options): Screenshots {
  const pathOf = (id: string) => join(folder, id.slice(0, 2), `${id}.jpg`)

  // Caches keep a picture for good: not even a power cut may leave half of it under its name.
  const write = (path: string, jpeg: Uint8Array): Promise<void> =>
    writeFileAtomically(path, jpeg, { temporarySuffix: random.uuid() })

  return {
    async put(jpeg) {
      const id = idOf(jpeg, secret())
      const now = new Date(clock.now())
      try {
        // One that is there already is as good as new.
        await utimes(pathOf(id), now, now).catch(async (error: unknown) => {
          if (!isMissing(error)) throw error
          await write(pathOf(id), jpeg)
          await utimes(pathOf(id), now, now)
        })
      } catch (cause) {
        throw new UpstreamError('unavailable', 'the folder of the screenshots cannot be written', { cause })
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
      const kept: { path: string; bytes: number; at: number; maxAgeMs: number }[] = []
      for (const path of await filesIn(folder)) {
        const [, draft] = OURS.exec(basename(path)) ?? []
        const file = draft === undefined ? null : await stat(path).catch(() => null)
        if (!file?.isFile()) continue
        // A draft that old belongs to a process that died over it.
        kept.push({ path, bytes: file.size, at: file.mtimeMs, maxAgeMs: draft === '' ? maxAgeMs : DRAFT_MS })
      }
      kept.sort((a, b) => b.at - a.at)
      let bytes = 0
      const failures: unknown[] = []
      for (const { path, at, bytes: size, maxAgeMs } of kept) {
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
