import { readFile } from 'node:fs/promises'
import { writeFileAtomically } from '../../kernel/files.ts'

/** Stores one text in one file. Writes are atomic, also in a power cut. */
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
    write: (content) => writeFileAtomically(path, content, { temporarySuffix: `${process.pid}.new` }),
  }
}
