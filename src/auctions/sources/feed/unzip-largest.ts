import { openRandomAccess } from '../../../kernel/random-access.ts'
import type { ZipEntry } from '../../../kernel/zip/directory.ts'
import { unzip } from '../../../kernel/zip/unzip.ts'
import { ZipError } from '../../../kernel/zip/zip-error.ts'
import { FeedError } from '../../auction-house.ts'

/** The largest file in a zip, in chunks. Throws FeedError if the zip is damaged, hostile or empty. */
export async function* unzipLargest(path: string): AsyncGenerator<Buffer> {
  const file = openRandomAccess(path)
  try {
    yield* unzip(file, largestOf)
  } catch (error) {
    if (!(error instanceof ZipError)) throw error
    throw new FeedError(`The feed cannot be unpacked: ${error.message}.`, { cause: error })
  } finally {
    file.close()
  }
}

function largestOf(entries: readonly ZipEntry[]): ZipEntry {
  const [largest] = entries.toSorted((a, b) => b.bytes - a.bytes)
  if (!largest || largest.bytes === 0) throw new FeedError('The zip is empty.')
  return largest
}
