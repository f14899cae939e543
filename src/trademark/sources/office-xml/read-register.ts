import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { TrademarkRecord } from '../../record.ts'
import type { Bytes } from './bytes.ts'
import { extractRecord, type Sparse } from './extract.ts'
import { RegisterError } from './register-error.ts'
import { createSplitter } from './split.ts'
import { blocks, zipChunks } from './zip.ts'

export type ReadingOptions = {
  /** Bytes of the file read so far, of how many; the last call says all of them. */
  readonly onProgress?: (done: number, total: number) => void
  readonly signal?: AbortSignal
}

type Found = TrademarkRecord | Sparse

/** The records of a file one by one; see `readPortions`. */
export async function* readRegister(path: string, options: ReadingOptions = {}): AsyncGenerator<Found> {
  for await (const portion of readPortions(path, options)) yield* portion
}

/**
 * The records of one file of the register, zip or XML, as they come, some at a time. Throws RegisterError, with a sentence for the operator, when the
 * file is not whole, not of the register or hostile; damage may show as late as after the last record, so what was read
 * counts only when the end is reached.
 */
export async function* readPortions(path: string, options: ReadingOptions = {}): AsyncGenerator<readonly Found[]> {
  const handle = openSync(path, 'r')
  try {
    const { size } = fstatSync(handle)
    // At once: what is read ahead by the system is here sooner than another thread could be asked for it.
    const read = async (position: number, length: number) => {
      const bytes = Buffer.allocUnsafe(length)
      return bytes.subarray(0, readSync(handle, bytes, 0, length, position))
    }
    yield* readRecords({ size, read }, options)
  } finally {
    closeSync(handle)
  }
}

/** The same for bytes from anywhere. */
export async function* readRecords(
  file: Bytes,
  { onProgress, signal }: ReadingOptions = {},
): AsyncGenerator<readonly Found[]> {
  let done = 0
  const read = async (position: number, length: number) => {
    signal?.throwIfAborted()
    const bytes = await file.read(position, length)
    // The directory of a zip is read from its end, before the rest: looking there is no progress.
    if (position <= done) done = Math.max(done, position + bytes.length)
    return bytes
  }
  const splitter = createSplitter()
  let records = 0
  for await (const chunk of await xmlChunks({ size: file.size, read })) {
    const portion: Found[] = []
    for (const record of splitter.push(chunk)) portion.push(extract(record, ++records))
    onProgress?.(Math.min(done, file.size), file.size)
    if (portion.length > 0) yield portion
  }
  splitter.end()
  onProgress?.(file.size, file.size)
}

function extract(record: Buffer, number: number): Found {
  try {
    return extractRecord(record)
  } catch (error) {
    if (!(error instanceof RegisterError)) throw error
    throw new RegisterError(`${error.message} (record ${number})`, { cause: error })
  }
}

/** A zip or plain XML, told by its first bytes: a name tells nothing, and a missing file comes as a web page. */
async function xmlChunks(file: Bytes): Promise<AsyncGenerator<Buffer>> {
  const start = await file.read(0, 512)
  if (start.length === 0) throw new RegisterError('the file is empty')
  const magic = start.toString('latin1', 0, 4)
  if (magic === 'PK\u0003\u0004' || magic === 'PK\u0005\u0006') return zipChunks(file)
  const text = start
    .toString()
    .replace(/^\u{feff}/u, '')
    .trimStart()
  if (/^<!doctype\s+html|^<html/i.test(text)) {
    throw new RegisterError('this is a web page and not a file of the register: the download found nothing')
  }
  if (!text.startsWith('<')) throw new RegisterError('this is neither a zip nor XML')
  return blocks(file, 0, file.size)
}
