import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** One text in one file. What is read is either the old text or the new one, whole, whenever the power fails. */
export function fileStore(path: string): {
  read(): Promise<string | undefined>
  write(content: string): Promise<void>
} {
  return {
    async read() {
      try {
        return await readFile(path, 'utf8')
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw error
      }
    },
    async write(content) {
      const draft = `${path}.${process.pid}.new`
      await mkdir(dirname(path), { recursive: true })
      try {
        const file = await open(draft, 'w')
        try {
          await file.writeFile(content)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(draft, path)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    },
  }
}
