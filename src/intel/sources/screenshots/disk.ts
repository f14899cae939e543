import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../kernel/clock.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
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

/** In folders by the first two digits, so that none grows too long. A picture is there as a whole or not at all. */
export function diskScreenshots({ folder, secret, maxAgeMs, maxBytes, clock, random }: Options): Screenshots {
  const pathOf = (id: string) => join(folder, id.slice(0, 2), `${id}.jpg`)

  async function write(path: string, jpeg: Uint8Array): Promise<void> {
    const draft = `${path}.${random.uuid()}`
    await mkdir(join(path, '..'), { recursive: true })
    const file = await open(draft, 'wx')
    try {
      await file.writeFile(jpeg)
    } finally {
      await file.close()
    }
    await rename(draft, path)
  }

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
      const kept: { path: string; bytes: number; at: number }[] = []
      for (const path of await filesIn(folder)) {
        const file = await stat(path).catch(() => null)
        // Drafts of a process that died are swept as if they were pictures.
        if (file?.isFile()) kept.push({ path, bytes: file.size, at: file.mtimeMs })
      }
      kept.sort((a, b) => b.at - a.at)
      let bytes = 0
      for (const { path, at, bytes: size } of kept) {
        bytes += size
        if (bytes > maxBytes || clock.now() - at > maxAgeMs) await rm(path, { force: true })
      }
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
